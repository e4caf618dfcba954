import type { ReactNode } from "react";
import { Link } from "react-router";
import { pages } from "#brand/pages";
import { TextLink } from "~/components/ui/link";
import { ScrollArea } from "~/components/ui/scroll-area";
import { cn } from "~/lib/cn";
import { paths } from "~/lib/paths";
import { collections } from "~/lib/registry";
import arkBronze from "~art/ark-bronze.svg";
import arkCedar from "~art/ark-cedar.svg";
import arkStorm from "~art/ark-storm.svg";
import arkSun from "~art/ark-sun.svg";
import crown from "~art/arms-crown.svg";
import helm from "~art/arms-helm.svg";
import shield from "~art/arms-shield.svg";
import sword from "~art/arms-sword.svg";
import god from "~art/bust-underworld.svg";
import crest from "~art/face-crest.svg";
import diadem from "~art/face-diadem.svg";
import laurel from "~art/face-laurel.svg";
import season from "~art/face-season.svg";
import hero from "~art/hero.svg";
import packAvatar from "~art/pack-avatar.svg";
import packGeneral from "~art/pack-general.svg";
import packGod from "~art/pack-god.svg";
import pigBronze from "~art/pig-bronze.svg";
import pigClay from "~art/pig-clay.svg";
import pigGold from "~art/pig-gold.svg";
import pigMended from "~art/pig-mended.svg";
import pigObsidian from "~art/pig-obsidian.svg";
import spark from "~art/power-spark.svg";
import surge from "~art/power-surge.svg";
import tempest from "~art/power-tempest.svg";
import bronzeTablet from "~art/tablet-bronze.svg";
import goldTablet from "~art/tablet-gold.svg";

/** A token's image without its card. */
function Cutout({ src, className }: { src: string; className?: string }) {
  return <img src={src} alt="" width={680} height={740} loading="lazy" decoding="async" className={className} />;
}

interface ThingProps {
  name: string;
  /** The collection's size. */
  count: string;
  to?: string | undefined;
  children: ReactNode;
  className?: string;
}

/** A description of one collection. */
function Thing({ name, count, to, children, className }: ThingProps) {
  return (
    <div className={className}>
      <h3 className="display text-3xl">
        {to ? (
          <Link
            to={to}
            className="underline decoration-bronze decoration-1 underline-offset-[0.15em] hover:text-ember-bright hover:decoration-ember"
          >
            {name}
          </Link>
        ) : (
          name
        )}
      </h3>
      <p className="caption mt-2 text-bronze">{count}</p>
      <p className="mt-3 max-w-[26rem] text-bone-muted">{children}</p>
    </div>
  );
}

const heading = "display text-[clamp(3.0625rem,6vw,5.5rem)]";
const frame = "mx-auto max-w-[100rem] px-4 sm:px-8";
const forSale = (slug: string) => `${paths.market}?collection=${slug}`;

function ToCarry() {
  return (
    <section className={cn(frame, "pt-20 lg:pt-28")}>
      <div className="grid grid-cols-1 gap-y-8 lg:grid-cols-[1fr_1.65fr] lg:gap-x-10">
        <div className="lg:pt-24">
          <h2 className={heading}>To carry</h2>
          <Thing className="mt-10" name="King of Destiny Items" count="43 kinds, in copies" to={forSale("game-items")}>
            Arms, armour and relics, from a recruit's short sword to the crown that everybody is here about. Each kind has its figures cut
            into the card: power, guard, weight, or what else it is good at. They are what you carry into the game.
          </Thing>
        </div>
        <div className="relative aspect-[5/4] max-lg:order-first lg:-mr-24">
          <Cutout src={shield} className="absolute left-[34%] top-[2%] w-[64%]" />
          <Cutout src={sword} className="absolute -left-[4%] -top-[6%] w-[72%]" />
          <Cutout src={helm} className="absolute bottom-[-4%] left-[4%] w-[40%]" />
          <Cutout src={crown} className="absolute bottom-[-10%] left-[44%] w-[36%]" />
        </div>
      </div>
    </section>
  );
}

function ToBeKnownBy() {
  return (
    <section className="pt-28 lg:pt-44">
      <h2 className={cn(frame, heading, "lg:pl-[25%]")}>To be known by</h2>
      {/* Faces overlap like the kings on a coin. */}
      <div className="mt-6 flex justify-center *:-mx-[4.4%] *:w-[36%] *:max-w-[36rem]">
        <Cutout src={laurel} className="-ml-[10%]!" />
        <Cutout src={crest} />
        <Cutout src={diadem} />
        <Cutout src={season} className="-mr-[10%]!" />
      </div>
      <div className={cn(frame, "mt-2 grid gap-10 sm:grid-cols-2 lg:grid-cols-[1fr_1fr_1.2fr] lg:gap-8")}>
        <Thing name="KOD Avatars" count="One of each face" to={forSale("avatars")}>
          People who live under the star chart, each with a name, a home and something they are known for. The face is drawn from the number
          and nobody else has it.
        </Thing>
        <Thing name="Season Avatars" count="One each, bound to its wallet" className="lg:mt-16">
          For everyone who takes part in a season, with the laurel to show for it. It cannot be sold, given or bought. You have to be there,
          and claim it in your inventory.
        </Thing>
      </div>
    </section>
  );
}

function ToKeep() {
  return (
    <section className={cn(frame, "pt-28 lg:pt-32")}>
      <div className="grid grid-cols-1 gap-x-10 gap-y-16 md:grid-cols-[1.65fr_1fr]">
        <div>
          <Cutout src={god} className="w-full [mask-image:linear-gradient(#000_78%,transparent_98%)] md:-ml-16" />
          <div className="relative -mt-16 lg:-mt-28">
            <h2 className={heading}>To keep</h2>
            <Thing className="mt-8" name="The Elder Gods" count="12 gods, 10 numbered castings of each" to={pages.elderGods}>
              Generation zero. Each god was cast in ten metals, and the first of them is mythic. Once a season each opens a vault. In
              between they keep you company.
            </Thing>
          </div>
        </div>
        <div className="md:pt-72">
          <Cutout src={hero} className="w-full max-md:mx-auto max-md:max-w-80" />
          <Thing className="mt-4" name="Immortals" count="One of each hero">
            Heroes whose names were on the chart before they were born. Each has a calling, a post to hold and a constellation. They will be
            wanted on the long wall; for now they stand in your inventory, looking ready.
          </Thing>
        </div>
      </div>
    </section>
  );
}

function ToOpenDoors() {
  return (
    <section className={cn(frame, "pt-28 lg:pt-40")}>
      <div className="grid grid-cols-1 items-center gap-x-16 gap-y-6 border-y border-line lg:grid-cols-[1fr_1fr]">
        <div className="flex items-end max-lg:-mx-4">
          <Cutout src={bronzeTablet} className="-mr-[12%] w-[56%] pt-10" />
          <Cutout src={goldTablet} className="w-[58%]" />
        </div>
        <div className="pb-14 lg:py-16">
          <h2 className={heading}>To open doors</h2>
          <div className="mt-8 grid gap-8 sm:grid-cols-2">
            <Thing name="Community pass" count="Numbered, all equal">
              A seat in the agora. You are asked first about what comes next, as questions come up.
            </Thing>
            <Thing name="Ultimate pass" count="Numbered, all equal">
              A key to every door that asks for a pass. None is open yet; the first one will be named here.
            </Thing>
          </div>
          <p className="mt-6">
            <TextLink to={pages.infiniPass}>The two, side by side</TextLink>
          </p>
        </div>
      </div>
    </section>
  );
}

/** What is broken or opened: the largest kind big, lowered so that it stands on the line; the others small. */
const sealed = [
  {
    name: "KOD Packs",
    src: packGod,
    others: [packGeneral, packAvatar],
    stands: "translate-y-[10%]",
    count: "3 kinds",
    to: forSale("chests"),
    text:
      "General, Avatar and God. Sealed, with one thing inside. Before the first is opened its odds will be published, " +
      "and each draw will leave a receipt.",
  },
  {
    name: "Piggy Banks",
    src: pigGold,
    others: [pigClay, pigBronze, pigObsidian],
    stands: "translate-y-[16%]",
    count: "4 kinds, 2 of them VIP",
    to: forSale("piggy-banks"),
    text: "Full of Fate, which is a currency and not a threat. Two of a kind hold the same, so shaking them tells you nothing.",
  },
  {
    name: "Arks",
    src: arkSun,
    others: [arkCedar, arkBronze, arkStorm],
    stands: "translate-y-[9%]",
    count: "4 kinds",
    to: paths.shipwright,
    text: "Ships with followers aboard and tokens in the hold. The Shipwright takes them apart, by a posted tariff.",
  },
  {
    name: "Power Packs",
    src: tempest,
    others: [spark, surge],
    stands: "translate-y-[8.5%]",
    count: "3 kinds",
    to: paths.powerPacks,
    text: "Stored lightning, in clay or bronze. InfiniGold and nectar come out, as much as the posted tariff says.",
  },
];

function ToBreak() {
  return (
    <section className={cn(frame, "pt-28 lg:pt-40")}>
      <h2 className={cn(heading, "max-w-[3.54em]")}>To break, when you are sure</h2>
      <p className="mt-6 max-w-[26rem] text-lg">
        What is broken is gone, and what was inside is yours. Until then all four keep well, and the first two are for sale on the market.
      </p>
      <ul className="mt-10 grid grid-cols-2 gap-x-4 gap-y-14 lg:grid-cols-4 lg:gap-x-8">
        {sealed.map((thing) => (
          <li key={thing.name}>
            <Cutout src={thing.src} className={cn("-ml-[8%] w-[116%] max-w-none", thing.stands)} />
            <div className="border-t border-bronze-dim pt-5">
              <Thing name={thing.name} count={thing.count} to={thing.to}>
                {thing.text}
              </Thing>
              <div className="-ml-2 mt-4 flex *:w-1/3 *:max-w-24">
                {thing.others.map((src) => (
                  <Cutout key={src} src={src} />
                ))}
              </div>
            </div>
          </li>
        ))}
      </ul>
      <div className="mt-24 flex flex-col gap-8 sm:flex-row sm:items-center lg:ml-[50%]">
        <Cutout src={pigMended} className="w-48 shrink-0" />
        <Thing name="Keepsake Piggy Banks" count="2 kinds, bound to their wallet">
          What may remain for the one who broke it: a pig mended with gold along every crack. It is empty and does not mind.
        </Thing>
      </div>
    </section>
  );
}

function Register() {
  return (
    <section className={cn(frame, "pt-28 lg:pt-40")}>
      <h2 id="register" className="display text-4xl sm:text-5xl">
        The twelve at a glance
      </h2>
      <ScrollArea aria-labelledby="register" className="mt-6">
        <table aria-labelledby="register" className="w-full min-w-[40rem] border-collapse text-left">
          <thead>
            <tr className="border-b border-bronze-dim">
              {["Collection", "Standard", "Where it lives", "On our market"].map((column) => (
                <th key={column} scope="col" className="caption py-3 pr-6 text-bronze">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {collections.map(({ title, standard, chain, soulbound, tradable }) => (
              <tr key={title} className="border-b border-line text-bone-muted">
                <th scope="row" className="display py-3.5 pr-6 text-2xl font-normal text-bone">
                  {title}
                </th>
                <td className="py-3.5 pr-6">{standard}</td>
                <td className="py-3.5 pr-6">{chain === "game" ? "Game chain" : "Main chain"}</td>
                <td className={cn("py-3.5 pr-6", tradable && "text-bone")}>
                  {tradable ? "Yes" : soulbound ? "No, bound to the wallet" : "No"}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </section>
  );
}

/** The collections by their use, and all of them again in a table. */
export default function Rooms() {
  return (
    <div className="overflow-x-clip">
      <ToCarry />
      <ToBeKnownBy />
      <ToKeep />
      <ToOpenDoors />
      <ToBreak />
      <Register />
    </div>
  );
}
