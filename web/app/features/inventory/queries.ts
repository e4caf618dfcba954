import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "~/lib/api/client";
import type { components } from "~/lib/api/schema.gen";

export type Holding = components["schemas"]["Holding"];

/** The kinds of things a player can own, in the order they are shown, with the call that lists each. */
export const kinds = [
  { list: "listElderGods", title: "Elder Gods" },
  { list: "listImmortals", title: "Immortals" },
  { list: "listAvatars", title: "Avatars" },
  { list: "listGameItems", title: "Arms & relics" },
  { list: "listPacks", title: "KOD packs" },
  { list: "listPiggyBanks", title: "Piggy banks" },
  { list: "listArks", title: "Arks" },
  { list: "listPowerPacks", title: "Power packs" },
] as const;

export type List = (typeof kinds)[number]["list"];

/** How often holdings are asked for while they are looked at, in milliseconds: gifts and drops arrive by themselves. */
const askEvery = 10_000;

/** The first part of the names under which holdings are kept; invalidate it when something changed hands. */
export const holdingsKey = ["holdings"] as const;

/** What the player holds of one kind, page by page. */
export const holdingsQuery = (list: List) =>
  infiniteQueryOptions({
    queryKey: [...holdingsKey, list],
    queryFn: ({ pageParam, signal }) => unwrap(api.GET(`/api/auth/nft/${list}`, { params: { query: pageParam ? { cursor: pageParam } : {} }, signal })),
    initialPageParam: "",
    getNextPageParam: (last) => last.nextCursor || undefined,
    refetchInterval: askEvery,
  });

/** The player's passes, by kind. */
export const passesQuery = queryOptions({
  queryKey: [...holdingsKey, "passes"],
  queryFn: ({ signal }) => unwrap(api.GET("/api/auth/nft/listPasses", { signal })),
  refetchInterval: askEvery,
});

/** The player's currencies on the game platform: amount by code. */
export const currenciesQuery = queryOptions({
  queryKey: [...holdingsKey, "currencies"],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/api/auth/currencies", { signal }))).currencies,
});

/** The currency codes that are shown together, and their names. */
export const purses = [
  { name: "Followers", codes: ["d0", "d1", "f2", "f3"] },
  { name: "Tokens", codes: ["gt", "nt", "et", "ct"] },
  { name: "InfiniGold", codes: ["ig"] },
  { name: "Nectar", codes: ["ne"] },
  { name: "Fate", codes: ["fa"] },
] as const;

/** The sum of some currencies. */
export function sumOf(currencies: Record<string, number>, codes: readonly string[]): number {
  return codes.reduce((sum, code) => sum + (currencies[code] ?? 0), 0);
}
