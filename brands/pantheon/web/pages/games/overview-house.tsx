import { Link } from "react-router";
import Text from "#brand/content/games/games.mdx";
import { pages } from "#brand/pages";
import { Prose } from "~/components/site/prose";
import { paths } from "~/lib/paths";

/** What the games share, why two are closed, and what else there is. */
export default function Below() {
  return (
    <div className="mx-auto grid max-w-[100rem] grid-cols-1 gap-x-16 gap-y-16 px-4 pt-24 sm:px-8 lg:grid-cols-[1.65fr_1fr] lg:pt-36">
      <Prose>
        <Text />
      </Prose>
      <div className="lg:sticky lg:top-28 lg:self-start">
        <h2 className="caption text-bronze">Round the back</h2>
        <ul className="mt-4 border-b border-bronze-dim">
          <Also to={pages.mountOlympus} name="Mount Olympus" text="Nine terraces and a ladder" />
          <Also to={pages.olympusJourney} name="Olympus Journey" text="The road there, in nine stations" />
          <Also to={pages.universe} name="The universe" text="The chart that all of it lies on" />
          <Also to={paths.leaderboard} name="Leaderboard" text="Who sits, and who is next" />
        </ul>
      </div>
    </div>
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
