import { decimals, type Fees, priceFor, type Split, splitOf } from "~/features/market/fees";

/** What the player types as a price: what a buyer pays, or what the player wants to receive. */
export interface Entry {
  mode: "pays" | "receive";
  text: string;
}

const unit = 10n ** BigInt(decimals);

/** The lowest and the highest price of one, in base units. */
export const priceRange = { least: unit / 100n, most: 1_000_000_000n * unit };

/** A price that can be asked, and how the marketplace divides it. */
export interface Priced {
  price: bigint;
  split: Split;
}

/** The amount of a decimal text in base units, or why it is none. */
export function amountIn(text: string): bigint | string {
  const trimmed = text.trim();
  if (!trimmed) return "Say a price.";
  const [, whole = "", fraction = ""] = /^(\d*)(?:\.(\d*))?$/.exec(trimmed) ?? [];
  if (!whole && !fraction) return "Write a number such as 12.50.";
  if (fraction.length > decimals) return "USDC has six decimals at most.";
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}

/** The price that an entry means, or what is wrong with it. */
export function priced({ mode, text }: Entry, fees: Fees): Priced | string {
  const amount = amountIn(text);
  if (typeof amount === "string") return amount;
  if (amount === 0n) return mode === "pays" ? "The price must be above 0." : "What you receive must be above 0.";
  if (amount > priceRange.most) return "The highest price is 1,000,000,000 USDC.";
  const price = mode === "pays" ? amount : priceFor(amount, fees);
  if (price === undefined) return "The fees take all of the price.";
  if (price < priceRange.least) return "The lowest price is 0.01 USDC.";
  if (price > priceRange.most) return "The highest price is 1,000,000,000 USDC.";
  return { price, split: splitOf(price, fees) };
}

/** How many a text says, or what is wrong with it, where `free` can be listed. */
export function countIn(text: string, free: bigint, { owned, offered }: { owned: bigint; offered: bigint }): number | string {
  const trimmed = text.trim();
  if (!/^\d+$/.test(trimmed)) return "Write a whole number.";
  const count = BigInt(trimmed);
  if (count === 0n) return "List at least 1.";
  if (count > free) return offered > 0n ? `At most ${free}: you have ${owned}, and ${offered} are listed.` : `At most ${free}: you have no more.`;
  return Number(count);
}

/** A warning about a price far from the lowest one on the market; "" for none. All in base units. */
export function farFrom(floor: bigint | undefined, price: bigint): string {
  if (floor === undefined || floor === 0n) return "";
  if (price * 2n < floor) return "This is less than half of the lowest price on the market.";
  if (price > floor * 5n) return "This is more than five times the lowest price on the market.";
  return "";
}
