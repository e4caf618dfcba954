import Text from "#brand/content/games/infinimerge.mdx";
import { pages } from "#brand/pages";
import { OpenState } from "~/components/site/open-state";
import { Prose } from "~/components/site/prose";
import { Section } from "~/components/site/section";
import { TextLink } from "~/components/ui/link";
import { Stone } from "~/features/pebbles/components/stone";
import { Tray } from "~/features/pebbles/components/tray";
import { levels } from "~/features/pebbles/tray";
import { paths } from "~/lib/paths";

/** How far each rung is below the highest. */
const rungs = ["sm:mt-28", "sm:mt-21", "sm:mt-14", "sm:mt-7", ""];

/** The tray, the ladder of stones, the story of the game, and what is open. */
export default function Below() {
  const market = <TextLink to={paths.market}>market</TextLink>;
  return (
    <>
      <Section
        id="tray"
        heading="Try it on a tray"
        text={
          "Take a stone, then another like it. Every merge takes one piece off the tray. It works by keyboard too: Tab to " +
          "a stone, Enter to take it."
        }
        className="lg:grid-cols-[1fr_1.65fr] lg:gap-x-16"
      >
        <Tray />
      </Section>
      <Section
        heading="Five rungs"
        text="As on the tray above. How high a season's ladder goes, and what is drawn on its rungs, the season will say."
        beside
      >
        <ol className="grid grid-cols-1 sm:grid-cols-5">
          {levels.map((name, i) => (
            <li
              key={name}
              className={`flex items-center gap-5 border-t border-line py-4 sm:block sm:border-t-bronze-dim sm:pr-4 ${rungs[i]}`}
            >
              <span className="block w-16 shrink-0 sm:w-20">
                <Stone level={i + 1} />
              </span>
              <span className="block sm:mt-4">
                <span className="display block text-2xl">{name}</span>
                <span className="figures text-bone-muted">
                  {2 ** i} {i === 0 ? "pebble" : "pebbles"}, {2 ** i - 1} {i === 1 ? "merge" : "merges"}
                </span>
              </span>
            </li>
          ))}
        </ol>
      </Section>
      <div className="mx-auto grid max-w-[100rem] grid-cols-1 gap-x-16 gap-y-14 px-4 pt-24 sm:px-8 lg:grid-cols-[1.65fr_1fr] lg:pt-36">
        <Prose>
          <Text />
        </Prose>
        <div className="grid content-start gap-10 lg:pt-2">
          <div className="border-l border-bronze-dim pl-6">
            <OpenState open />
            <p className="mt-2">
              The tray on this page. And <TextLink to={`${pages.whitepaper}/infinimerge`}>the arithmetic of merging</TextLink>, for those
              who want to know what a level costs.
            </p>
          </div>
          <div className="border-l border-bronze-dim pl-6">
            <OpenState open={false} />
            <p className="mt-2">
              The game, with its first season. Whether its pieces will be tokens on a chain or stay pebbles in a database is not decided; a
              game of pebbles need not be ashamed of the second. The axes and swords on the {market} are no pieces: two of them make two.
            </p>
          </div>
        </div>
      </div>
    </>
  );
}
