import { queryOptions } from "@tanstack/react-query";
import { cartQuery } from "~/features/cart/queries";
import { session } from "~/features/session/store";
import { api, unwrap } from "~/lib/api/client";
import { ApiError } from "~/lib/api/problem";
import type { components } from "~/lib/api/schema.gen";
import { serverNow } from "~/lib/clock";
import { queryClient } from "~/lib/query";
import { keys, read, write } from "~/lib/storage";

export type Order = components["schemas"]["Order"];

/** How often an order that is on its way, or should have ended, is asked for, in milliseconds, in case a message is late. */
const askEvery = 1_500;

/** Whether more is to come. */
export function isOpen(order: Order): boolean {
  return order.state === "awaiting-payment" || isPaying(order);
}

/** Whether a payment may be on its way. */
export function isPaying(order: Order): boolean {
  return order.state === "submitted" || order.state === "confirming";
}

/** Whether it should have ended by now: the server is about to end it, or has. */
function isOverdue(order: Order): boolean {
  return order.state === "awaiting-payment" && Date.parse(order.expiresAt) <= serverNow();
}

/** Whether all or some of it was bought. */
export function isBought(order: Order): boolean {
  return order.state === "complete" || order.state === "partly-complete";
}

/** Whether it ended with a receipt: what was bought, or that nothing was. */
function hasReceipt(order: Order): boolean {
  return isBought(order) || order.state === "failed";
}

/** The newer of what is known and what the server has answered: a later order, or the later state of the same one. */
export function newestOf(known: Order | null | undefined, answered: Order): Order {
  if (!known) return answered;
  const isNewer =
    known.orderId === answered.orderId ? known.timeline.length > answered.timeline.length : Date.parse(known.createdAt) > Date.parse(answered.createdAt);
  return isNewer ? known : answered;
}

/** Who is signed in; "" for nobody. */
export function playerNow(): string {
  return session.get().profile?.AccountInfo.PlayFabId ?? "";
}

/** What this browser keeps of an order, so that a reload finds it. It is of use to its player only. */
interface Kept {
  player: string;
  orderId: string;
  /** Listings of units that the player has taken off the page since, one entry for each unit. */
  removed: string[];
  /** Whether its receipt need not be shown any more: it was, or the player has gone to the checkout since for what is held now. */
  seen: boolean;
}

/** The order that is kept for the player; null for none, and for another player's. */
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

/** Keeps an order for the player in place of the one that is kept. */
export function keepOrder(player: string, orderId: string): void {
  if (orderId !== keptOrder(player)?.orderId) keep({ player, orderId, removed: [], seen: false });
}

/** Keeps an order no longer, unless another one is kept by now. */
export function dropOrder(player: string, orderId: string): void {
  if (keptOrder(player)?.orderId === orderId) write(keys.order, null);
}

/** Notes whether the receipt of an order need not be shown any more, if the order is kept. */
export function noteSeen(player: string, orderId: string, seen: boolean): void {
  const kept = keptOrder(player);
  if (kept?.orderId === orderId && kept.seen !== seen) keep({ ...kept, seen });
}

/** Notes that the player has taken a unit of a listing off the page: it is not shown again when the order has ended. */
export function noteRemoved(player: string, listingId: string): void {
  const kept = keptOrder(player);
  if (kept) keep({ ...kept, removed: [...kept.removed, listingId] });
}

/** The name under which all orders are kept in the cache. */
export const ordersKey = ["order"] as const;

/** The name under which the player's order is kept in the cache. */
export const orderKey = (player: string) => [...ordersKey, player] as const;

async function load(orderId: string): Promise<Order | null> {
  const call = api.GET("/api/auth/marketplace/checkout/{orderId}", { params: { path: { orderId } } });
  return unwrap(call).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  });
}

/** Whether an order has a receipt that gives way to what is held now: it was seen before, and is not what the page shows. */
async function givesWay(player: string, order: Order): Promise<boolean> {
  const shown = queryClient.getQueryData<Order | null>(orderKey(player));
  if (!hasReceipt(order) || !keptOrder(player)?.seen || (shown?.orderId === order.orderId && !isOpen(shown))) return false;
  const cart = await queryClient.fetchQuery(cartQuery).catch(() => null);
  return (cart?.items.length ?? 0) > 0;
}

/**
 * The player's order: the one this browser is paying or has paid and not put away, else the open one, else the one that
 * ended without a purchase and is not put away; null for none. This is what a page that was reloaded, or closed by a
 * crash, goes on with. A receipt that was seen is put away when the page is opened again while something is held.
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
      // A later order may have become known meanwhile, and another player may have signed in.
      const now = keptOrder(player)?.orderId;
      if (playerNow() === player && (!now || now === kept)) keepOrder(player, open.orderId);
      return open;
    },
    refetchInterval: ({ state }) => (state.data && (isPaying(state.data) || isOverdue(state.data)) ? askEvery : false),
    staleTime: 0,
  });
