import { pageMeta } from "~/components/site/page-meta";
import { Orders } from "~/features/webstore/components/orders";

export const meta = () =>
  pageMeta(
    "Webstore orders",
    "What you have paid for in the webstore, order by order: its lines, what each gave you and what was refunded.",
    { index: false },
  );

/** The player's orders in the webstore. */
export default function OrdersPage() {
  return <Orders />;
}
