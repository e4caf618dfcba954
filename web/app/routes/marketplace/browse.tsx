import { pageMeta } from "~/components/site/page-meta";
import { Browse } from "~/features/market/components/browse";

export const meta = () => pageMeta("The market", "Gods, relics, avatars and packs for sale by players. Hold for ten minutes, pay in USDC, no gas.");

/** Everything that is for sale. */
export default function MarketPage() {
  return <Browse />;
}
