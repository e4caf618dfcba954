import { decimals, type Fees, priceFor, type Split, splitOf } from "~/features/market/fees";
import { type AmountProblem, parseAmount } from "~/lib/amount";
import { amount, fromBaseUnits } from "~/lib/format";
import { marketCurrency } from "~/lib/registry";
import { inWords } from "~/lib/rules";

/** What the player types as a price: what a buyer pays, or what the player wants to receive. */
export interface Entry {
  mode: "pays" | "receive";
  text: string;
}

const unit = 10n ** BigInt(decimals);

/** The lowest price of one while the server's is unknown, and the highest, in base units. */
export const priceRange = { least: unit / 100n, most: 1_000_000_000n * unit };

/** A price that can be asked, and how the marketplace divides it. */
export interface Priced {
  price: bigint;
  split: Split;
}

const problems: Record<AmountProblem, string> = {
  empty: "Say a price.",
  malformed: "Write a number such as 12.50.",
  "too precise": `${marketCurrency.symbol} has ${inWords(decimals)} decimals at most.`,
};

/** The price that an entry means, or what is wrong with it. `least` is the lowest price of one, in base units. */
export function priced({ mode, text }: Entry, fees: Fees, least = priceRange.least): Priced | string {
  const typed = parseAmount(text, decimals);
  if (typeof typed === "string") return problems[typed];
  if (typed === 0n) return mode === "pays" ? "The price must be above 0." : "What you receive must be above 0.";
  if (typed > priceRange.most) return `The highest price is 1,000,000,000 ${marketCurrency.symbol}.`;
  const price = mode === "pays" ? typed : priceFor(typed, fees);
  if (price === undefined) return "The fees take all of the price.";
  if (price < least) return `The lowest price is ${amount(fromBaseUnits(least.toString(), decimals))} ${marketCurrency.symbol}.`;
  if (price > priceRange.most) return `The highest price is 1,000,000,000 ${marketCurrency.symbol}.`;
  return { price, split: splitOf(price, fees) };
}

/** How many a text says, or what is wrong with it, where `free` can be listed. */
export function countIn(text: string, free: bigint, { owned, offered }: { owned: bigint; offered: bigint }): number | string {
  const trimmed = text.trim();
  if (!/^\d+$/.test(trimmed)) return "Write a whole number.";
  const count = BigInt(trimmed);
  if (count === 0n) return "List at least 1.";
  if (count > free)
    return offered > 0n ? `At most ${free}: you have ${owned}, and ${offered} are listed.` : `At most ${free}: you have no more.`;
  return Number(count);
}

/** A warning about a price far from the lowest one on the market; "" for none. All in base units. */
export function farFrom(floor: bigint | undefined, price: bigint): string {
  if (floor === undefined || floor === 0n) return "";
  if (price * 2n < floor) return "This is less than half of the lowest price on the market.";
  if (price > floor * 5n) return "This is more than five times the lowest price on the market.";
  return "";
}
