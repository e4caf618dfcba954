import { pageMeta } from "~/components/site/page-meta";
import { Browse } from "~/features/market/components/browse";
import { PackShelf } from "~/features/packs/components/shelf";
import { SaveSearch } from "~/features/saved/components/save-search";
import { filtersToSave } from "~/features/saved/queries";
import { session } from "~/features/session/store";
import { holdTime } from "~/lib/rules";
import { useStore } from "~/lib/store";

export const meta = () =>
  pageMeta("The market", `Gods, relics, avatars and packs for sale by players. Hold for ${holdTime}, pay in USDC, no gas.`);

/** Everything that is for sale. */
export default function MarketPage() {
  const isPlayer = useStore(session, (s) => s.isAuthenticated);
  return <Browse shelf={<PackShelf />} save={(filters) => isPlayer && <SaveSearch filters={filtersToSave(filters)} />} />;
}
