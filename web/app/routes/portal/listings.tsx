import { pageMeta } from "~/components/site/page-meta";
import { MyListings } from "~/features/selling/components/listings";

export const meta = () =>
  pageMeta(
    "My listings",
    "What you have on the market, what was sold and what you received, and what has ended: change a price or end a listing.",
    {
      index: false,
    },
  );

/** The player's own listings. */
export default function ListingsRoute() {
  return <MyListings />;
}
