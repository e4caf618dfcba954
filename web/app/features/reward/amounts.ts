import { currencyCodes } from "~/lib/currencies";
import type { Reward } from "./queries";

/** Amount by currency code. */
export type Amounts = Record<string, number>;

/** The sum of some amounts, each multiplied by its count. */
export function addUp(parts: { of: Amounts; count: number }[]): Amounts {
  const sum: Amounts = {};
  for (const { of, count } of parts) for (const [code, amount] of Object.entries(of)) sum[code] = (sum[code] ?? 0) + amount * count;
  return sum;
}

/** The amounts above 0, in the order in which they are shown. */
export function inOrder(amounts: Amounts): [code: string, amount: number][] {
  return Object.entries(amounts)
    .filter(([, amount]) => amount > 0)
    .sort(([a], [b]) => currencyCodes.indexOf(a) - currencyCodes.indexOf(b));
}

/** The currencies in rewards that did not fail. */
export function amountsIn(rewards: Reward[]): Amounts {
  const grants = rewards.filter(({ state }) => state !== "failed").flatMap((reward) => reward.grants);
  return addUp(
    grants.flatMap(({ kind, currency, amount }) =>
      kind === "currency" && currency ? [{ of: { [currency]: Number(amount) }, count: 1 }] : [],
    ),
  );
}
