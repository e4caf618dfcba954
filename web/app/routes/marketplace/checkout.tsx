import { pageMeta } from "~/components/site/page-meta";
import { Checkout } from "~/features/checkout/components/checkout";
import { marketCurrency } from "~/lib/registry";

export const meta = () =>
  pageMeta(
    "Checkout",
    `Look over what you hold, pay in ${marketCurrency.symbol} without gas, and follow the purchase until it is on the chain.`,
    {
      index: false,
    },
  );

/** The checkout of the cart. Holds do not expire on the page while it is open. */
export default function CheckoutPage() {
  return <Checkout />;
}
