import Text from "#brand/content/games/immortal-siege.mdx";
import { pages } from "#brand/pages";
import { OpenState } from "~/components/site/open-state";
import { Prose } from "~/components/site/prose";
import { Section } from "~/components/site/section";
import { TextLink } from "~/components/ui/link";
import { paths } from "~/lib/paths";
import immortal from "~art/immortal.svg";

/** The watches of a night, according to the story. `strength` is how many of the nine marks of the gauge are filled. */
const watches = [
  {
    hour: "Sunset",
    name: "Goats",
    what: "They come home every evening. Somebody has to open the small gate and count them.",
    holds: "Anybody with a stick",
    strength: 1,
  },
  {
    hour: "First bell",
    name: "The Hungry",
    what: "Thin men with ladders. The ladders are always a foot too short, and they never learn.",
    holds: "Spearbearers",
    strength: 3,
  },
  {
    hour: "Second bell",
    name: "The Drummers",
    what: "They do not climb. They are here so that you do not sleep.",
    holds: "Archers, and wool for the ears",
    strength: 2,
  },
  {
    hour: "Third bell",
    name: "The Ram",
    what: "An oak with eighty feet under it. It wants the gate and nothing else.",
    holds: "Masons behind, Starsmiths above",
    strength: 5,
  },
  {
    hour: "Midnight",
    name: "Nothing",
    what: "For an hour. Three garrisons were lost in it, asleep.",
    holds: "Whoever has the lamp",
    strength: 1,
  },
  {
    hour: "Fifth bell",
    name: "Salt Horses",
    what: "They ride up out of the southern sea, where the wall has its feet in the water.",
    holds: "Tidewardens",
    strength: 6,
  },
  {
    hour: "Sixth bell",
    name: "Last Night's Dead",
    what: "Those who fell on the far side yesterday. They remember where the ladder was.",
    holds: "Oathblades, Axebearers",
    strength: 7,
  },
  {
    hour: "Seventh bell",
    name: "The Tall Ones",
    what: "They need no ladder. They look over the parapet and breathe.",
    holds: "Cometeers, from below",
    strength: 9,
  },
  {
    hour: "Before dawn",
    name: "It has no name",
    what: "Nobody has counted it and told the same number twice.",
    holds: "Everyone who is left",
    strength: 8,
  },
] as const;

/** The callings of an immortal, each with its weapon, as drawn in the collection. */
const callings = [
  ["Spearbearer", "leaf-bladed spear"],
  ["Tidewarden", "trident"],
  ["Cometeer", "comet lance"],
  ["Swordmaster", "leaf or fullered sword"],
  ["Oathblade", "crowned sword"],
  ["Axebearer", "double axe"],
  ["Archer", "recurved bow"],
  ["Mason", "block hammer"],
  ["Starsmith", "star hammer"],
  ["Augur", "crook"],
] as const;

/** The night watch by watch, the story of the wall, who may stand on it, and what is decided. */
export default function Below() {
  return (
    <>
      <Section
        heading="One night, nine watches"
        text="As it is told in the guardroom. Numbers and strengths belong to a season and will be set by it."
        beside
      >
        <Night />
      </Section>
      <div className="mx-auto grid max-w-[100rem] grid-cols-1 gap-x-16 gap-y-14 px-4 pt-24 sm:px-8 lg:grid-cols-[1.65fr_1fr] lg:pt-36">
        <Prose>
          <Text />
        </Prose>
        <aside className="lg:pt-16">
          <img
            src={immortal}
            alt="Periklea the Lucky, an immortal with lamp and crowned sword"
            width={600}
            height={800}
            loading="lazy"
            className="w-full max-w-sm rounded"
          />
          <p className="mt-5 max-w-sm text-bone-muted">
            Immortals are tokens on the main chain, each drawn once from its number. Yours stand in{" "}
            <TextLink to={paths.inventory}>your inventory</TextLink> until there is a wall to put them on.
          </p>
        </aside>
      </div>
      <Section
        heading="Ten callings"
        text="Every immortal has one. It is settled by the number of the token, and shown on its card."
        beside
      >
        <dl className="grid gap-x-10 sm:grid-cols-2">
          {callings.map(([name, arm]) => (
            <div key={name} className="flex items-baseline justify-between gap-6 border-t border-line py-3.5">
              <dt className="display text-2xl">{name}</dt>
              <dd className="text-right text-bone-muted">{arm}</dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section heading="What is decided" className="lg:grid-cols-[1fr_3fr]">
        <div className="grid gap-12 sm:grid-cols-2">
          <div>
            <OpenState open />
            <p className="mt-3 max-w-md">
              Owning an immortal and looking at it. Calling, arms and rarity follow from its number and are not drawn a second time.
            </p>
          </div>
          <div>
            <OpenState open={false} />
            <p className="mt-3 max-w-md">
              The game. How strong a watch is, what a fallen hero loses and what a held night brings are not decided. When they are, the
              numbers stand on this page before the first sunset.{" "}
              <TextLink to={`${pages.whitepaper}/future-games`}>What we ask of a game before it opens</TextLink> is written down already.
            </p>
          </div>
        </div>
      </Section>
    </>
  );
}

function Night() {
  return (
    <table className="w-full border-collapse text-left">
      <caption className="sr-only">The watches of a night on the Long Wall: the hour, what comes, and what has held it</caption>
      <thead>
        <tr className="caption border-b border-bronze-dim text-bronze">
          <th scope="col" className="w-28 pb-3 sm:w-36">
            Hour
          </th>
          <th scope="col" className="pb-3">
            What comes
          </th>
          <th scope="col" className="pb-3 pl-8 max-sm:hidden">
            What has held it
          </th>
        </tr>
      </thead>
      <tbody>
        {watches.map((w) => (
          <tr key={w.name} className="border-b border-line align-top [&>*]:py-5">
            <th scope="row" className="pr-4 font-normal">
              <span className="caption text-bronze">{w.hour}</span>
              <Gauge filled={w.strength} />
            </th>
            <td>
              <span className="display block text-3xl">{w.name}</span>
              <span className="mt-1.5 block max-w-[30rem] text-bone-muted">{w.what}</span>
              <span className="mt-2 block sm:hidden">Held by: {w.holds}</span>
            </td>
            <td className="w-60 pl-8 max-sm:hidden">{w.holds}</td>
          </tr>
        ))}
        <tr className="align-top [&>*]:py-5">
          <th scope="row" className="caption text-bronze">
            Dawn
          </th>
          <td colSpan={2}>
            <span className="display block text-3xl">Helikara</span>
            <span className="mt-1.5 block max-w-[30rem] text-bone-muted">She lifts the sun with both hands. There is bread.</span>
          </td>
        </tr>
      </tbody>
    </table>
  );
}

/** How hard a watch is, in nine marks, as far as known. */
function Gauge({ filled }: { filled: number }) {
  const marks = (from: number, to: number, mark: string) =>
    Array.from({ length: to - from }, (_, i) => `M${(from + i) * 10 + 2} 10v${mark}`).join("");
  return (
    <svg
      width="88"
      height="10"
      viewBox="0 0 88 10"
      fill="none"
      strokeWidth="4"
      role="img"
      aria-label={`${filled} of 9`}
      className="mt-2.5 block"
    >
      <path d={marks(0, filled, "-10")} stroke="var(--color-rarity-rare)" />
      <path d={marks(filled, 9, "-4")} stroke="var(--color-bronze-dim)" />
    </svg>
  );
}
