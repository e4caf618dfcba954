import { pageMeta } from "~/components/site/page-meta";
import { YourMoney } from "~/features/withdrawal/components/money";

export const meta = () =>
  pageMeta(
    "Your money",
    "What is in your wallet, what came in and went out, how to add money, and how to send it and your items elsewhere.",
    { index: false },
  );

/** The player's money. */
export default function MoneyPage() {
  return <YourMoney />;
}
