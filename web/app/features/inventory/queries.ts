import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "~/lib/api/client";
import type { components } from "~/lib/api/schema.gen";
import type { kinds } from "~/lib/collections.gen";
import { followerKinds, tokenKinds } from "~/lib/currencies";

export type Holding = components["schemas"]["Holding"];

/** An operation of the API that lists what a player holds of a kind of goods. */
export type List = (typeof kinds)[number]["list"];

/** The first part of the names under which holdings are kept; invalidate it when something changed hands. */
export const holdingsKey = ["holdings"] as const;

/** The name under which the holdings of one kind are kept. */
export const listKey = (list: List) => [...holdingsKey, list] as const;

/** What the player holds of one kind, page by page. It is asked for anew when the realtime channel tells of a change. */
export const holdingsQuery = (list: List) =>
  infiniteQueryOptions({
    queryKey: listKey(list),
    queryFn: ({ pageParam, signal }) => unwrap(api.GET(`/api/auth/nft/${list}`, { params: { query: pageParam ? { cursor: pageParam } : {} }, signal })),
    initialPageParam: "",
    getNextPageParam: (last) => last.nextCursor || undefined,
  });

/** The player's currencies on the game platform: amount by code. */
export const currenciesQuery = queryOptions({
  queryKey: [...holdingsKey, "currencies"],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/api/auth/currencies", { signal }))).currencies,
});

/** The currency codes that count as followers. */
export const followerCodes = followerKinds.map(({ code }) => code);
/** The currency codes that count as tokens. */
export const tokenCodes = tokenKinds.map(({ code }) => code);

/** The currency codes that are shown together, and their names. Their sums are the specification's sumOfFollowers, sumOfTokens, sumOfInfiniGold and sumOfNectar. */
export const purses = [
  { name: "Followers", codes: followerCodes },
  { name: "Tokens", codes: tokenCodes },
  { name: "InfiniGold", codes: ["ig"] },
  { name: "Nectar", codes: ["ne"] },
  { name: "Fate", codes: ["fa"] },
] as const;

/** Amount by currency code. */
export type Currencies = Record<string, number>;

/** The sum of some currencies. */
export function sumOf(currencies: Currencies, codes: readonly string[]): number {
  return codes.reduce((sum, code) => sum + (currencies[code] ?? 0), 0);
}

/** What arks give when they are broken up, by the tariff in force. */
export const arksConfigQuery = queryOptions({
  queryKey: ["arksConfig"],
  queryFn: ({ signal }) => unwrap(api.GET("/api/arks/config", { signal })),
});
