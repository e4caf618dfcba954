import { Link } from "react-router";
import { page } from "#brand/content/games/games.mdx";
import { pages } from "#brand/pages";
import { Lamplight } from "~/components/site/lamplight";
import { OpenState } from "~/components/site/open-state";
import { pageMeta } from "~/components/site/page-meta";
import { cn } from "~/lib/cn";
import { deferred } from "~/lib/deferred";
import { paths } from "~/lib/paths";
import doors from "~art/scene-doors.svg";

/** The content below is loaded lazily: its prerendered form is already readable. */
const House = deferred(() => import("./overview-house"));

export const meta = () => pageMeta(page.title, page.description);

interface Door {
  to: string;
  name: string;
  line: string;
  text: string;
  open: string;
  later: string;
}

/** The three games, in the order of their doors in the picture. */
const games: Door[] = [
  {
    to: pages.kingOfDestiny,
    name: "King of Destiny",
    line: "A contest for one chair",
    text: "One seat, one crown and one question. You come with a blade and leave with an answer, or the other way round.",
    open: "Its arms, armour and relics on the market",
    later: "The hall, the fights, the ladder",
  },
  {
    to: pages.infiniMerge,
    name: "InfiniMerge",
    line: "A game of pebbles",
    text: "Two of a kind become one of the next kind. No luck, little room, and always a next one.",
    open: "A tray to try the rule on",
    later: "The first season and its ladder of pieces",
  },
  {
    to: paths.immortalSiege,
    name: "Immortal Siege",
    line: "A night on a wall",
    text: "You choose before dark who stands where. Then nine watches come, and one of them is nothing at all.",
    open: "Immortals in your inventory",
    later: "The wall",
  },
];

/** The three games side by side: what each is, and which part of it is open. */
export default function Games() {
  return (
    <>
      <header className="relative">
        <div className="scale-y absolute inset-y-0 left-0 hidden w-2.5 sm:block" />
        <div
          className={
            "mx-auto grid max-w-[100rem] grid-cols-1 gap-x-16 gap-y-6 px-4 pb-10 pt-10 sm:px-8 lg:grid-cols-[1.65fr_1fr] " +
            "lg:items-end lg:pb-14 lg:pt-16"
          }
        >
          <div>
            <p className="caption mb-4 text-bronze">Three doors, one house</p>
            <h1 className="display text-hero max-w-[4.25em]">{page.heading}</h1>
          </div>
          <p className="max-w-[30rem] text-lg lg:pb-2">{page.lead}</p>
        </div>
      </header>
      <ul className="grid grid-cols-1 border-y border-line lg:grid-cols-3">
        {games.map((game, i) => (
          <Game key={game.to} game={game} place={i} />
        ))}
      </ul>
      <House />
    </>
  );
}

/** One door of the picture with its game below. Each door shows its third of the same picture. */
function Game({ game, place }: { game: Door; place: number }) {
  return (
    <li className="group relative flex flex-col sm:max-lg:grid sm:max-lg:grid-cols-[1fr_1.25fr] sm:max-lg:border-b sm:max-lg:border-line">
      <div className="relative aspect-[600/820] overflow-hidden max-sm:max-h-[34rem] max-sm:w-full">
        <div className={`absolute top-0 aspect-[1800/820] w-[300%] ${["left-0", "-left-full", "left-[-200%]"][place]}`}>
          <img src={doors} alt="" width={1800} height={820} fetchPriority={place === 0 ? "high" : "auto"} className="h-full w-full" />
          {place === 0 && <Lamplight className="left-[16.7%] top-[53%] w-[16%] text-[#ffb27a]" />}
        </div>
        <div className="absolute inset-x-0 bottom-0 h-1/4 bg-linear-to-t from-night" />
      </div>
      <div className={cn("flex grow flex-col px-4 pb-12 pt-2 sm:px-8 sm:max-lg:self-center", place > 0 && "lg:border-l lg:border-line")}>
        <p className="caption text-bronze">{game.line}</p>
        <h2 className="display mt-2 text-5xl">
          <Link to={game.to} className="after:absolute after:inset-0 group-hover:text-ember-bright">
            {game.name}
          </Link>
        </h2>
        <p className="mt-4 max-w-[26rem] text-lg">{game.text}</p>
        <dl className="mt-7 grid max-w-[26rem] gap-4 border-t border-line pt-5">
          <div>
            <dt>
              <OpenState open />
            </dt>
            <dd className="mt-1">{game.open}</dd>
          </div>
          <div>
            <dt>
              <OpenState open={false} />
            </dt>
            <dd className="mt-1 text-bone-muted">{game.later}</dd>
          </div>
        </dl>
      </div>
    </li>
  );
}
