import { href } from "react-router";
import { shop } from "#brand/packs";
import type { Grant } from "~/features/reward/queries";
import { currencyName } from "~/lib/currencies";
import { fromBaseUnits, plural } from "~/lib/format";
import { marketCurrency } from "~/lib/registry";
import { isSameAddress } from "~/lib/token";
import type { Content, Order, Product, Variation } from "./queries";

/** The types of products, in the order of their shelves. */
export const shelves: { type: Product["type"]; id: string; name: string; text: string }[] = [
  {
    type: "destiny-pack",
    id: "destiny-packs",
    name: shop.packs,
    text: "Each pack is opened as soon as the shop has confirmed your payment. For adults only.",
  },
  {
    type: "gold-pack",
    id: "gold",
    name: shop.currencies,
    text: "Currencies of the games, credited to your account. How much you get is on the label, and it is the same for everybody.",
  },
  {
    type: "kod-pack",
    id: "kod-packs",
    name: "KOD packs",
    text: "The packs of the market, paid for by card. They are sent to your wallet, and you open them when you like. For adults only.",
  },
  {
    type: "top-up",
    id: "usdc",
    name: `${marketCurrency.symbol} for the market`,
    text: "Money to buy from other players, paid for by card. It is sent to your wallet.",
  },
  {
    type: "cosmetic",
    id: "cosmetics",
    name: "Cosmetics",
    text: "How you look, and nothing else. A mask makes nobody stronger. They arrive in your wallet as tokens of your own.",
  },
];

/** The height of an opening on the page of an order: its controls are on the first screen. */
export const sceneHeight = "min-h-[max(30rem,calc(100svh-18.5rem))]";

/** The address of a product's page. It is not among those of lib/paths.ts, which every page of the site loads. */
export const productPath = (id: number): string => href("/webstore/products/:id", { id: String(id) });

/** A decimal price in its currency: "€4.99". */
export function priceIn(currency: string, price: string): string {
  return new Intl.NumberFormat("en", { style: "currency", currency }).format(Number(price));
}

/** The heading of a variation: the product's name if it is the only one. */
export const titleOf = ({ name, variations }: Product, variation: Variation): string => (variations.length === 1 ? name : variation.name);

/** The full name of a variation: "Pack: Bronze". */
export const fullName = (product: Product, variation: Variation): string =>
  product.variations.length === 1 ? product.name : `${product.name}: ${variation.name}`;

/** An amount of USDC in base units: "25 USDC", "1,250.50 USDC". */
function usdcText(units: string): string {
  const [whole = "0", fraction] = fromBaseUnits(units, 6).split(".");
  return `${BigInt(whole).toLocaleString("en")}${fraction ? `.${fraction.padEnd(2, "0")}` : ""} ${marketCurrency.symbol}`;
}

/** One thing that a variation or a reward gives: "2,000 InfiniGold", "Linen Cuirass", "2 × Linen Cuirass", "25 USDC". */
export function contentText({
  kind,
  currency,
  name,
  amount,
}: Pick<Content, "kind" | "currency" | "name"> & { amount: number | string }): string {
  if (kind === "usdc") return usdcText(String(amount));
  const count = Number(amount);
  if (kind === "currency") return `${count.toLocaleString("en")} ${currencyName(currency ?? "", count)}`;
  return count === 1 ? name || "A token" : `${count.toLocaleString("en")} × ${name || "token"}`;
}

/** One thing that a reward gives, or that is owed. `usdc` is the contract of USDC; "" if it is not known yet. */
export function grantText(
  grant: Pick<Grant, "kind" | "currency" | "name" | "contract"> & { amount: number | string },
  usdc: string,
): string {
  if (grant.kind === "currency" || grant.name) return contentText(grant);
  if (!usdc) return "";
  return contentText({ ...grant, kind: isUsdc(grant, usdc) ? "usdc" : "token" });
}

/** Whether a part of a reward is USDC. */
export const isUsdc = ({ contract }: Pick<Grant, "contract">, usdc: string): boolean => isSameAddress(contract, usdc);

/** How long something takes, in the largest unit that is exact: "24 hours", "3 days". */
function durationText(seconds: number): string {
  const [day, hour, minute] = [86_400, 3_600, 60];
  if (seconds >= 2 * day && seconds % day === 0) return plural(seconds / day, "day");
  if (seconds >= hour && seconds % hour === 0) return plural(seconds / hour, "hour");
  if (seconds >= minute && seconds % minute === 0) return plural(seconds / minute, "minute");
  return plural(seconds, "second");
}

/** When what is paid for is sent; empty for what is given at once. */
export const sentText = ({ sentAfter, opens }: Variation): string =>
  sentAfter ? `${opens ? "Tokens in it are sent" : "Sent"} to your wallet ${durationText(sentAfter)} after the payment` : "";

/** Everything that a variation gives, part by part: "5 packs, each drawn on its own". */
export function contentsOf({ gives, opens, packs = 1 }: Variation): string[] {
  const drawn = opens ? [packs === 1 ? "1 pack, drawn when it is paid for" : `${plural(packs, "pack")}, each drawn on its own`] : [];
  return [...drawn, ...gives.map(contentText)];
}

/** Whether a variation is for sale, by the server's clock in milliseconds; 0 if the clock is not known yet. */
export function saleOf({ onSale, from, until }: Variation, now: number): "on" | "later" | "over" {
  if (now && from && now < Date.parse(from)) return "later";
  if (now && until && now >= Date.parse(until)) return "over";
  if (now && (from || until)) return "on";
  return onSale ? "on" : from && !until ? "later" : "over";
}

/** Whether all units of an order were paid back. */
export const isRefunded = ({ refunded, lines }: Order): boolean =>
  refunded > 0 && refunded >= lines.reduce((sum, { quantity }) => sum + quantity, 0);

/** What an order is, in words. */
export function statusOf(order: Order): string {
  const { status, refunded } = order;
  if (isRefunded(order)) return "Refunded";
  if (refunded > 0) return "Partly refunded";
  const texts: Record<string, string> = {
    processing: "Paid",
    completed: "Paid",
    refunded: "Refunded",
    cancelled: "Cancelled",
    failed: "Failed",
  };
  return texts[status] ?? "Paid";
}
