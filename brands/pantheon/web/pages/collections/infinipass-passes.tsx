import { RarityBadge } from "~/components/ui/rarity";
import bronzeTablet from "~art/tablet-bronze.svg";
import goldTablet from "~art/tablet-gold.svg";

const passes = [
  { name: "Community", src: bronzeTablet, alt: "A bronze tablet with a ring of people around a green flame", rarity: "uncommon" },
  { name: "Ultimate", src: goldTablet, alt: "A golden tablet with a door that stands ajar and lets light out", rarity: "legendary" },
] as const;

/** The differences between the two, the community pass first. */
const differences = [
  { what: "In a sentence", is: ["A seat in the agora and a voice in what comes next.", "Every door of the house opens for this pass."] },
  { what: "Made of", is: ["Bronze", "Gold"] },
] as const;

/** What they have in common. */
const shared = [
  { what: "Today", is: "Shown and counted in your inventory. Each is an ERC-721 token on the main chain, with its own number." },
  { what: "As questions come up", is: "Asked first about what comes next, by announcement." },
  { what: "Not yet", is: "Doors that ask for a pass, rewards by season, and lending it out. Each is announced here first." },
  { what: "Never", is: "A share of income. A pass opens doors; it is no investment." },
] as const;

/** Both passes, side by side, and what each does and does not do. */
export default function Passes() {
  return (
    <section className="mx-auto max-w-[100rem] px-4 pt-20 sm:px-8 lg:pt-28">
      <h2 id="passes" className="display text-[clamp(3.0625rem,6vw,5.5rem)] lg:ml-[25%]">
        Held up to the lamp
      </h2>
      <table aria-labelledby="passes" className="mt-6 w-full table-fixed border-collapse text-left">
        <colgroup>
          <col className="w-[27%] lg:w-1/4" />
          <col />
          <col />
        </colgroup>
        <thead>
          <tr className="border-b border-bronze-dim">
            <td />
            {passes.map((pass) => (
              <th key={pass.name} scope="col" className="pb-6 pr-3 align-bottom font-normal lg:pr-8">
                <img
                  src={pass.src}
                  alt={pass.alt}
                  width={680}
                  height={740}
                  loading="lazy"
                  decoding="async"
                  className="-ml-[6%] w-[112%] max-w-none lg:-ml-[4%] lg:w-full lg:max-w-[34rem]"
                />
                <span className="display mt-2 block text-2xl sm:text-5xl">{pass.name}</span>
                <RarityBadge rarity={pass.rarity} className="mt-2" />
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="text-sm sm:text-base lg:text-lg">
          {differences.map((row) => (
            <tr key={row.what} className="border-b border-line align-top">
              <th scope="row" className="py-3.5 pr-3 text-left font-normal text-bronze lg:py-5 lg:pr-8 lg:text-base">
                {row.what}
              </th>
              {row.is.map((cell) => (
                <td key={cell} className="py-3.5 pr-3 lg:py-5 lg:pr-8">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <h3 className="display mt-16 text-4xl lg:ml-[25%] lg:mt-24">Of both</h3>
      <dl className="mt-6 grid gap-x-12 gap-y-7 sm:grid-cols-2 lg:ml-[25%]">
        {shared.map(({ what, is }) => (
          <div key={what} className="border-t border-bronze-dim pt-4">
            <dt className="caption text-bronze">{what}</dt>
            <dd className="mt-2 max-w-[26rem] lg:text-lg">{is}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
