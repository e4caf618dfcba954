import type { ReactNode } from "react";
import Text from "#brand/content/games/olympus-journey.mdx";
import { pages } from "#brand/pages";
import { OpenState } from "~/components/site/open-state";
import { Prose } from "~/components/site/prose";
import { TextLink } from "~/components/ui/link";
import { cn } from "~/lib/cn";
import { paths } from "~/lib/paths";
import { holdTime } from "~/lib/rules";

interface Station {
  place: string;
  what: string;
  asked: ReactNode;
  given: ReactNode;
  open: boolean;
}

/** The stations of the road, three to a strip. */
const strips: Station[][] = [
  [
    {
      place: "Old Harbour",
      what: "Take a name",
      asked: "An e-mail address, a name of 3 to 20 characters, a password.",
      given: (
        <>
          <TextLink to={paths.register()}>An account</TextLink>. The harbour master writes it down and does not look up.
        </>
      ),
      open: true,
    },
    {
      place: "The Salt Gate",
      what: "Get a wallet",
      asked: "Some seconds of patience. No phrase to write down.",
      given: (
        <>
          <TextLink to={paths.createWallet}>A smart wallet</TextLink> of your own. The gas is on the house.
        </>
      ),
      open: true,
    },
    {
      place: "The Lantern Quarter",
      what: "Put a hand on it",
      asked: (
        <>
          That you choose one thing among many on <TextLink to={paths.market}>the market</TextLink>.
        </>
      ),
      given: `Nobody else can have it here for ${holdTime}.`,
      open: true,
    },
  ],
  [
    {
      place: "Kethra",
      what: "Pay and own",
      asked: "The price, in USDC. If it has changed, you are shown before you pay.",
      given: "The thing itself, in your wallet, on a chain where anybody can check.",
      open: true,
    },
    {
      place: "The Kiln Yard",
      what: "Break a pig",
      asked: "One piggy bank, for good.",
      given: "The Fate that was in it, counted out, and a floor full of clay.",
      open: false,
    },
    {
      place: "The Quiet Bay",
      what: "Take a ship apart",
      asked: "One ark.",
      given: (
        <>
          Its followers and tokens, from <TextLink to={paths.shipwright}>the Shipwright</TextLink>, who is sorry about the ship.
        </>
      ),
      open: false,
    },
  ],
  [
    {
      place: "The Olive Steps",
      what: "Make two into one",
      asked: "Two of a kind and an afternoon.",
      given: (
        <>
          One of the next. <TextLink to={pages.infiniMerge}>A tray to practise on</TextLink> stands there already.
        </>
      ),
      open: false,
    },
    {
      place: "The Long Wall",
      what: "Stay up for a night",
      asked: "Heroes, and where each shall stand.",
      given: (
        <>
          Morning, as a rule. <TextLink to={paths.immortalSiege}>The watches</TextLink> are known.
        </>
      ),
      open: false,
    },
    {
      place: "The Ninth Terrace",
      what: "Arrive",
      asked: "Every step, one at a time.",
      given: (
        <>
          Your name on <TextLink to={pages.mountOlympusLeaderboard}>the ladder of the mountain</TextLink>, and a room with a view.
        </>
      ),
      open: false,
    },
  ],
];

/** The strips with their stations, and the story of the road. */
export default function Below() {
  return (
    <>
      <div className="mx-auto grid max-w-[100rem] grid-cols-1 gap-x-8 px-4 pt-16 sm:px-8 lg:grid-cols-3 lg:pt-24">
        {strips.map((stations, i) => (
          <Strip key={stations[0]?.place} stations={stations} first={i * 3 + 1} last={i === strips.length - 1} />
        ))}
      </div>
      <div className="mx-auto max-w-[100rem] px-4 pt-24 sm:px-8 lg:pt-32">
        <Prose className="lg:ml-[34%]">
          <Text />
        </Prose>
      </div>
    </>
  );
}

/** One strip of the road book: a part of the road with its stations. */
function Strip({ stations, first, last }: { stations: Station[]; first: number; last: boolean }) {
  return (
    <ol start={first} className="relative flex flex-col border-line bg-night-1 max-lg:border-x lg:border lg:[&>li]:grow">
      {stations.map((station, i) => (
        <li
          key={station.place}
          className="relative grid grid-cols-[4.5rem_1fr] pb-10 pt-8 sm:grid-cols-[7rem_1fr] lg:grid-cols-[5.5rem_1fr]"
        >
          <Road bend={(first + i) % 2 === 0} end={last && i === stations.length - 1} />
          <span aria-hidden="true" className="relative z-10 row-span-2 grid justify-items-center">
            <span
              className={cn(
                "display figures grid size-11 place-items-center rounded-t-full border pt-1 text-2xl",
                station.open ? "border-good bg-night text-bone" : "border-bronze-dim bg-night text-bone-muted",
              )}
            >
              {first + i}
            </span>
          </span>
          <div className="pr-5">
            <h2 className="display text-3xl">{station.place}</h2>
            <p className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1">
              <span className="text-bone-muted">{station.what}</span>
              <OpenState open={station.open} />
            </p>
            <dl className="mt-4 grid gap-3">
              <div>
                <dt className="caption text-bronze">Asked</dt>
                <dd>{station.asked}</dd>
              </div>
              <div>
                <dt className="caption text-bronze">Given</dt>
                <dd>{station.given}</dd>
              </div>
            </dl>
          </div>
        </li>
      ))}
    </ol>
  );
}

/** The road beside a station: it winds, and continues to the next unless it ends there. */
function Road({ bend, end }: { bend: boolean; end: boolean }) {
  const way = end ? "M50 0V100" : bend ? "M50 0C20 25 20 40 50 50S80 75 50 100" : "M50 0C80 25 80 40 50 50S20 75 50 100";
  return (
    <svg
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      aria-hidden="true"
      className={cn("absolute left-0 top-0 w-[4.5rem] sm:w-[7rem] lg:w-[5.5rem]", end ? "h-14" : "h-full")}
    >
      <path d={way} fill="none" stroke="var(--color-night-3)" strokeWidth="14" vectorEffect="non-scaling-stroke" />
      <path d={way} fill="none" stroke="var(--color-bronze)" strokeWidth="2" strokeDasharray="3 9" vectorEffect="non-scaling-stroke" />
    </svg>
  );
}
