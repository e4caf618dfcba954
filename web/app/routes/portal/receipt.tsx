import { pageMeta } from "~/components/site/page-meta";
import { Receipt } from "~/features/checkout/components/receipt";
import NotFound from "../marketing/404";
import type { Route } from "./+types/receipt";

export const meta = () =>
  pageMeta("Your receipt", "What you bought on the market in one order, what you paid for it, and the transaction that carries it.", {
    index: false,
  });

/** The receipt of one of the player's orders. */
export default function ReceiptRoute({ params }: Route.ComponentProps) {
  return <Receipt key={params.orderId} orderId={params.orderId} notFound={<NotFound />} />;
}
