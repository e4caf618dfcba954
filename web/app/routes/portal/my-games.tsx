import { pageMeta } from "~/components/site/page-meta";
import { Games } from "~/features/games/components/games";

export const meta = () =>
  pageMeta("My games", "The games that you can take part in: whether each is open, what of yours counts in it, and where you stand.", {
    index: false,
  });

/** The games in which a player takes part. */
export default function MyGames() {
  return <Games />;
}
