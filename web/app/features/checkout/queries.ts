import { queryOptions } from "@tanstack/react-query";
import { cartQuery } from "~/features/cart/queries";
import { playerNow } from "~/features/session/player";
import { api, unwrap } from "~/lib/api/client";
import { ApiError } from "~/lib/api/problem";
import type { components } from "~/lib/api/schema.gen";
import { serverNow } from "~/lib/clock";
import { queryClient } from "~/lib/query";
import { keys, read, write } from "~/lib/storage";

export type Order = components["schemas"]["Order"];

/** How often a pending or overdue order is polled, in milliseconds, in case a message is late. */
const askEvery = 1_500;

/** Whether the state is not final. */
export function isOpen(order: Order): boolean {
  return order.state === "awaiting-payment" || isPaying(order);
}

/** Whether a payment may be pending. */
export function isPaying(order: Order): boolean {
  return order.state === "submitted" || order.state === "confirming";
}

/** Whether it is past its expiry: the server is about to end it, or has. */
function isOverdue(order: Order): boolean {
  return order.state === "awaiting-payment" && Date.parse(order.expiresAt) <= serverNow();
}

/** Whether all or some of it was bought. */
export function isBought(order: Order): boolean {
  return order.state === "complete" || order.state === "partly-complete";
}

/** Whether it ended with a receipt: what was bought, or that the payment failed. */
function hasReceipt(order: Order): boolean {
  return isBought(order) || order.state === "failed";
}

/** The newer of the known order and the response's: a later order, or the later state of the same one. */
export function newestOf(known: Order | null | undefined, answered: Order): Order {
  if (!known) return answered;
  const isNewer =
    known.orderId === answered.orderId
      ? known.timeline.length > answered.timeline.length
      : Date.parse(known.createdAt) > Date.parse(answered.createdAt);
  return isNewer ? known : answered;
}

/** What this browser stores of an order, so that a reload finds it. It is only used for its player. */
interface Kept {
  player: string;
  orderId: string;
  /** Listings of units that the player has since removed from the page, one entry per unit. */
  removed: string[];
  /**
   * Whether its receipt is dismissed: it was seen, or the player has since gone to the checkout for what is held now.
   */
  seen: boolean;
}

/** The stored order of the player; null for none, and for another player's. */
export function keptOrder(player: string): Kept | null {
  let kept: Partial<Kept> | null;
  try {
    kept = JSON.parse(read(keys.order) ?? "null") as Partial<Kept> | null;
  } catch {
    return null;
  }
  if (typeof kept?.orderId !== "string" || kept.player !== player) return null;
  return { player, orderId: kept.orderId, removed: Array.isArray(kept.removed) ? kept.removed : [], seen: kept.seen === true };
}

const keep = (kept: Kept) => write(keys.order, JSON.stringify(kept));

/** Stores an order for the player, replacing the previous one. */
export function keepOrder(player: string, orderId: string): void {
  if (orderId !== keptOrder(player)?.orderId) keep({ player, orderId, removed: [], seen: false });
}

/** Removes the stored order, unless another one is stored by now. */
export function dropOrder(player: string, orderId: string): void {
  if (keptOrder(player)?.orderId === orderId) write(keys.order, null);
}

/** Records whether an order's receipt is dismissed, if the order is stored. */
export function noteSeen(player: string, orderId: string, seen: boolean): void {
  const kept = keptOrder(player);
  if (kept?.orderId === orderId && kept.seen !== seen) keep({ ...kept, seen });
}

/**
 * Records that the player has removed a unit of a listing from the page: it is not shown again when the order has
 * ended.
 */
export function noteRemoved(player: string, listingId: string): void {
  const kept = keptOrder(player);
  if (kept) keep({ ...kept, removed: [...kept.removed, listingId] });
}

/** The common prefix of all orders' query keys. */
export const ordersKey = ["order"] as const;

/** The query key of the player's order. */
export const orderKey = (player: string) => [...ordersKey, player] as const;

/** Loads one of the player's orders; null for one that is unknown, malformed or another player's. */
async function load(orderId: string): Promise<Order | null> {
  const call = api.GET("/api/auth/marketplace/checkout/{orderId}", { params: { path: { orderId } } });
  return unwrap(call).catch((error: unknown) => {
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return null;
    throw error;
  });
}

/** One of the player's orders by its id, however old; null for one that is unknown or another player's. */
export const receiptQuery = (player: string, orderId: string) =>
  queryOptions({
    queryKey: [...ordersKey, player, orderId],
    enabled: player !== "",
    queryFn: () => load(orderId),
    refetchInterval: ({ state }) => (state.data && (isPaying(state.data) || isOverdue(state.data)) ? askEvery : false),
  });

/** Whether an order's receipt gives way to what is held now: it was seen before, and is not on the page. */
async function givesWay(player: string, order: Order): Promise<boolean> {
  const shown = queryClient.getQueryData<Order | null>(orderKey(player));
  if (!hasReceipt(order) || !keptOrder(player)?.seen || (shown?.orderId === order.orderId && !isOpen(shown))) return false;
  const cart = await queryClient.fetchQuery(cartQuery).catch(() => null);
  return (cart?.items.length ?? 0) > 0;
}

/**
 * The player's order: the one stored in this browser and not dismissed, or else the open one, or else the one that
 * ended without a purchase and is not dismissed; null for none. A page that was reloaded, or closed by a crash,
 * resumes it. A seen receipt is dismissed when the page is opened again while something is held.
 */
export const orderQuery = (player: string) =>
  queryOptions({
    queryKey: orderKey(player),
    enabled: player !== "",
    queryFn: async (): Promise<Order | null> => {
      const kept = keptOrder(player)?.orderId;
      const orderId = kept ?? queryClient.getQueryData<Order | null>(orderKey(player))?.orderId;
      let known = orderId ? await load(orderId) : null;
      if (known && (await givesWay(player, known))) {
        dropOrder(player, known.orderId);
        known = null;
      }
      if (known && isOpen(known)) noteSeen(player, known.orderId, false);
      if (known && (isOpen(known) || isBought(known))) return known;
      const { order: open } = await unwrap(api.GET("/api/auth/marketplace/checkout"));
      if (!open) return known;
      // Meanwhile a later order may be known, and another player may have signed in.
      const now = keptOrder(player)?.orderId;
      if (playerNow() === player && (!now || now === kept)) keepOrder(player, open.orderId);
      return open;
    },
    refetchInterval: ({ state }) => (state.data && (isPaying(state.data) || isOverdue(state.data)) ? askEvery : false),
    staleTime: 0,
  });
