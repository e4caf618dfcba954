import Text from "#brand/content/games/king-of-destiny.mdx";
import { pages } from "#brand/pages";
import { OpenState } from "~/components/site/open-state";
import { Prose } from "~/components/site/prose";
import { Section } from "~/components/site/section";
import { TextLink } from "~/components/ui/link";
import { type Rarity, RarityBadge } from "~/components/ui/rarity";
import { cn } from "~/lib/cn";
import { paths } from "~/lib/paths";
import { holdTime } from "~/lib/rules";
import crown from "~art/crown.svg";
import helm from "~art/helm.svg";
import shield from "~art/shield.svg";
import sword from "~art/sword.svg";

/** The texts on the card of Kingmaker and their meaning; `at` is where the line meets the card. */
const notes = [
  { at: "xl:top-[8%]", name: "Its rarity", text: "Legendary: a star, gold, and the word. Colour alone never says it." },
  {
    at: "xl:top-[33%]",
    name: "Power 79",
    text: "What a blow does. The Recruit's Xiphos, with which half the wars of the coast began, has 12.",
  },
  { at: "xl:top-[58%]", name: "Weight 18", text: "What it costs to lift. You pay this in every blow, also in the ones that miss." },
  { at: "xl:top-[84%]", name: "Its name", text: "Seven rulers swore on this hilt. Four of them kept their word." },
] as const;

interface Step {
  rarity: Rarity;
  /** How many of the forty-three items have this rarity. */
  count: number;
  example: string;
  figure: string;
}

/** The rarities in order, with one item of each. Figures are those of the catalogue. */
const steps: Step[] = [
  { rarity: "common", count: 10, example: "Woodcutter's Axe", figure: "Power 14" },
  { rarity: "uncommon", count: 8, example: "Harbour Kopis", figure: "Power 21" },
  { rarity: "rare", count: 8, example: "Bull-Breaker", figure: "Power 44" },
  { rarity: "epic", count: 8, example: "Meridian Blade", figure: "Power 58" },
  { rarity: "legendary", count: 5, example: "Anvil Star", figure: "Power 81" },
  { rarity: "mythic", count: 4, example: "Crown of Destiny", figure: "Insight 99" },
];

/** The story of the seat, the items of the game, and what is open. */
export default function Below() {
  return (
    <>
      <div className="mx-auto max-w-[100rem] px-4 pt-20 sm:px-8 lg:pt-32">
        {/* Three parts, side by side if there is room. */}
        <Prose className="gap-x-14 lg:columns-3 lg:[&>h2]:mt-0! lg:[&>h2]:break-before-column lg:[&>h2]:border-t-0! lg:[&>h2]:pt-0!">
          <Text />
        </Prose>
      </div>
      <Blade />
      <Rack />
      <Ladder />
      <Doors />
    </>
  );
}

/** One card, with lines to its parts. */
function Blade() {
  return (
    <Section heading="How to read a blade" text="Two things stand on the card. Two more stand in the numbers that belong to it." beside>
      <div className="grid grid-cols-1 gap-10 sm:grid-cols-[minmax(0,26rem)_1fr] xl:gap-x-0">
        <img
          src={sword}
          alt="The card of Kingmaker: a golden sword with a crowned hilt, legendary"
          width={600}
          height={800}
          loading="lazy"
          className="w-full self-start"
        />
        <ul className="relative grid content-start gap-7 xl:block xl:min-h-[34.7rem]">
          {notes.map((note) => (
            <li
              key={note.name}
              className={cn("xl:absolute xl:inset-x-0 xl:grid xl:grid-cols-[clamp(2rem,8vw,9rem)_1fr] xl:gap-x-5", note.at)}
            >
              <span aria-hidden="true" className="relative mt-3.5 hidden h-px bg-bronze xl:block">
                <span className="absolute -left-1 -top-1 size-2 rotate-45 border border-bronze bg-night" />
              </span>
              <div className="max-xl:border-t max-xl:border-bronze-dim max-xl:pt-3">
                <h3 className="display figures text-2xl">{note.name}</h3>
                <p className="mt-1 max-w-[26rem] text-bone-muted">{note.text}</p>
              </div>
            </li>
          ))}
        </ul>
      </div>
    </Section>
  );
}

/** Three items at full height, in descending steps, with the sentence that none of them is for sale. */
function Rack() {
  const things = [
    {
      src: shield,
      name: "Shield of the Unsetting Sun",
      text: "On the longest day it was raised at the eastern gate, and evening never came.",
    },
    { src: helm, name: "Helm of the Falling Star", text: "It weighs less the higher you stand." },
    { src: crown, name: "Crown of Destiny", text: "The easy part." },
  ];
  return (
    <div className="mt-24 border-y border-line bg-night-1 lg:mt-36">
      <ul
        className={
          "mx-auto grid max-w-[100rem] grid-cols-1 gap-x-10 gap-y-14 px-4 py-16 sm:grid-cols-3 sm:px-8 lg:gap-x-20 " +
          "lg:py-24 sm:[&>li:nth-child(2)]:mt-16 sm:[&>li:nth-child(3)]:mt-32"
        }
      >
        {things.map((thing) => (
          <li key={thing.name}>
            <img src={thing.src} alt="" width={600} height={800} loading="lazy" className="w-full max-sm:max-w-72" />
            <p className="display mt-5 text-3xl">{thing.name}</p>
            <p className="mt-1.5 max-w-xs text-bone-muted">{thing.text}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The rarities from the lowest up: the number of items of each, and one example. */
function Ladder() {
  return (
    <Section
      heading="Six steps"
      text="Forty-three things belong to the game so far. This is how many there are of each rarity, with one for example."
      beside
    >
      <ol className="grid gap-1">
        {steps.map((step) => (
          <li
            key={step.rarity}
            className={
              "grid grid-cols-[1fr_auto] items-baseline gap-x-6 border-t border-line py-4 " + "sm:grid-cols-[8rem_minmax(0,1fr)_12rem_6rem]"
            }
          >
            <RarityBadge rarity={step.rarity} />
            <span className="figures flex items-center gap-3 max-sm:justify-self-end">
              <Marks count={step.count} />
              {step.count}
            </span>
            <span className="display text-2xl max-sm:mt-2">{step.example}</span>
            <span className="figures text-right text-bone-muted">{step.figure}</span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Doors() {
  return (
    <Section heading="Today, and later" className="lg:grid-cols-[1fr_1.5fr_1.5fr]">
      <div>
        <OpenState open />
        <ul className="mt-4 grid gap-3">
          <li>
            Buying what others offer on <TextLink to={paths.market}>the market</TextLink>, held for you for {holdTime}.
          </li>
          <li>
            KOD packs for sale, with <TextLink to={`${pages.whitepaper}/gen-0-the-elder-gods`}>what a god pack may hold</TextLink>.
          </li>
          <li>
            Answers: <TextLink to={paths.support}>support</TextLink>, and the <TextLink to={paths.packTerms}>terms</TextLink>.
          </li>
        </ul>
      </div>
      <div>
        <OpenState open={false} />
        <ul className="mt-4 grid gap-3 text-bone-muted">
          <li>The hall, the fights and the question.</li>
          <li>
            The rules, with sums and examples, on this page, and the <TextLink to={paths.leaderboard}>ladder</TextLink> filled with people.
          </li>
          <li>
            An email to everybody who <TextLink to={pages.preRegister}>left an address</TextLink>.
          </li>
        </ul>
      </div>
    </Section>
  );
}

/** A number of marks, as on the edge of a chart. */
function Marks({ count }: { count: number }) {
  return (
    <svg
      width="98"
      height="10"
      viewBox="0 0 98 10"
      fill="none"
      strokeWidth="5"
      stroke="var(--color-bronze-dim)"
      aria-hidden="true"
      className="max-sm:hidden"
    >
      <path d={Array.from({ length: count }, (_, i) => `M${i * 10 + 3} 0v10`).join("")} />
    </svg>
  );
}
