import { infiniteQueryOptions, queryOptions, useQuery } from "@tanstack/react-query";
import { configQuery } from "~/features/config/config";
import { keepNonce, newNonce } from "~/features/packs/nonces";
import { isOver, type Reward } from "~/features/reward/queries";
import { api, unwrap } from "~/lib/api/client";
import type { components } from "~/lib/api/schema.gen";
import { serverNow } from "~/lib/clock";

export type Product = components["schemas"]["WebstoreProduct"];
export type Variation = components["schemas"]["WebstoreVariation"];
export type Content = components["schemas"]["WebstoreContent"];
export type HandOff = components["schemas"]["WebstoreHandOff"];
export type Order = components["schemas"]["WebstoreOrder"];
export type Debt = components["schemas"]["WebstoreDebt"];

/** The query keys of the webstore. */
export const webstoreKeys = {
  all: ["webstore"] as const,
  products: (playFabId: string) => [...webstoreKeys.all, "products", playFabId] as const,
  orders: () => [...webstoreKeys.all, "orders"] as const,
  handOff: (id: string) => [...webstoreKeys.all, "orders", "hand-off", id] as const,
  list: () => [...webstoreKeys.all, "orders", "list"] as const,
};

/** The products, with what the player has bought of each; `playFabId` is "" for a visitor. */
export const productsQuery = (playFabId: string) =>
  queryOptions({
    queryKey: webstoreKeys.products(playFabId),
    queryFn: ({ signal }) =>
      unwrap(api.GET("/api/webstore/getProducts", { params: { header: playFabId ? { "x-fab-id": playFabId } : {} }, signal })),
  });

/** The products for a component, in the specification's names. `pricesOf` is when the prices were right, if they may have changed. */
export function useWebstoreProducts(playFabId: string) {
  const { data, isPending, error, refetch } = useQuery(productsQuery(playFabId));
  return { webstoreProducts: data?.products, pricesOf: data?.pricesOf, webstoreProductsLoading: isPending, error, refetch };
}

/** How often an order is polled until everything is given, in milliseconds, in case a message is late. */
export const pollEvery = 5_000;

/** The same while all that is missing is sent later. */
export const pollLater = 60_000;

/** Whether the reward waits for the time at which a part of it is sent. */
const isLater = ({ grants }: Reward): boolean =>
  grants.some(({ state, notBefore }) => state === "pending" && notBefore && Date.parse(notBefore) > serverNow() + pollLater);

/** In how many milliseconds an order is polled again; false for one of which everything is given. */
function pollAfter(handOff: HandOff): number | false {
  if (isSettled(handOff)) return false;
  return handOff.order?.rewards.every((reward) => isOver(reward) || isLater(reward)) ? pollLater : pollEvery;
}

/** Whether the order is paid, and each of its rewards is given or will not be given. */
export const isSettled = ({ order }: HandOff): boolean => order?.rewards.every(isOver) ?? false;

/** The order that came from a hand-off to the shop. Polled until everything is given. */
export const handOffQuery = (id: string) =>
  queryOptions({
    queryKey: webstoreKeys.handOff(id),
    queryFn: ({ signal }) => unwrap(api.GET("/api/auth/webstore/handoffs/{id}", { params: { path: { id } }, signal })),
    refetchInterval: ({ state: { data, error } }) => (data && !error ? pollAfter(data) : pollEvery),
  });

/** The player's paid orders, newest first, page by page. Each page has all debts. Polled while one is being paid. */
export const ordersQuery = infiniteQueryOptions({
  queryKey: webstoreKeys.list(),
  queryFn: ({ pageParam, signal }) =>
    unwrap(api.GET("/api/auth/webstore/orders", { params: { query: pageParam ? { cursor: pageParam } : {} }, signal })),
  initialPageParam: "",
  getNextPageParam: (last) => last.nextCursor || undefined,
  refetchInterval: ({ state: { data } }) => (data?.pages[0]?.debts.some(({ paying }) => paying) ? pollEvery : false),
});

/** The contract of USDC; "" while it is not known. */
export const useUsdc = (): string => useQuery(configQuery).data?.contracts.usdc ?? "";

/** Starts the purchase of a variation; of packs that are drawn when they are paid for with a nonce. Returns the shop's address for it. */
export async function startCheckout(productId: number, { variationId, opens }: Pick<Variation, "variationId" | "opens">): Promise<string> {
  const nonce = opens ? newNonce() : undefined;
  const { url, handOffId } = await unwrap(
    api.POST("/api/auth/webstore/checkout", { body: { productId, variationId, ...(nonce && { nonce }) } }),
  );
  if (nonce) keepNonce(handOffId, nonce);
  return url;
}

/** Returns the shop's address with the player's encrypted id. The server refuses addresses that are not the shop's. */
export async function returnToShop(returnUrl: string): Promise<string> {
  return (await unwrap(api.POST("/api/auth/webstore/return", { body: { returnUrl } }))).url;
}
