import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "~/lib/api/client";
import type { components } from "~/lib/api/schema.gen";
import { currenciesOf } from "~/lib/currencies";

export type Holding = components["schemas"]["Holding"];

/** The API's operation that lists a player's holdings of a kind of goods, such as "listArks"; the registry names that of each kind. */
export type List = string;

/** The common prefix of the holdings' query keys; invalidate it when tokens were transferred. */
export const holdingsKey = ["holdings"] as const;

/** The query key of the holdings of one kind. */
export const listKey = (list: List) => [...holdingsKey, list] as const;

/** The lists of which pages are typed: one without fields of its own, and the two that have some. */
type Listed = "/api/auth/nft/listImmortals" | "/api/auth/nft/listGameItems" | "/api/auth/nft/listPasses";

/** The player's holdings of one kind, page by page. It is refetched when the realtime channel announces a change. */
export const holdingsQuery = (list: List) =>
  infiniteQueryOptions({
    queryKey: listKey(list),
    queryFn: ({ pageParam, signal }) =>
      unwrap(api.GET(`/api/auth/nft/${list}` as Listed, { params: { query: pageParam ? { cursor: pageParam } : {} }, signal })),
    initialPageParam: "",
    getNextPageParam: (last) => last.nextCursor || undefined,
  });

/** The player's currencies on the game platform: amount by code. */
export const currenciesQuery = queryOptions({
  queryKey: [...holdingsKey, "currencies"],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/api/auth/currencies", { signal }))).currencies,
});

/** The currency codes that count as followers. */
export const followerCodes = currenciesOf("followers").map(({ code }) => code);
/** The currency codes that count as tokens. */
export const tokenCodes = currenciesOf("tokens").map(({ code }) => code);

/** Amount by currency code. */
export type Currencies = Record<string, number>;

/** The sum of some currencies. */
export function sumOf(currencies: Currencies, codes: readonly string[]): number {
  return codes.reduce((sum, code) => sum + (currencies[code] ?? 0), 0);
}

/** What piggy banks hold, by the current tariff. */
export const piggyBanksConfigQuery = queryOptions({
  queryKey: ["piggyBanksConfig"],
  queryFn: ({ signal }) => unwrap(api.GET("/api/piggy-banks/config", { signal })),
});

/** What power packs hold, by the current tariff. */
export const powerPacksConfigQuery = queryOptions({
  queryKey: ["powerPacksConfig"],
  queryFn: ({ signal }) => unwrap(api.GET("/api/power-packs/config", { signal })),
});

/** What breaking up arks yields, by the current tariff. */
export const arksConfigQuery = queryOptions({
  queryKey: ["arksConfig"],
  queryFn: ({ signal }) => unwrap(api.GET("/api/arks/config", { signal })),
});
