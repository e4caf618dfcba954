import { useCallback, useEffect, useState } from "react";
import { onTakenOut } from "~/features/cart/actions";
import { type Cart, type CartItem, endOf } from "~/features/cart/holds";
import type { Goods } from "~/features/cart/queries";
import { onMessage } from "~/features/realtime/messages";
import { add } from "~/lib/amount";
import { serverNow, useNow } from "~/lib/clock";
import { isBought, isPaying, keptOrder, noteRemoved, type Order } from "./queries";

/** Why a displayed unit is no longer held. */
export type Lost = "ran-out" | "released" | "gone";

/**
 * A unit on the page: one in the cart, or one that left it while displayed. Units of a listing are interchangeable,
 * and the server may move a hold to another unit, so they are counted, not identified.
 */
export interface Line {
  /** The line's key while it is on the page, held or not. */
  key: string;
  goods: Goods;
  /** The unit in the cart; absent if it has left the cart. */
  item?: CartItem;
  /** Why it is not held; absent if it is. */
  lost?: Lost;
}

/** What the page has displayed of one listing. */
interface Seen {
  goods: Goods;
  /** When the holds that were last in the cart end. */
  ends: number[];
  /** One entry per unit that has left the cart and is still on the page. */
  lost: Lost[];
}

/** What the page has displayed: by listing, in order of appearance. */
export type Memory = readonly Seen[];

/** The server may end a hold slightly earlier; within this many milliseconds of its end, a hold has expired. */
const tolerance = 2_000;

const lossAt = (now: number, end: number): Lost => (end - now <= tolerance ? "ran-out" : "released");

/** The values without those in `others`, each of which removes one. */
function without(values: number[], others: number[]): number[] {
  const left = [...others];
  return values.filter((value) => {
    const i = left.indexOf(value);
    if (i >= 0) left.splice(i, 1);
    return i < 0;
  });
}

function change(memory: Memory, listingId: string, by: (seen: Seen) => Seen): Memory {
  return memory
    .map((seen) => (seen.goods.listingId === listingId ? by(seen) : seen))
    .filter(({ ends, lost }) => ends.length + lost.length > 0);
}

/**
 * The memory after the cart changed to these items: units no longer in it are lost, and new units first replace lost
 * ones.
 */
export function remember(memory: Memory, items: CartItem[], now: number): Memory {
  const listings = new Map(memory.map((seen) => [seen.goods.listingId, seen]));
  for (const { listing } of items)
    if (!listings.has(listing.listingId)) listings.set(listing.listingId, { goods: listing, ends: [], lost: [] });
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

/** The memory with the items of an unpaid order that has ended, unless already displayed or removed by the player. */
export function recall(memory: Memory, order: Order, removed: string[]): Memory {
  const loss = lossAt(Date.parse(order.timeline.at(-1)?.at ?? order.expiresAt), Date.parse(order.expiresAt));
  let all = memory;
  for (const item of order.items) {
    const { listingId } = item;
    const known = all.find((seen) => seen.goods.listingId === listingId);
    const missing = item.quantity - removed.filter((id) => id === listingId).length - (known ? known.ends.length + known.lost.length : 0);
    if (missing <= 0) continue;
    const lost = Array<Lost>(missing).fill(loss);
    all = known
      ? change(all, listingId, (seen) => ({ ...seen, lost: [...seen.lost, ...lost] }))
      : [...all, { goods: item, ends: [], lost }];
  }
  return all;
}

/**
 * The memory with one unit of a listing less: the one in the cart whose hold ends at the given time, or else a lost
 * one.
 */
export function forget(memory: Memory, listingId: string, end?: number): Memory {
  return change(memory, listingId, ({ goods, ends, lost }) =>
    end === undefined
      ? { goods, ends, lost: lost.slice(1) }
      : { goods, ends: without(ends, [ends.includes(end) ? end : (ends[0] ?? 0)]), lost },
  );
}

/**
 * The page's lines at a time: per listing first what is held, then what is no longer held. `gone` are the listings
 * known to be no longer for sale.
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

/** What can be paid: the held units that are still for sale, and their total. */
export function payable(lines: Line[]): { items: CartItem[]; total: string } {
  const items = lines.flatMap(({ item, lost }) => (item && !lost && item.changed !== "gone" ? [item] : []));
  return { items, total: items.reduce((sum, { listing }) => add(sum, listing.price), "0") };
}

interface State {
  memory: Memory;
  /** The cart and the ended order already in the memory. */
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

/** The listings known to be no longer for sale, and a function to change that. */
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
    () =>
      onMessage("live-listings-change", ({ type, payload: { document } }) =>
        noteGone(document.listingId, type === "delete" || document.isInvalid),
      ),
    [noteGone],
  );
  return { gone, noteGone };
}

/**
 * The lines of the checkout page. None disappears by itself: what expires, is sold or is released in another tab
 * stays, and so do the items of an unpaid order that has ended. What the player removes here is removed for good, and
 * a new payment starts over.
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
