import { pageMeta } from "~/components/site/page-meta";
import { Browse } from "~/features/market/components/browse";
import { PackShelf } from "~/features/packs/components/shelf";
import { holdTime } from "~/lib/rules";

export const meta = () => pageMeta("The market", `Gods, relics, avatars and packs for sale by players. Hold for ${holdTime}, pay in USDC, no gas.`);

/** Everything that is for sale. */
export default function MarketPage() {
  return <Browse shelf={<PackShelf />} />;
}
