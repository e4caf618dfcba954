import { pageMeta } from "~/components/site/page-meta";
import { Browse } from "~/features/market/components/browse";
import { PackShelf } from "~/features/packs/components/shelf";
import { SaveSearch } from "~/features/saved/components/save-search";
import { filtersToSave } from "~/features/saved/queries";
import { session } from "~/features/session/store";
import { has } from "~/lib/has";
import { holdTime } from "~/lib/rules";
import { useStore } from "~/lib/store";

export const meta = () =>
  pageMeta(
    "The market",
    `What players have for sale. What is in your cart is reserved for ${holdTime}, and you pay in one tap, without gas.`,
  );

/** Everything that is for sale. */
export default function MarketPage() {
  const isPlayer = useStore(session, (s) => s.isAuthenticated);
  return <Browse shelf={has.packs && <PackShelf />} save={(filters) => isPlayer && <SaveSearch filters={filtersToSave(filters)} />} />;
}
