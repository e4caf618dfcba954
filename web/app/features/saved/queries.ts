import { queryOptions } from "@tanstack/react-query";
import { type Filters, marketKeys } from "~/features/market/queries";
import { api, unwrap } from "~/lib/api/client";
import type { components } from "~/lib/api/schema.gen";
import { amount } from "~/lib/format";
import { paths } from "~/lib/paths";
import { queryClient } from "~/lib/query";
import { marketCurrency } from "~/lib/registry";

export type SavedSearch = components["schemas"]["SavedSearch"];
export type SearchFilters = components["schemas"]["SearchFilters"];
export type WatchedItem = components["schemas"]["WatchedItem"];

const searchesKey = ["watching", "searches"] as const;

/** The player's saved searches, newest first. */
export const searchesQuery = queryOptions({
  queryKey: searchesKey,
  queryFn: async ({ signal }) => (await unwrap(api.GET("/api/auth/marketplace/searches", { signal }))).items,
});

/** What the player watches, with the cheapest listing of each. */
export const watchlistQuery = queryOptions({
  queryKey: marketKeys.watched,
  queryFn: async ({ signal }) => (await unwrap(api.GET("/api/auth/marketplace/watchlist", { signal }))).items,
});

/** Saves a search. Throws ApiError with the server's reason, such as that there are too many. */
export async function saveSearch(name: string, filters: SearchFilters, alerts: boolean): Promise<void> {
  await unwrap(api.POST("/api/auth/marketplace/searches", { body: { name, filters, alerts } }));
  await queryClient.invalidateQueries({ queryKey: searchesKey });
}

/** Renames a search, or switches its alerts. */
export async function changeSearch({ searchId, name, alerts }: Pick<SavedSearch, "searchId" | "name" | "alerts">): Promise<void> {
  await unwrap(api.PUT("/api/auth/marketplace/searches/{id}", { params: { path: { id: searchId } }, body: { name, alerts } }));
  await queryClient.invalidateQueries({ queryKey: searchesKey });
}

/** Deletes a search. */
export async function deleteSearch(searchId: string): Promise<void> {
  await unwrap(api.DELETE("/api/auth/marketplace/searches/{id}", { params: { path: { id: searchId } } }));
  await queryClient.invalidateQueries({ queryKey: searchesKey });
}

/** Adds an item to what the player watches, or removes it. */
export async function setWatched(contract: string, tokenId: string, on: boolean): Promise<void> {
  const call = { params: { path: { contract, tokenId } } };
  const path = "/api/auth/marketplace/watchlist/{contract}/{tokenId}" as const;
  await unwrap(on ? api.PUT(path, call) : api.DELETE(path, call));
  await queryClient.invalidateQueries({ queryKey: marketKeys.watched });
}

/** The market's filters as those of a saved search, which has neither a sort order nor one card per item. */
export function filtersToSave({ sort: _, cheapest: __, ...filters }: Filters): SearchFilters {
  return Object.fromEntries(
    Object.entries(filters).filter(([, value]) => value === true || (typeof value === "object" ? value.length > 0 : value)),
  );
}

/** The address of what a saved search finds: an item's page, or the market with its filters. */
export function addressOf({ contract, tokenId, ...filters }: SearchFilters): string {
  if (contract && tokenId) return paths.item(contract, tokenId);
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...filters, collection: filters.collection ?? contract })) {
    for (const one of [value].flat()) if (one) query.append(name, String(one));
  }
  return `${paths.market}?${query}`;
}

/** A saved search's filters in words, such as "Avatars, rare, up to 12 USDC". */
export function filtersInWords(filters: SearchFilters, collectionName: (slug: string) => string): string {
  const { collection, q, rarity, trait, seller, free, min, max, tokenId } = filters;
  const price =
    min && max
      ? `${amount(min)} to ${amount(max)} ${marketCurrency.symbol}`
      : min
        ? `from ${amount(min)} ${marketCurrency.symbol}`
        : max
          ? `up to ${amount(max)} ${marketCurrency.symbol}`
          : "";
  return [
    tokenId ? "one item" : "",
    collection ? collectionName(collection) : "",
    q ? `“${q}”` : "",
    ...(rarity ?? []),
    ...(trait ?? []).map((one) => one.replace(":", ": ")),
    seller ? `seller ${seller.slice(0, 6)}…${seller.slice(-4)}` : "",
    free ? "free now" : "",
    price,
  ]
    .filter(Boolean)
    .join(", ");
}
