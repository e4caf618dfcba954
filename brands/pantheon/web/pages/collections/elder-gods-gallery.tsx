import type { ReactNode } from "react";
import { type God, gods } from "#brand/content/collections/gods";
import { ButtonLink } from "~/components/ui/button";
import { RarityBadge } from "~/components/ui/rarity";
import { cn } from "~/lib/cn";
import { paths } from "~/lib/paths";
import dawn from "~art/bust-dawn.svg";
import fate from "~art/bust-fate.svg";
import fire from "~art/bust-fire.svg";
import labyrinth from "~art/bust-labyrinth.svg";
import moon from "~art/bust-moon.svg";
import prophecy from "~art/bust-prophecy.svg";
import sea from "~art/bust-sea.svg";
import sky from "~art/bust-sky.svg";
import thunder from "~art/bust-thunder.svg";
import underworld from "~art/bust-underworld.svg";
import war from "~art/bust-war.svg";
import wilds from "~art/bust-wilds.svg";
import casting1 from "~art/god-thunder.svg";
import casting2 from "~art/god-thunder-2.svg";
import casting3 from "~art/god-thunder-3.svg";
import casting4 from "~art/god-thunder-4.svg";
import casting5 from "~art/god-thunder-5.svg";
import casting6 from "~art/god-thunder-6.svg";
import casting7 from "~art/god-thunder-7.svg";
import casting8 from "~art/god-thunder-8.svg";
import casting9 from "~art/god-thunder-9.svg";
import casting10 from "~art/god-thunder-10.svg";
import { seals } from "./seals";

const busts: Record<string, string> = {
  helikara: dawn,
  keraunax: thunder,
  thalvyra: sea,
  dendrokos: wilds,
  nyssaria: fate,
  pyrrhamon: fire,
  selmene: moon,
  tavrekhon: labyrinth,
  ophelyx: prophecy,
  chalkanor: war,
  zephyrine: sky,
  morvaion: underworld,
};

const castings = [casting1, casting2, casting3, casting4, casting5, casting6, casting7, casting8, casting9, casting10];

/** Ten castings of twelve gods: every twelfth token belongs to the same god. */
const tokensOf = (number: number) => `${number}, ${number + 12}, ${number + 24} … ${number + 108}`;

function named(slug: string): { god: God; number: number } {
  const number = gods.findIndex((god) => god.slug === slug) + 1;
  const god = gods[number - 1];
  if (!god) throw new Error(`There is no god ${slug}.`);
  return { god, number };
}

interface PortraitProps {
  slug: string;
  /** Which side the picture is on, beside the text instead of above it, with everything larger. */
  large?: "left" | "right";
  className?: string;
  picture?: string;
}

/** One god: the face, then a description. */
function Portrait({ slug, large, className, picture }: PortraitProps) {
  const { god, number } = named(slug);
  return (
    <article
      id={slug}
      className={cn(
        "scroll-mt-20",
        large && "grid grid-cols-1 gap-x-12 lg:items-end",
        large === "left" && "lg:grid-cols-[1.35fr_1fr]",
        large === "right" && "lg:grid-cols-[1fr_1.35fr]",
        className,
      )}
    >
      <img
        src={busts[slug]}
        alt=""
        width={680}
        height={740}
        loading="lazy"
        decoding="async"
        className={cn("w-full [mask-image:linear-gradient(#000_76%,transparent_97%)]", large === "right" && "lg:order-last", picture)}
      />
      <div className={cn("relative", large ? "-mt-14 lg:mt-0 lg:pb-16" : "-mt-12")}>
        <p className="caption text-bronze">{god.domain}</p>
        <h3 className={cn("display mt-2", large ? "text-[clamp(3.8125rem,7vw,6.5rem)]" : "text-5xl")}>{god.name}</h3>
        <p className="mt-2 text-bone-muted">{god.title[0]?.toUpperCase() + god.title.slice(1)}</p>
        <p className={cn("mt-5", large ? "max-w-[30rem] text-lg" : "max-w-[26rem]")}>
          {god.text} {god.manners}
        </p>
        <dl className="figures mt-5 grid max-w-[26rem] grid-cols-[auto_1fr] gap-x-6 gap-y-1 border-t border-line pt-4 text-sm">
          <dt className="text-bronze">First cast in</dt>
          <dd>{god.metal}</dd>
          <dt className="text-bronze">Tokens</dt>
          <dd>{tokensOf(number)}</dd>
        </dl>
        <p className="mt-5">
          <ButtonLink to={`${paths.market}?collection=elder-gods&q=${god.name}`} kind="quiet" size="small">
            Castings of {god.name} <span className="sr-only">on the market</span>
          </ButtonLink>
        </p>
      </div>
    </article>
  );
}

function House({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mx-auto max-w-[100rem] overflow-x-clip px-4 pt-24 sm:px-8 lg:pt-36">
      <div className="flex items-center gap-6">
        <h2 className="caption text-bronze">{title}</h2>
        <span className="scale-x h-2.5 flex-1 opacity-60" />
      </div>
      {children}
    </section>
  );
}

/** Links to each of the twelve. */
function Seals() {
  return (
    <nav aria-label="The twelve" className="mx-auto max-w-[100rem] px-4 pt-12 sm:px-8">
      <ul className="grid grid-cols-4 gap-x-3 gap-y-6 sm:grid-cols-6 xl:grid-cols-12">
        {gods.map((god) => (
          <li key={god.slug}>
            <a href={`#${god.slug}`} className="group block text-center">
              <img
                src={seals[god.slug]}
                alt=""
                width={240}
                height={240}
                loading="lazy"
                decoding="async"
                className="mx-auto w-full max-w-24 transition-transform duration-300 group-hover:-translate-y-1"
              />
              <span className="display mt-2 block text-lg group-hover:text-ember-bright">{god.name}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const groups = [
  { rarity: "mythic", of: "1st casting", metals: "In his own iron." },
  { rarity: "legendary", of: "2nd to 4th casting", metals: "Gold, silver, ivory." },
  { rarity: "epic", of: "5th to 10th casting", metals: "Bronze, verdigris, marble, terracotta, obsidian, wood." },
] as const;

function Castings() {
  return (
    <section className="mx-auto max-w-[100rem] px-4 pt-24 sm:px-8 lg:pt-40">
      <h2 className="display text-5xl lg:ml-[25%] lg:text-[clamp(3.8125rem,7vw,6.5rem)] lg:leading-[0.94]">One mould, ten metals</h2>
      <ul className="mt-12 grid grid-cols-6 gap-1.5 lg:grid-cols-9 lg:grid-rows-[2fr_1fr] lg:gap-2">
        {castings.map((src, index) => (
          <li
            key={src}
            className={cn(
              index === 0 && "col-span-6 max-lg:aspect-square lg:col-span-3 lg:row-span-2",
              index > 0 && index < 4 && "col-span-2",
              index >= 4 && "col-span-2 sm:col-span-1",
            )}
          >
            <img
              src={src}
              alt={index === 0 ? "Keraunax with an anvil for a crown, cast ten times, each time in another metal" : ""}
              width={600}
              height={800}
              loading="lazy"
              decoding="async"
              className={cn("h-full w-full rounded-sm object-cover", index === 0 && "object-top")}
            />
          </li>
        ))}
      </ul>
      <ul className="mt-6 grid gap-x-2 gap-y-6 sm:grid-cols-3 lg:grid-cols-[3fr_2fr_4fr]">
        {groups.map((group) => (
          <li key={group.rarity} className="border-t border-line pt-4 pr-6">
            <RarityBadge rarity={group.rarity} />
            <p className="display mt-1 text-2xl">{group.of}</p>
            <p className="text-bone-muted">{group.metals}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** All twelve in three houses of four, and one of them in all ten metals. */
export default function Gallery() {
  return (
    <>
      <Seals />
      <House title="The four overhead">
        <Portrait slug="helikara" large="left" picture="lg:-ml-32 lg:w-[calc(100%+8rem)] lg:max-w-none" />
        <div className="mt-16 grid gap-x-8 gap-y-16 md:grid-cols-3 lg:mt-6">
          <Portrait slug="keraunax" />
          <Portrait slug="zephyrine" className="md:mt-16" />
          <Portrait slug="selmene" className="md:mt-32" />
        </div>
      </House>
      <House title="The four within reach">
        <Portrait slug="thalvyra" large="right" picture="lg:-mr-32 lg:w-[calc(100%+8rem)] lg:max-w-none" />
        <div className="mt-16 grid gap-x-8 gap-y-16 md:grid-cols-3 lg:mt-10">
          <Portrait slug="dendrokos" className="md:mt-32" />
          <Portrait slug="pyrrhamon" className="md:mt-16" />
          <Portrait slug="chalkanor" />
        </div>
      </House>
      <House title="The four you meet in the end">
        <div className="mt-10 grid gap-x-16 gap-y-20 md:grid-cols-2 lg:gap-x-24">
          <Portrait slug="nyssaria" picture="lg:w-[86%]" />
          <Portrait slug="ophelyx" className="md:mt-40" picture="lg:w-[86%]" />
          <Portrait slug="tavrekhon" className="md:-mt-16" picture="lg:w-[86%]" />
          <Portrait slug="morvaion" className="md:mt-24" picture="lg:w-[86%]" />
        </div>
      </House>
      <Castings />
    </>
  );
}
