import Text from "#brand/content/games/mount-olympus.mdx";
import { pages } from "#brand/pages";
import { OpenState } from "~/components/site/open-state";
import { Prose } from "~/components/site/prose";
import { ButtonLink } from "~/components/ui/button";
import { TextLink } from "~/components/ui/link";

/** The terraces from the top down: who lives there, and what to know. */
const terraces = [
  {
    name: "The house",
    who: "All twelve, on good days",
    text:
      "One table, twelve chairs, and a lamp that Helikara turns up when she leaves for work. On the ninth terrace " +
      "before its door there are rooms to let. The view is included, and so is the noise.",
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
  {
    name: "Sixth",
    who: "Pyrrhamon and Keraunax",
    text: "The forge and the anvil share a wall. It is warm underfoot, and one should not try to sleep.",
  },
  {
    name: "Fifth",
    who: "Ophelyx, the Serpent Oracle",
    text: "Questions on two days of the tide. Bring eight cups: seven for the mouths, one for her.",
  },
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
  {
    name: "First",
    who: "Chalkanor, Shield of the Gate",
    text: "The gate. He looks at what you carry and opens or does not. He has never asked anybody why.",
  },
] as const;

/** How far each terrace protrudes, from the top down. */
const indents = [
  "",
  "lg:pl-[1.6rem]",
  "lg:pl-[3.2rem]",
  "lg:pl-[4.8rem]",
  "lg:pl-[6.4rem]",
  "lg:pl-[8rem]",
  "lg:pl-[9.6rem]",
  "lg:pl-[11.2rem]",
  "lg:pl-[12.8rem]",
];

/** The terraces, the story of the climb, and what is open. */
export default function Below() {
  return (
    <>
      <ol className="border-t border-bronze-dim" reversed start={9}>
        {terraces.map((terrace, i) => (
          <li key={terrace.name} className={`border-b border-line py-7 ${indents[i]}`}>
            <h2 className="display text-3xl">{terrace.name}</h2>
            <p className="caption mt-1.5 text-bronze">{terrace.who}</p>
            <p className="mt-3 max-w-[30rem] text-bone-muted">{terrace.text}</p>
          </li>
        ))}
      </ol>
      <p className="max-w-[34rem] pt-7 text-bone-muted lg:ml-[8rem]">
        Three live elsewhere. Helikara is out before anybody else gets up. Thalvyra comes from the sea for dinner and drips on all nine
        terraces. Morvaion has the place below the first step, which is on no drawing.
      </p>
      <Prose className="mt-24 lg:mt-32">
        <Text />
      </Prose>
      <div className="mt-14 grid max-w-[36rem] gap-10 sm:grid-cols-2">
        <div>
          <OpenState open />
          <p className="mt-2">
            Reading about it, and <TextLink to={pages.elderGods}>the twelve themselves</TextLink>, who are cast in metal and for sale.
          </p>
        </div>
        <div>
          <OpenState open={false} />
          <p className="mt-2">The gate on the first terrace, the counting of steps, and the ladder with people on it.</p>
        </div>
      </div>
      <p className="mt-12">
        <ButtonLink to={pages.olympusJourney} kind="quiet">
          About Olympus Journey
        </ButtonLink>
      </p>
    </>
  );
}
