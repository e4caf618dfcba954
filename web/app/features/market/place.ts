import { queryClient } from "~/lib/query";
import { tabKeys } from "~/lib/tab-keys";
import { keepForTab, readFromTab } from "~/lib/tab-storage";
import { type Filters, listingsQuery } from "./queries";

/** Where the reader of a list of listings is. */
export interface Place {
  /** The key of the list's entry in the browser's history, which a reload keeps. */
  entry: string;
  /** How many pages of the list reach to the end of the window. */
  pages: number;
  /** The keys of the cards in view, in order; none if the first row is in view. */
  cards: string[];
}

/** The maximum number of pages loaded to restore a place. */
const mostPages = 50;

/** Keeps the reader's place in this tab. A later place replaces it. */
export function keepPlace(place: Place): void {
  keepForTab(tabKeys.place, JSON.stringify(place));
}

function isPlace(value: unknown): value is Place {
  const { entry, pages, cards } = (value ?? {}) as Partial<Place>;
  return typeof entry === "string" && Number.isSafeInteger(pages) && Array.isArray(cards);
}

function keptPlace(): Place | undefined {
  try {
    const kept: unknown = JSON.parse(readFromTab(tabKeys.place) ?? "null");
    return isPlace(kept) ? kept : undefined;
  } catch {
    return undefined; // something else is stored
  }
}

/**
 * After a reload, begins to load the list as far as its reader was, and returns the keys of the cards that were in view. A list that is
 * already loaded keeps its place by itself.
 */
export function returnToPlace(entry: string, filters: Filters): string[] {
  const list = listingsQuery(filters);
  const place = keptPlace();
  if (place?.entry !== entry || !place.cards.length || place.pages > mostPages || queryClient.getQueryData(list.queryKey)) return [];
  void queryClient.prefetchInfiniteQuery({ ...list, pages: Math.max(place.pages, 1) });
  return place.cards;
}
