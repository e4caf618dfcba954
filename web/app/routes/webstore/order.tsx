import { pageMeta } from "~/components/site/page-meta";
import { OrderPage } from "~/features/webstore/components/order-page";
import type { Route } from "./+types/order";

export const meta = () =>
  pageMeta(
    "Your webstore order",
    "Whether the shop has confirmed your payment, and what your order gave you. The page updates itself until all of it is there.",
    {
      index: false,
    },
  );

/** The order for which the player went to the shop. */
export default function OrderRoute({ params }: Route.ComponentProps) {
  return <OrderPage key={params.id} id={params.id} />;
}
