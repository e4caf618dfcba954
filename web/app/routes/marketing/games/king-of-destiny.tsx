import { Opening } from "~/components/site/opening";
import { pageMeta } from "~/components/site/page-meta";
import { Prose } from "~/components/site/prose";
import { Section } from "~/components/site/section";
import { ButtonLink } from "~/components/ui/button";
import { TextLink } from "~/components/ui/link";
import { type Rarity, RarityBadge } from "~/components/ui/rarity";
import Text, { page } from "~/content/games/king-of-destiny.mdx";
import { paths } from "~/lib/paths";
import crown from "~art/crown.svg";
import helm from "~art/helm.svg";
import throne from "~art/scene-throne.svg";
import shield from "~art/shield.svg";
import sword from "~art/sword.svg";

export const meta = () => pageMeta(page.title, page.description);

/** What is written on the card of Kingmaker and what it means; `y` is where its line meets the card, in percent. */
const notes = [
  { y: 8, name: "Its rarity", text: "Legendary: an eight-pointed star, gold, and the word. Colour alone never says it." },
  { y: 33, name: "Power 79", text: "What a blow does. The Recruit's Xiphos, with which half the wars of the coast began, has 12." },
  { y: 58, name: "Weight 18", text: "What it costs to lift. You pay this in every blow, also in the ones that miss." },
  { y: 84, name: "Its name", text: "Seven rulers swore on this hilt. Four of them kept their word." },
] as const;

interface Step {
  rarity: Rarity;
  /** How many of the forty-three things are of it. */
  count: number;
  example: string;
  figure: string;
}

/** The ladder of rarities, with one thing from each. Figures are those of the catalogue. */
const steps: Step[] = [
  { rarity: "common", count: 10, example: "Woodcutter's Axe", figure: "Power 14" },
  { rarity: "uncommon", count: 8, example: "Harbour Kopis", figure: "Power 21" },
  { rarity: "rare", count: 8, example: "Bull-Breaker", figure: "Power 44" },
  { rarity: "epic", count: 8, example: "Meridian Blade", figure: "Power 58" },
  { rarity: "legendary", count: 5, example: "Anvil Star", figure: "Power 81" },
  { rarity: "mythic", count: 4, example: "Crown of Destiny", figure: "Insight 99" },
];

/** King of Destiny: the seat, how its things are read, and what is open. */
export default function KingOfDestiny() {
  return (
    <>
      <Hero />
      <div className="mx-auto max-w-[100rem] px-4 pt-20 sm:px-8 lg:pt-32">
        <Prose className="lg:ml-[25%]">
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

function Hero() {
  return (
    <header className="relative isolate overflow-hidden border-b border-line">
      <div className="relative -z-10 h-[58svh] lg:absolute lg:inset-y-0 lg:right-0 lg:h-auto lg:w-[82%]">
        <img src={throne} alt="" width={1600} height={900} fetchPriority="high" className="h-full w-full object-cover object-[69%_0] lg:object-[68%_22%]" />
        <div className="absolute inset-0 bg-[linear-gradient(0deg,var(--color-night)_5%,transparent_40%)] lg:bg-[linear-gradient(90deg,var(--color-night)_6%,transparent_56%)]" />
      </div>
      <div className="scale-y absolute inset-y-0 left-0 hidden w-2.5 sm:block" />
      <div className="mx-auto flex max-w-[100rem] flex-col justify-end px-4 pb-14 max-lg:-mt-12 sm:px-8 lg:min-h-[min(90svh,58rem)] lg:pb-20">
        <p className="caption text-bronze">King of Destiny</p>
        <h1 className="display text-hero mt-4 max-w-[10ch] lg:max-w-[7ch]">{page.heading}</h1>
        <p className="mt-7 max-w-[30rem] text-lg">{page.lead}</p>
        <div className="mt-9 flex flex-wrap gap-4">
          <ButtonLink to={paths.preRegister} size="large">
            Be told when it opens
          </ButtonLink>
          <ButtonLink to={paths.market} kind="quiet" size="large">
            See the arms
          </ButtonLink>
        </div>
      </div>
    </header>
  );
}

/** One card, with lines to what is on it. */
function Blade() {
  return (
    <Section heading="How to read a blade" text="Every card says the same four things in the same places." beside>
      <div className="grid grid-cols-1 items-stretch gap-x-0 gap-y-10 md:grid-cols-[minmax(0,26rem)_1fr]">
        <img
          src={sword}
          alt="The card of Kingmaker: a golden sword with a crowned hilt, legendary"
          width={600}
          height={800}
          loading="lazy"
          className="w-full self-start"
        />
        <dl className="relative grid gap-8 md:block md:min-h-[34.7rem]">
          {notes.map((note) => (
            <div key={note.name} className="md:absolute md:inset-x-0 md:grid md:grid-cols-[clamp(2rem,8vw,9rem)_1fr] md:gap-x-5" style={{ top: `${note.y}%` }}>
              <span aria-hidden="true" className="relative mt-3.5 hidden h-px bg-bronze md:block">
                <span className="absolute -left-1 -top-1 size-2 rotate-45 border border-bronze bg-night" />
              </span>
              <div className="max-md:border-t max-md:border-bronze-dim max-md:pt-3">
                <dt className="display figures text-2xl">{note.name}</dt>
                <dd className="mt-1 max-w-[26rem] text-bone-muted">{note.text}</dd>
              </div>
            </div>
          ))}
        </dl>
      </div>
    </Section>
  );
}

/** Three things at full height, stepping down, with the sentence that sells none of them. */
function Rack() {
  const things = [
    { src: shield, name: "Shield of the Unsetting Sun", text: "On the longest day it was raised at the eastern gate, and evening never came." },
    { src: helm, name: "Helm of the Falling Star", text: "It weighs less the higher you stand." },
    { src: crown, name: "Crown of Destiny", text: "The easy part." },
  ];
  return (
    <div className="mt-24 border-y border-line bg-night-1 lg:mt-36">
      <ul className="mx-auto grid max-w-[100rem] grid-cols-1 gap-x-10 gap-y-14 px-4 py-16 sm:grid-cols-3 sm:px-8 lg:gap-x-20 lg:py-24 sm:[&>li:nth-child(2)]:mt-16 sm:[&>li:nth-child(3)]:mt-32">
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

/** The rarities from the lowest up: how many things are of each, and one of them. */
function Ladder() {
  return (
    <Section heading="Six steps" text="Forty-three things belong to the game so far. This is how many there are of each rarity, with one for example." beside>
      <ol className="grid gap-1">
        {steps.map((step) => (
          <li key={step.rarity} className="grid grid-cols-[1fr_auto] items-baseline gap-x-6 border-t border-line py-4 sm:grid-cols-[9rem_1fr_14rem_7rem]">
            <RarityBadge rarity={step.rarity} />
            <span className="figures flex items-center gap-3 max-sm:justify-self-end">
              <span aria-hidden="true" className="hidden h-2 bg-bronze-dim sm:block" style={{ width: `${step.count * 1.1}rem` }} />
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
        <Opening open />
        <ul className="mt-4 grid gap-3">
          <li>
            Buying what others offer on <TextLink to={paths.market}>the market</TextLink>, held for you for ten minutes.
          </li>
          <li>
            KOD packs for sale, with <TextLink to={`${paths.whitepaper}/gen-0-the-elder-gods`}>what a god pack may hold</TextLink>.
          </li>
          <li>
            Answers: <TextLink to={paths.support}>the harbour office</TextLink>, and the <TextLink to={paths.kodTerms}>terms</TextLink>.
          </li>
        </ul>
      </div>
      <div>
        <Opening open={false} />
        <ul className="mt-4 grid gap-3 text-bone-muted">
          <li>The hall, the fights and the question.</li>
          <li>
            The rules, with sums and examples, on this page, and the <TextLink to={paths.leaderboard}>ladder</TextLink> filled with people.
          </li>
          <li>
            A letter to everybody who <TextLink to={paths.preRegister}>left an address</TextLink>.
          </li>
        </ul>
      </div>
    </Section>
  );
}
