import { arks } from "#brand/content/collections/vessels";
import { marks } from "#brand/marks";
import { TextLink } from "~/components/ui/link";
import { RarityBadge } from "~/components/ui/rarity";
import { cn } from "~/lib/cn";
import { currenciesOf } from "~/lib/currencies";
import { paths } from "~/lib/paths";
import bronze from "~art/ark-bronze.svg";
import cedar from "~art/ark-cedar.svg";
import storm from "~art/ark-storm.svg";
import sun from "~art/ark-sun.svg";

/** In the order of the arks. */
const pictures = [cedar, bronze, storm, sun];

const purses = [
  {
    name: "Followers",
    kinds: currenciesOf("followers"),
    text:
      "The people aboard. They come in four kinds, and your page shows them one by one and all together. A game that " +
      "asks for one kind will not take another.",
  },
  {
    name: "Tokens",
    kinds: currenciesOf("tokens"),
    text:
      "What lay in the hold: four game currencies in whole numbers. The name is old and misleading, since nothing " +
      "about them is on a chain.",
  },
] as const;

/** The four arks under sail, on one sea. */
function Fleet() {
  return (
    <section className="overflow-x-clip pt-20 lg:pt-28">
      <div className="mx-auto max-w-[100rem] px-4 sm:px-8">
        <h2 className="display max-w-[4.96em] text-[clamp(3.0625rem,6vw,5.5rem)] lg:ml-[25%]">Four arks in the roads</h2>
      </div>
      <ul className="mx-auto mt-2 grid max-w-[110rem] grid-cols-2 lg:grid-cols-4">
        {arks.map((ark, index) => (
          <li key={ark.tokenId} className="pb-12 lg:pb-0">
            {/* The pictures overlap by their margins, so that the four seas form one. */}
            <img
              src={pictures[index]}
              alt=""
              width={680}
              height={740}
              loading="lazy"
              decoding="async"
              className="-ml-[6.7%] w-[113.4%] max-w-none [mask-image:linear-gradient(#000_80%,transparent_92%)]"
            />
            <div className="px-4 sm:px-8">
              <RarityBadge rarity={ark.rarity} />
              <h3 className="display mt-1.5 text-3xl">{ark.name}</h3>
              <p className="mt-2 max-w-[17rem] text-bone-muted">{ark.text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What breaking them up yields, by currency. */
function Cargo() {
  return (
    <section className="mx-auto max-w-[100rem] px-4 pt-24 sm:px-8 lg:pt-36">
      <div className="grid grid-cols-1 gap-x-10 gap-y-6 lg:grid-cols-[1fr_3fr]">
        <h2 className="display text-4xl sm:text-5xl">What comes out</h2>
        <p className="max-w-[36rem] text-lg">
          Eight currencies in two purses. How many of each an ark gives is in the tariff. The first one is posted: it hangs, with its
          version, in <TextLink to={paths.arks}>your part of the yard</TextLink>.
        </p>
      </div>
      <div className="mt-14 grid border-t border-bronze-dim lg:grid-cols-2">
        {purses.map((purse, index) => (
          <div
            key={purse.name}
            className={cn(
              "pt-8",
              index === 0 ? "lg:pr-12" : "max-lg:mt-12 max-lg:border-t max-lg:border-line lg:border-l lg:border-line lg:pl-12",
            )}
          >
            <h3 className="display text-4xl">{purse.name}</h3>
            <p className="mt-3 max-w-[30rem] text-bone-muted">{purse.text}</p>
            <ul className="mt-8 grid grid-cols-2 gap-x-6 sm:grid-cols-4" aria-label={`Kinds of ${purse.name.toLowerCase()}`}>
              {purse.kinds.map(({ code, name, short = name }) => (
                <li key={code} className="border-t border-line py-5">
                  <svg
                    viewBox="0 0 48 48"
                    fill="none"
                    stroke="var(--color-bronze)"
                    strokeWidth="1.500"
                    strokeLinecap="round"
                    strokeLinejoin="round"
                    aria-hidden="true"
                    className="size-20"
                  >
                    <path d={marks[code] ?? ""} />
                  </svg>
                  <p className="display mt-4 text-2xl">{short}</p>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </section>
  );
}

/** The ships and their cargo. */
export default function ShipsAndCargo() {
  return (
    <>
      <Fleet />
      <Cargo />
    </>
  );
}
