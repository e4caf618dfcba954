import { Lamplight } from "~/components/site/lamplight";
import { Opening } from "~/components/site/opening";
import { pageMeta } from "~/components/site/page-meta";
import { Prose } from "~/components/site/prose";
import { ButtonLink } from "~/components/ui/button";
import { TextLink } from "~/components/ui/link";
import Text, { page } from "~/content/games/mount-olympus.mdx";
import { paths } from "~/lib/paths";
import stair from "~art/scene-stair.svg";

export const meta = () => pageMeta(page.title, page.description);

/** The terraces from the top down: who keeps house there, and what one should know. */
const terraces = [
  {
    name: "The house",
    who: "All twelve, on good days",
    text: "One table, twelve chairs, and a lamp that Helikara turns up when she leaves for work. On the ninth terrace before its door there are rooms to let. The view is included, and so is the noise.",
  },
  {
    name: "Eighth",
    who: "Zephyrine, Mother of Four Winds",
    text: "Nothing is left on a table here. Her children come home in the evening and tell what they heard, all four at once.",
  },
  {
    name: "Seventh",
    who: "Selmene, Keeper of Borrowed Light",
    text: "A counting house for light. What she was lent and when it is due stands in a silver book, and the book has never been wrong.",
  },
  { name: "Sixth", who: "Pyrrhamon and Keraunax", text: "The forge and the anvil share a wall. It is warm underfoot, and one should not try to sleep." },
  { name: "Fifth", who: "Ophelyx, the Serpent Oracle", text: "Questions on two days of the tide. Bring eight cups: seven for the mouths, one for her." },
  {
    name: "Fourth",
    who: "Nyssaria, Weaver Behind the Veil",
    text: "Letters for the gods are left here and no further. She does not read them. Reading, she says, would be cheating.",
  },
  {
    name: "Third",
    who: "Tavrekhon, King of Turnings",
    text: "A terrace with more corners than it has room for. Nobody has been lost on it. Several have been delayed.",
  },
  {
    name: "Second",
    who: "Dendrokos, the Root Crown",
    text: "Gardens, kept by not being kept. Do not sit on anything that looks comfortable; it may be frowning.",
  },
  { name: "First", who: "Chalkanor, Shield of the Gate", text: "The gate. He looks at what you carry and opens or does not. He has never asked anybody why." },
] as const;

/** Mount Olympus: a page that goes down the mountain, with the mountain beside it. */
export default function MountOlympus() {
  return (
    <div className="mountain-page relative mx-auto grid max-w-[100rem] grid-cols-1 lg:grid-cols-[1.25fr_1fr]">
      <div className="scale-y absolute inset-y-0 left-0 hidden w-2.5 sm:block" />
      <div className="lg:order-last">
        <div className="mountain relative overflow-hidden max-lg:aspect-[4/5] max-lg:max-h-[70svh] max-lg:w-full">
          <div className="mountain-picture relative aspect-[900/1700] w-full">
            <img src={stair} alt="" width={900} height={1700} fetchPriority="high" className="h-full w-full" />
            <Lamplight x={50} y={30} reach={22} />
          </div>
          <div className="absolute inset-0 bg-[linear-gradient(0deg,var(--color-night)_8%,transparent_46%)] lg:bg-[linear-gradient(90deg,var(--color-night),transparent_26%),linear-gradient(0deg,var(--color-night),transparent_12%)]" />
        </div>
      </div>
      <div className="px-4 pb-10 sm:px-8 lg:pr-16">
        <header className="relative pb-16 max-lg:-mt-24 lg:pt-20">
          <h1 className="display text-hero max-w-[8ch]">{page.heading}</h1>
          <p className="mt-7 max-w-[32rem] text-lg">{page.lead}</p>
        </header>
        <ol className="border-t border-bronze-dim" reversed start={9}>
          {terraces.map((terrace, i) => (
            <li key={terrace.name} className="relative border-b border-line py-7 lg:pl-(--in)" style={{ "--in": `${i * 1.6}rem` } as React.CSSProperties}>
              <h2 className="display text-3xl">{terrace.name}</h2>
              <p className="caption mt-1.5 text-bronze">{terrace.who}</p>
              <p className="mt-3 max-w-[30rem] text-bone-muted">{terrace.text}</p>
            </li>
          ))}
        </ol>
        <p className="max-w-[34rem] pt-7 text-bone-muted lg:ml-[8rem]">
          Three live elsewhere. Helikara is out before anybody else gets up. Thalvyra comes from the sea for dinner and drips on all nine terraces. Morvaion has
          the place below the first step, which is on no drawing.
        </p>
        <Prose className="mt-24 lg:mt-32">
          <Text />
        </Prose>
        <div className="mt-14 grid max-w-[36rem] gap-10 sm:grid-cols-2">
          <div>
            <Opening open />
            <p className="mt-2">
              Reading about it, and <TextLink to={paths.elderGods}>the twelve themselves</TextLink>, who are cast in metal and traded.
            </p>
          </div>
          <div>
            <Opening open={false} />
            <p className="mt-2">The gate on the first terrace, the counting of steps, and the ladder with people on it.</p>
          </div>
        </div>
        <p className="mt-12">
          <ButtonLink to={paths.olympusJourney} kind="quiet">
            The road that leads here
          </ButtonLink>
        </p>
      </div>
    </div>
  );
}
