import Text, { page } from "#brand/content/collections/kod-leaderboard.mdx";
import { pages } from "#brand/pages";
import { Later } from "~/components/site/later";
import { pageMeta } from "~/components/site/page-meta";
import { SideHeadings } from "~/components/site/side-headings";
import { TextLink } from "~/components/ui/link";
import { deferred } from "~/lib/deferred";
import stele from "~art/scene-stele.svg";

/** Loaded lazily: its prerendered placeholder lines are already visible. */
const Board = deferred(
  async () => ({ default: (await import("~/features/leaderboard/components/board")).Board }),
  <div className="h-[56rem]" />,
);

export const meta = () => pageMeta(page.title, page.description);

/**
 * The leaderboard of King of Destiny: the current names, beside them the stone they will be cut into, and how it
 * works.
 */
export default function Leaderboard() {
  return (
    <>
      <div className="relative border-b border-line">
        <div className="scale-y absolute inset-y-0 left-0 hidden w-2.5 sm:block" />
        <div className="mx-auto grid max-w-[100rem] grid-cols-1 lg:grid-cols-[1.2fr_1fr]">
          <div className="px-4 pb-14 pt-8 sm:px-8 lg:pb-20 lg:pt-24">
            <p className="caption text-bronze">Chalk before chisel</p>
            <h1 className="display text-hero mt-4 max-w-[4.8em]">{page.heading}</h1>
            <p className="mt-7 max-w-[34rem] text-lg">{page.lead}</p>
            <Later className="mt-10">
              The first round has no date yet. What stands here until then is from trials, and is wiped before it starts.
            </Later>
            <div className="mt-12 max-w-2xl">
              <Board board="kod" caption="Leaderboard of King of Destiny" counted="Points" />
            </div>
          </div>
          <div className="relative max-lg:order-first">
            {/* As high as the leaderboard: its lines align with the stone's. */}
            <img
              src={stele}
              alt="A tall stone under a crown, with ten ruled lines and no name on any; a mason's hammer and chisels lean against it"
              width={1000}
              height={1300}
              fetchPriority="high"
              className={
                "h-auto w-full max-lg:max-h-[70svh] max-lg:object-cover max-lg:object-[56%_20%] " +
                "max-lg:[mask-image:linear-gradient(#000_82%,transparent)] lg:absolute lg:inset-0 lg:h-full lg:object-cover " +
                "lg:object-[54%_50%] lg:[mask-image:linear-gradient(90deg,transparent,#000_24%)] " +
                "min-[101rem]:[mask-image:linear-gradient(90deg,transparent,#000_24%_80%,transparent)]"
              }
            />
          </div>
        </div>
      </div>
      <SideHeadings>
        <Text />
        <p>
          <TextLink to={pages.kingOfDestiny}>About King of Destiny</TextLink>
        </p>
      </SideHeadings>
    </>
  );
}
