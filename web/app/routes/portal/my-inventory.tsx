import { pageMeta } from "~/components/site/page-meta";
import { Inventory } from "~/features/holdings/components/inventory";

export const meta = () =>
  pageMeta("Profile", "Your profile, your balances and everything you own: gods, relics, passes, arks and packs, on one page.", {
    index: false,
  });

/** The player's profile. */
export default function MyInventory() {
  return <Inventory />;
}
