import { add, compare, less, parseAmount } from "~/lib/amount";
import { amount, fromBaseUnits, plural } from "~/lib/format";
import { zonedDateTime } from "~/lib/time";
import { tokenKey } from "~/lib/token";
import type { Money, MoneyBalance, Withdrawal } from "./queries";

/** Where a withdrawal stands for the player: a confirmed one waits for its time first. */
export type Phase = "unconfirmed" | "waiting" | "ready" | "done" | "cancelled" | "expired";

/** The phase of a withdrawal at a time, in milliseconds. */
export function phaseOf({ state, readyAt }: Withdrawal, now: number): Phase {
  if (state !== "confirmed") return state;
  return readyAt && Date.parse(readyAt) > now ? "waiting" : "ready";
}

/** Whether a withdrawal can still be confirmed or sent. */
export const isOpen = ({ state }: Withdrawal) => state === "unconfirmed" || state === "confirmed";

/** Whether a withdrawal can be cancelled: nothing of it is on its way. */
export const canCancel = (w: Withdrawal) => isOpen(w) && w.parts.every(({ state }) => state !== "sending");

/** What the player is told of a withdrawal in one line. */
export function titleOf(w: Withdrawal, phase: Phase): string {
  switch (phase) {
    case "unconfirmed":
      return "Check and confirm";
    case "waiting":
      return `You can send it from ${zonedDateTime(w.readyAt ?? w.createdAt)}`;
    case "ready":
      return w.parts.some(({ state }) => state === "sending") ? "On its way" : "Ready to send";
    case "done":
      return w.parts.every(({ state }) => state === "failed")
        ? "Not sent"
        : w.parts.some(({ state }) => state === "failed")
          ? "Sent in part"
          : "Sent";
    case "cancelled":
      return "Cancelled";
    case "expired":
      return "Expired";
  }
}

/** An asset of a withdrawal, summed over its parts. */
export interface Sum {
  contract: string;
  tokenId: string;
  /** Decimal. */
  amount: string;
  /** "" for items. */
  symbol: string;
}

/** Everything that a withdrawal takes out, money first. */
export function sumsOf({ parts }: Withdrawal): Sum[] {
  const sums = new Map<string, Sum>();
  for (const asset of parts.flatMap(({ assets }) => assets)) {
    const { contract, tokenId, amount: more, symbol = "" } = asset;
    const known = sums.get(tokenKey(asset));
    sums.set(tokenKey(asset), { contract, tokenId, symbol, amount: known ? add(known.amount, more) : more });
  }
  return [...sums.values()].sort((a, b) => Number(a.symbol === "") - Number(b.symbol === ""));
}

/** The same in a few words: "50.00 USDC and 3 items". */
export function summary(w: Withdrawal): string {
  const sums = sumsOf(w);
  const money = sums.filter(({ symbol }) => symbol).map((sum) => `${amount(sum.amount)} ${sum.symbol}`);
  const items = sums.filter(({ symbol }) => !symbol).reduce((n, sum) => n + BigInt(sum.amount), 0n);
  const all = items ? [...money, plural(Number(items), "item")] : money;
  return all.length > 1 ? `${all.slice(0, -1).join(", ")} and ${all.at(-1)}` : (all[0] ?? "nothing");
}

/** What of a daily limit is left; undefined for no limit. */
export function leftOf({ limit, used }: MoneyBalance): string | undefined {
  return limit === undefined ? undefined : less(limit, used);
}

/** Normalizes a typed amount to a plain decimal string; undefined if it is invalid for the currency. */
export function normalized(value: string, { decimals }: MoneyBalance): string | undefined {
  const units = parseAmount(value, decimals);
  return typeof units === "bigint" ? fromBaseUnits(units.toString(), decimals) : undefined;
}

/** Whether an amount is more than can leave in any 24 hours: the server does not accept it as one withdrawal. */
const exceedsLimit = (typed: string, { limit }: MoneyBalance) => limit !== undefined && compare(typed, limit) > 0;

/** Whether an amount is within the daily limit, but more than is left of it. */
export function exceedsToday(value: string, balance: MoneyBalance): boolean {
  const left = leftOf(balance);
  const typed = normalized(value, balance);
  return left !== undefined && typed !== undefined && compare(typed, left) > 0 && !exceedsLimit(typed, balance);
}

/** What can be sent of a balance: what is in the wallet and not being paid. */
export const freeOf = ({ inWallet, paying }: MoneyBalance) => less(inWallet, paying);

/** The rule of an amount's field. Empty is none. */
export function amountProblem(value: string, balance: MoneyBalance): string | undefined {
  const free = freeOf(balance);
  if (!value.trim()) return undefined;
  const typed = normalized(value, balance);
  if (typed === undefined) {
    return `Enter a number with at most ${balance.decimals} digits after the point, such as 12.50.`;
  }
  if (compare(typed, "0") === 0) return "Enter more than 0, or nothing.";
  if (compare(typed, free) > 0) return `You have ${amount(free)} ${balance.symbol} to send.`;
  if (exceedsLimit(typed, balance))
    return `At most ${amount(balance.limit ?? "")} ${balance.symbol} can leave your wallet in 24 hours. Send it in parts.`;
}

/** The rule of the field for how many of an item. */
export function countProblem(value: string, has: string): string | undefined {
  if (!/^\d+$/.test(value.trim()) || BigInt(value) === 0n) return "Enter a whole number, 1 or more.";
  if (BigInt(value) > BigInt(has)) return `You have ${has}.`;
}

/** A stretch of time in words: "24 hours". */
export function spell(seconds: number): string {
  if (seconds >= 3600) return plural(Math.round(seconds / 3600), "hour");
  return seconds >= 60 ? plural(Math.round(seconds / 60), "minute") : plural(seconds, "second");
}

/** The daily limits, each with what is left of it. */
export function limitsOf({ balances, itemsPerDay, itemsUsed }: Money): string[] {
  const money = balances.flatMap((b) => {
    const left = leftOf(b);
    return b.limit && left ? [`${amount(b.limit)} ${b.symbol}, of which ${amount(left)} are left`] : [];
  });
  return [...money, `${plural(itemsPerDay, "item")}, of which ${Math.max(0, itemsPerDay - itemsUsed).toLocaleString("en")} are left`];
}
