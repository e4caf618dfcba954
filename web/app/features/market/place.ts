import { queryClient } from "~/lib/query";
import { keepForTab, keys, readFromTab } from "~/lib/storage";
import { type Filters, listingsQuery } from "./queries";

/** Where the reader of a list of listings is. */
export interface Place {
  /** The key of the list's entry in the browser's history, which a reload keeps. */
  entry: string;
  /** How many pages of the list are loaded. */
  pages: number;
  /** The key of the first card in view; "" if the list's first row is. */
  card: string;
}

/** The most pages that are loaded again for a place. */
const mostPages = 50;

/** Keeps the reader's place in this tab. A later place replaces it. */
export function keepPlace(place: Place): void {
  keepForTab(keys.place, JSON.stringify(place));
}

function isPlace(value: unknown): value is Place {
  const { entry, pages, card } = (value ?? {}) as Partial<Place>;
  return typeof entry === "string" && Number.isSafeInteger(pages) && typeof card === "string";
}

function keptPlace(): Place | undefined {
  try {
    const kept: unknown = JSON.parse(readFromTab(keys.place) ?? "null");
    return isPlace(kept) ? kept : undefined;
  } catch {
    return undefined; // something else is stored
  }
}

/**
 * After a reload, begins to load the list as far as its reader had, and returns the key of the first card that was in view. A list that is
 * loaded keeps its place without that.
 */
export function returnToPlace(entry: string, filters: Filters): string | undefined {
  const list = listingsQuery(filters);
  const place = keptPlace();
  if (!place?.card || place.entry !== entry || queryClient.getQueryData(list.queryKey)) return undefined;
  void queryClient.prefetchInfiniteQuery({ ...list, pages: Math.min(Math.max(place.pages, 1), mostPages) });
  return place.card;
}
