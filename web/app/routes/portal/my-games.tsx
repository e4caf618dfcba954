import { pageMeta } from "~/components/site/page-meta";
import { Games } from "~/features/games/components/games";

export const meta = () =>
  pageMeta(
    "My games",
    "King of Destiny, InfiniMerge and Immortal Siege: whether each is open, what of yours counts in it, and where you stand.",
    {
      index: false,
    },
  );

/** The games in which a player takes part. */
export default function MyGames() {
  return <Games />;
}
