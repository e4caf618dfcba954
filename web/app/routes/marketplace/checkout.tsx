import { pageMeta } from "~/components/site/page-meta";
import { Checkout } from "~/features/checkout/components/checkout";

export const meta = () => pageMeta("Checkout", "Review what you hold, pay in USDC, and follow the purchase to the chain.");

/** Where the cart is paid. Holds do not run out in the page while it is open. */
export default function CheckoutPage() {
  return <Checkout />;
}
