import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "~/lib/api/client";
import { keys, read, write } from "~/lib/storage";
import { marketKeys } from "./queries";

/** How many items are remembered. */
const most = 12;

/** Whether a value is a token's key with an id of at most 256 bits: the server refuses others. */
const isKey = (value: unknown): value is string =>
  typeof value === "string" && /^0x[0-9a-f]{40}:(0|[1-9][0-9]{0,77})$/.test(value) && BigInt(value.slice(43)) < 2n ** 256n;

/** The keys of the items whose pages were opened in this browser, those opened last first. */
export function viewedItems(): string[] {
  try {
    const kept: unknown = JSON.parse(read(keys.viewed) ?? "[]");
    if (!Array.isArray(kept)) return [];
    return [...new Set(kept.filter(isKey))].slice(0, most);
  } catch {
    return [];
  }
}

/** Puts the item with the key in front of those that were viewed. */
export function noteViewed(key: string): void {
  write(keys.viewed, JSON.stringify([key, ...viewedItems().filter((other) => other !== key)].slice(0, most)));
}

/** Items by their keys, with the cheapest listing of each, in the order asked for. Items that no longer exist are left out. */
export const offersQuery = (items: string[]) =>
  queryOptions({
    queryKey: [...marketKeys.viewed, items],
    queryFn: async ({ signal }) => (await unwrap(api.GET("/api/marketplace/items", { params: { query: { item: items } }, signal }))).items,
    enabled: items.length > 0,
  });
