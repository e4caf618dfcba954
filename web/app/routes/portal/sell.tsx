import { pageMeta } from "~/components/site/page-meta";
import { Sell } from "~/features/selling/components/sell";

export const meta = () =>
  pageMeta("Sell", "Put what you own on the market: one item or many, at your price, with what you receive for it said before.", {
    index: false,
  });

/** The page where players list what they own. */
export default function SellRoute() {
  return <Sell />;
}
