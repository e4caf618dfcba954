import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "~/lib/api/client";
import { ApiError } from "~/lib/api/problem";
import type { components } from "~/lib/api/schema.gen";
import { keys, read } from "~/lib/storage";

export type Order = components["schemas"]["Order"];

/** How often an order that is on its way is asked for, in milliseconds, in case a message is late. */
const askEvery = 1_500;

/** Whether more is to come. */
export function isOpen(order: Order): boolean {
  return order.state === "awaiting-payment" || isPaying(order);
}

/** Whether a payment may be on its way. */
export function isPaying(order: Order): boolean {
  return order.state === "submitted" || order.state === "confirming";
}

/** The name under which the order is kept. */
export const orderKey = ["order"] as const;

/**
 * The player's order: the one this browser is paying or has paid and not put away, else the open one; null for none. This
 * is what a page that was reloaded, or closed by a crash, goes on with.
 */
export const orderQuery = queryOptions({
  queryKey: orderKey,
  queryFn: async (): Promise<Order | null> => {
    const orderId = read(keys.order);
    if (!orderId) return (await unwrap(api.GET("/api/auth/marketplace/checkout"))).order ?? null;
    const call = api.GET("/api/auth/marketplace/checkout/{orderId}", { params: { path: { orderId } } });
    return unwrap(call).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    });
  },
  refetchInterval: ({ state }) => (state.data && isPaying(state.data) ? askEvery : false),
  staleTime: 0,
});
