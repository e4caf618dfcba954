import { Link } from "react-router";
import { brand } from "#brand";
import { featured } from "#brand/featured";
import { home as scene } from "#brand/pictures";
import { pageMeta } from "~/components/site/page-meta";
import { ButtonLink } from "~/components/ui/button";
import { ExternalLink } from "~/components/ui/link";
import { JoinLink } from "~/features/session/components/join-link";
import { cn } from "~/lib/cn";
import { deferred } from "~/lib/deferred";
import { paths } from "~/lib/paths";
import { holdTime } from "~/lib/rules";

export const meta = () => pageMeta(brand.name, brand.description);

/** Both are loaded lazily: their prerendered form is already visible, and the listings are fetched only then. */
const Cheapest = deferred(
  async () => ({ default: (await import("~/features/market/components/cheapest")).Cheapest }),
  <div className="h-32 lg:h-40" />,
);
const Teaser = deferred(async () => ({ default: (await import("~/features/market/components/teaser")).Teaser }));

const steps = [
  {
    title: "Create a free account",
    text: "You need a name, an e-mail address and a password. A wallet is made for you; there is no phrase to write down.",
  },
  {
    title: "Add to your cart",
    text: `What you add is reserved for you for ${holdTime}. Everyone else sees that it is taken, and for how long.`,
  },
  { title: "Pay in one tap", text: "We pay the gas. If anything in your cart has changed since, you see it before you pay." },
  {
    title: "Keep it or sell it",
    text: "The item moves to your wallet on a public chain. Anyone can check whose it is, and you can sell it on.",
  },
];

const narrow =
  "max-lg:bg-[linear-gradient(0deg,var(--color-night)_50%,color-mix(in_oklab,var(--color-night)_70%,transparent)_74%,transparent_94%)]";

function Hero() {
  return (
    <section className="relative isolate overflow-hidden border-b border-line">
      <img
        src={scene}
        alt=""
        width={1600}
        height={900}
        className="absolute inset-y-0 right-0 -z-10 h-full w-full object-cover object-[72%_50%] opacity-90 max-lg:h-[62%] lg:w-[78%]"
      />
      <div className={cn("absolute inset-0 -z-10 bg-[linear-gradient(90deg,var(--color-night)_22%,transparent_62%)]", narrow)} />
      <div className="scale-y absolute inset-y-0 left-0 hidden w-2.5 sm:block" />
      {/* On a phone the picture gets the height that the words leave of the first screen. */}
      <div
        className={
          "mx-auto flex max-w-[100rem] flex-col justify-end px-4 pb-8 pt-[clamp(1.5rem,100svh-41rem,30svh)] sm:px-8 " +
          "lg:min-h-[min(92svh,60rem)] lg:pb-16 lg:pt-16"
        }
      >
        <p className="caption text-bone lg:text-bronze">{featured.caption}</p>
        <h1 className="display mt-3 max-w-[5.6em] text-[clamp(3.5rem,6.6vw,6.5rem)]">{featured.heading}</h1>
        <p className="mt-4 max-w-[34rem] sm:text-lg lg:mt-6">
          {featured.lead} Your account is free. You need no wallet software and pay no network fees.
        </p>
        <p className="mt-5 flex flex-wrap gap-3 lg:mt-8 lg:gap-4">
          <ButtonLink to={paths.market}>Enter the market</ButtonLink>
          <JoinLink>Create a free account</JoinLink>
        </p>
        <div className="mt-5 lg:mt-8">
          <Cheapest picture={featured.collections[0]?.picture ?? scene} />
        </div>
      </div>
    </section>
  );
}

function Games() {
  return (
    <section className="mx-auto max-w-[100rem] px-4 pt-24 sm:px-8 lg:pt-36">
      <h2 className="display max-w-[4.96em] text-5xl lg:ml-[25%]">{featured.gamesHeading}</h2>
      <ul
        className={cn(
          "mt-12 grid grid-cols-1 gap-px border border-line bg-line",
          featured.games.length > 1 && "lg:grid-cols-[1.65fr_1fr]",
          featured.games.length > 2 && "lg:grid-rows-2",
        )}
      >
        {featured.games.map((game, index) => (
          <Game key={game.to} card={game} {...(index === 0 ? large : small)} />
        ))}
      </ul>
    </section>
  );
}

type Card = (typeof featured)["games" | "collections"][number];

/** How a game's cell spans the grid, and the position and size of its emblem. */
interface Place {
  className: string;
  picture: string;
}

const large: Place = { className: "max-lg:min-h-[26rem] lg:row-span-2", picture: "right-[5%] top-[4%] w-[72%] sm:w-[52%] lg:w-[66%]" };
const small: Place = { className: "lg:min-h-96", picture: "right-[5%] top-[5%] w-[54%] sm:w-[36%] lg:w-[46%]" };

function Game({ card, className, picture }: Place & { card: Card }) {
  return (
    <li className={`group relative isolate min-h-80 overflow-hidden bg-night ${className}`}>
      <img
        src={card.picture}
        alt=""
        width={640}
        height={640}
        loading="lazy"
        className={`absolute -z-10 max-w-none transition-transform duration-300 group-hover:-translate-y-1 ${picture}`}
      />
      <div className="absolute inset-0 -z-10 bg-[linear-gradient(0deg,var(--color-night)_14%,transparent_48%)]" />
      <div className="flex h-full flex-col justify-end gap-2 p-6 lg:p-9">
        <h3 className="display text-4xl">
          <Link to={card.to} className="after:absolute after:inset-0 group-hover:text-ember-bright">
            {card.title}
          </Link>
        </h3>
        <p className="max-w-[20rem] text-bone-muted">{card.text}</p>
      </div>
    </li>
  );
}

function Collections() {
  return (
    <section className="mx-auto grid grid-cols-1 max-w-[100rem] gap-10 px-4 pt-24 sm:px-8 lg:grid-cols-[1fr_3fr] lg:pt-36">
      <div>
        <h2 className="display text-5xl">What people keep</h2>
        <p className="mt-4 max-w-xs text-bone-muted">{featured.collectionsText}</p>
      </div>
      <ul className="grid gap-8 sm:grid-cols-3 lg:[&>li:nth-child(2)]:mt-16 lg:[&>li:nth-child(3)]:mt-32">
        {featured.collections.map((card) => (
          <li key={card.to}>
            <Collection card={card} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Collection({ card }: { card: Card }) {
  const className = "group relative block border-t border-bronze-dim pt-4";
  const content = (
    <>
      <img
        src={card.picture}
        alt=""
        width={600}
        height={800}
        loading="lazy"
        className="aspect-[600/640] w-full rounded object-cover object-top transition-transform duration-300 group-hover:-translate-y-1"
      />
      <span className="display mt-4 block text-3xl group-hover:text-ember-bright">{card.title}</span>
      <span className="text-bone-muted">{card.text}</span>
    </>
  );
  if (!card.to.startsWith("https:")) {
    return (
      <Link to={card.to} className={className}>
        {content}
      </Link>
    );
  }
  return (
    <ExternalLink href={card.to} className={className}>
      {content}
    </ExternalLink>
  );
}

function Steps() {
  return (
    <section className="mx-auto max-w-[100rem] px-4 pt-24 sm:px-8 lg:pt-36">
      <h2 className="display text-5xl">How it works</h2>
      <ol className="relative mt-10 grid gap-10 lg:mt-28 lg:grid-cols-4 lg:gap-8">
        <svg
          viewBox="0 0 1200 200"
          preserveAspectRatio="none"
          aria-hidden="true"
          className="absolute -top-20 left-0 hidden h-40 w-full lg:block"
        >
          <path
            d="M8 176 308 120 608 140 908 40 1196 6"
            fill="none"
            stroke="var(--color-bronze)"
            strokeDasharray="2 6"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
        {steps.map((step, index) => (
          <li key={step.title} className={`relative max-w-xs ${["lg:mt-16", "lg:mt-5", "lg:mt-9", "lg:-mt-11"][index]}`}>
            <span className="grid size-4 rotate-45 place-items-center border border-bronze bg-night">
              <span className="size-1.5 bg-bronze" />
            </span>
            <h3 className="display mt-5 text-3xl">{step.title}</h3>
            <p className="mt-2 text-bone-muted">{step.text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The home page: what this is, what is for sale now, the games, the collections, and how it works. */
export default function Home() {
  return (
    <>
      <Hero />
      <Teaser />
      {featured.games.length > 0 && <Games />}
      {featured.collections.length > 0 && <Collections />}
      <Steps />
    </>
  );
}
