import { useCallback, useEffect, useState } from "react";
import { onTakenOut } from "~/features/cart/actions";
import { type Cart, type CartItem, endOf } from "~/features/cart/holds";
import type { Goods } from "~/features/cart/queries";
import { onMessage } from "~/features/realtime/messages";
import { add } from "~/lib/amount";
import { serverNow, useNow } from "~/lib/clock";
import { isBought, isPaying, keptOrder, noteRemoved, type Order } from "./queries";

/** Why a unit that the page has shown is not held any more. */
export type Lost = "ran-out" | "released" | "gone";

/**
 * A unit on the page: one in the cart, or one that has left it while the page showed it. Units of a listing are alike, and
 * the server may move a hold to another unit, so they are counted and not told apart.
 */
export interface Line {
  /** Names the line for as long as it is on the page, held or not. */
  key: string;
  goods: Goods;
  /** The unit in the cart; absent when it has left the cart. */
  item?: CartItem;
  /** Why it is not held; absent while it is. */
  lost?: Lost;
}

/** What the page has shown of one listing. */
interface Seen {
  goods: Goods;
  /** When the holds end that were in the cart last. */
  ends: number[];
  /** One entry for each unit that has left the cart and is still on the page. */
  lost: Lost[];
}

/** What the page has shown: by listing, in the order in which they came. */
export type Memory = readonly Seen[];

/** The end of a hold is known to the server first; within this time of it, in milliseconds, a hold has run out. */
const tolerance = 2_000;

const lossAt = (now: number, end: number): Lost => (end - now <= tolerance ? "ran-out" : "released");

/** The values without those in `others`, each of which takes one away. */
function without(values: number[], others: number[]): number[] {
  const left = [...others];
  return values.filter((value) => {
    const i = left.indexOf(value);
    if (i >= 0) left.splice(i, 1);
    return i < 0;
  });
}

function change(memory: Memory, listingId: string, by: (seen: Seen) => Seen): Memory {
  return memory.map((seen) => (seen.goods.listingId === listingId ? by(seen) : seen)).filter(({ ends, lost }) => ends.length + lost.length > 0);
}

/** The memory once the cart has these items: what is in it no longer is lost, and what has been lost before is made good first. */
export function remember(memory: Memory, items: CartItem[], now: number): Memory {
  const listings = new Map(memory.map((seen) => [seen.goods.listingId, seen]));
  for (const { listing } of items) if (!listings.has(listing.listingId)) listings.set(listing.listingId, { goods: listing, ends: [], lost: [] });
  return [...listings.values()].map(({ goods, ends, lost }) => {
    const inCart = items.filter((item) => item.listingId === goods.listingId);
    const newEnds = inCart.map(endOf);
    const fewer = Math.max(0, ends.length - newEnds.length);
    const more = Math.max(0, newEnds.length - ends.length);
    const gone = without(ends, newEnds)
      .sort((a, b) => a - b)
      .slice(0, fewer);
    return { goods: inCart[0]?.listing ?? goods, ends: newEnds, lost: [...lost, ...gone.map((end) => lossAt(now, end))].slice(more) };
  });
}

/** The memory with the items of an order that ended unpaid, as far as they are not shown yet and the player has not removed them. */
export function recall(memory: Memory, order: Order, removed: string[]): Memory {
  const loss = lossAt(Date.parse(order.timeline.at(-1)?.at ?? order.expiresAt), Date.parse(order.expiresAt));
  let all = memory;
  for (const item of order.items) {
    const { listingId } = item;
    const known = all.find((seen) => seen.goods.listingId === listingId);
    const missing = item.quantity - removed.filter((id) => id === listingId).length - (known ? known.ends.length + known.lost.length : 0);
    if (missing <= 0) continue;
    const lost = Array<Lost>(missing).fill(loss);
    all = known ? change(all, listingId, (seen) => ({ ...seen, lost: [...seen.lost, ...lost] })) : [...all, { goods: item, ends: [], lost }];
  }
  return all;
}

/** The memory with one unit of a listing less: the one in the cart whose hold ends at the given time, else one that is lost. */
export function forget(memory: Memory, listingId: string, end?: number): Memory {
  return change(memory, listingId, ({ goods, ends, lost }) =>
    end === undefined ? { goods, ends, lost: lost.slice(1) } : { goods, ends: without(ends, [ends.includes(end) ? end : (ends[0] ?? 0)]), lost },
  );
}

/**
 * The lines of the page at a time: of each listing first what is held, then what is not held any more. `gone` are the
 * listings that are known to be for sale no longer.
 */
export function linesOf(memory: Memory, items: CartItem[], now: number, gone: ReadonlySet<string> = new Set()): Line[] {
  const listings = [...new Set([...memory.map((seen) => seen.goods.listingId), ...items.map((item) => item.listingId)])];
  return listings.flatMap((listingId) => {
    const seen = memory.find((s) => s.goods.listingId === listingId);
    const inCart = items.filter((item) => item.listingId === listingId);
    const [held, over] = [inCart.filter((item) => endOf(item) > now), inCart.filter((item) => endOf(item) <= now)];
    const lines: Omit<Line, "key">[] = [
      ...held.map((item) => ({ goods: item.listing, item })),
      ...over.map((item) => ({ goods: item.listing, item, lost: "ran-out" as const })),
      ...(seen?.lost ?? []).map((lost) => ({ goods: seen?.goods as Goods, lost: gone.has(listingId) ? ("gone" as const) : lost })),
    ];
    return lines.map((line, i) => ({ key: `${listingId}-${i}`, ...line }));
  });
}

/** What can be paid: the units that are held and still for sale, and their total. */
export function payable(lines: Line[]): { items: CartItem[]; total: string } {
  const items = lines.flatMap(({ item, lost }) => (item && !lost && item.changed !== "gone" ? [item] : []));
  return { items, total: items.reduce((sum, { listing }) => add(sum, listing.price), "0") };
}

interface State {
  memory: Memory;
  /** The cart and the ended order that the memory knows of. */
  cart?: Cart | undefined;
  orderId?: string | undefined;
}

const nothing: State = { memory: [] };

function follow(state: State, player: string, cart: Cart | undefined, order: Order | null | undefined): State {
  if (order && (isPaying(order) || isBought(order))) return nothing;
  if (!cart) return state;
  const next = cart === state.cart ? state : { ...state, cart, memory: remember(state.memory, cart.items, serverNow()) };
  if (order?.state !== "expired" || order.orderId === next.orderId) return next;
  return { ...next, orderId: order.orderId, memory: recall(next.memory, order, keptOrder(player)?.removed ?? []) };
}

/** The listings that are known to be for sale no longer, and the way to note that one is not, or is again. */
function useGone() {
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const noteGone = useCallback((listingId: string, isGone = true) => {
    setGone((known) => {
      if (known.has(listingId) === isGone) return known;
      const others = [...known].filter((id) => id !== listingId);
      return new Set(isGone ? [...others, listingId] : others);
    });
  }, []);
  useEffect(
    () => onMessage("live-listings-change", ({ type, payload: { document } }) => noteGone(document.listingId, type === "delete" || document.isInvalid)),
    [noteGone],
  );
  return { gone, noteGone };
}

/**
 * The lines of the checkout page. Nothing leaves them by itself: what runs out, is sold elsewhere or is let go in another
 * tab stays, and so do the items of an order that ended unpaid. What the player removes here goes for good, and paying
 * begins anew.
 */
export function useLines(player: string, cart: Cart | undefined, order: Order | null | undefined) {
  const now = useNow() || serverNow();
  const [state, setState] = useState(nothing);
  const { gone, noteGone } = useGone();
  const next = follow(state, player, cart, order);
  if (next !== state) setState(next);
  const dismiss = useCallback(
    (listingId: string, end?: number) => {
      noteRemoved(player, listingId);
      setState((known) => ({ ...known, memory: forget(known.memory, listingId, end) }));
    },
    [player],
  );
  useEffect(() => onTakenOut((unit) => dismiss(unit.listingId, endOf(unit))), [dismiss]);
  return { lines: linesOf(next.memory, cart?.items ?? [], now, gone), dismiss, noteGone };
}
