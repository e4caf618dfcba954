import { Link } from "react-router";
import { Lamplight } from "~/components/site/lamplight";
import { Opening } from "~/components/site/opening";
import { pageMeta } from "~/components/site/page-meta";
import { Prose } from "~/components/site/prose";
import Text, { page } from "~/content/games/games.mdx";
import { paths } from "~/lib/paths";
import doors from "~art/scene-doors.svg";

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
    to: paths.kingOfDestiny,
    name: "King of Destiny",
    line: "A contest for one chair",
    text: "One seat, one crown and one question. You come with a blade and leave with an answer, or the other way round.",
    open: "Its arms, armour and relics on the market",
    later: "The hall, the fights, the ladder",
  },
  {
    to: paths.infiniMerge,
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

/** The three games side by side: what each is, and what of it is open. */
export default function Games() {
  return (
    <>
      <header className="relative">
        <div className="scale-y absolute inset-y-0 left-0 hidden w-2.5 sm:block" />
        <div className="mx-auto grid max-w-[100rem] grid-cols-1 gap-x-16 gap-y-6 px-4 pb-10 pt-10 sm:px-8 lg:grid-cols-[1.65fr_1fr] lg:items-end lg:pb-14 lg:pt-16">
          <h1 className="display text-hero max-w-[9ch]">{page.heading}</h1>
          <p className="max-w-[30rem] text-lg lg:pb-2">{page.lead}</p>
        </div>
      </header>
      <ul className="grid grid-cols-1 border-y border-line lg:grid-cols-3">
        {games.map((game, i) => (
          <Game key={game.to} game={game} place={i} />
        ))}
      </ul>
      <div className="mx-auto grid max-w-[100rem] grid-cols-1 gap-x-16 gap-y-16 px-4 pt-24 sm:px-8 lg:grid-cols-[1.65fr_1fr] lg:pt-36">
        <Prose>
          <Text />
        </Prose>
        <div className="lg:sticky lg:top-28 lg:self-start">
          <h2 className="caption text-bronze">Round the back</h2>
          <ul className="mt-4 border-b border-bronze-dim">
            <Also to={paths.mountOlympus} name="Mount Olympus" text="Nine terraces and a ladder" />
            <Also to={paths.olympusJourney} name="Olympus Journey" text="The road there, in nine stations" />
            <Also to={paths.universe} name="The universe" text="The chart that all of it lies on" />
            <Also to={paths.leaderboard} name="Leaderboard" text="Who sits, and who is next" />
          </ul>
        </div>
      </div>
    </>
  );
}

/** One door of the picture with its game below. The picture is one; each door shows its third of it. */
function Game({ game, place }: { game: Door; place: number }) {
  return (
    <li className="group relative flex flex-col">
      <div className="relative aspect-[600/820] overflow-hidden max-lg:max-h-[34rem] max-lg:w-full">
        <div className="absolute top-0 aspect-[1800/820] w-[300%]" style={{ left: `${-100 * place}%` }}>
          <img src={doors} alt="" width={1800} height={820} fetchPriority={place === 0 ? "high" : "auto"} className="h-full w-full" />
          {place === 0 && <Lamplight x={16.7} y={53} reach={8} colour="#ffb27a" />}
        </div>
        <div className="absolute inset-x-0 bottom-0 h-1/4 bg-linear-to-t from-night" />
      </div>
      <div
        className={`flex grow flex-col px-4 pb-12 pt-2 sm:px-8 ${["", "lg:mt-10 lg:border-l lg:border-line", "lg:mt-20 lg:border-l lg:border-line"][place]}`}
      >
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
              <Opening open />
            </dt>
            <dd className="mt-1">{game.open}</dd>
          </div>
          <div>
            <dt>
              <Opening open={false} />
            </dt>
            <dd className="mt-1 text-bone-muted">{game.later}</dd>
          </div>
        </dl>
      </div>
    </li>
  );
}

function Also({ to, name, text }: { to: string; name: string; text: string }) {
  return (
    <li className="border-t border-bronze-dim">
      <Link to={to} className="group block py-5">
        <span className="display block text-4xl group-hover:text-ember-bright">{name}</span>
        <span className="mt-1 block text-bone-muted">{text}</span>
      </Link>
    </li>
  );
}
