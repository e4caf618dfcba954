import { pageMeta } from "~/components/site/page-meta";
import { Watchlist } from "~/features/saved/components/watchlist";

export const meta = () =>
  pageMeta("Watchlist", "The items that you watch, with their lowest prices, and your saved searches with their price alerts.", {
    index: false,
  });

/** What the player watches. */
export default function WatchlistPage() {
  return <Watchlist />;
}
