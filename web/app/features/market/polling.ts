import type { InfiniteData, Query } from "@tanstack/react-query";
import { useEffect } from "react";
import { queryClient } from "~/lib/query";
import { createStore } from "~/lib/store";
import { type Filters, isLong, type ListingPage, listingsOf, marketKeys, readListings } from "./queries";

type Pages = InfiniteData<ListingPage, string>;

/** How often the market is refetched for a visitor, who has no realtime connection, in milliseconds. */
export const pollEvery = 15_000;

/** The listings of the list that are near the viewport, exclusive of `to`. */
export const shownRange = createStore({ from: 0, to: 0 });

/**
 * Refetches the pages of a long list that are near the viewport. If others would follow them now, the rest of the list is loaded
 * again by scrolling.
 */
async function refreshVisible({ queryKey, state }: Query): Promise<void> {
  const { pages, pageParams } = state.data as Pages;
  const { from, to } = shownRange.get();
  const filters = queryKey[2] as Filters;
  const endOf = (index: number) => listingsOf(pages.slice(0, index + 1), filters.cheapest).length;
  const first = pages.findIndex((_, index) => endOf(index) > from);
  if (first < 0) return;
  const fresh: ListingPage[] = [];
  let cursor = pageParams[first] ?? "";
  const params: string[] = [];
  for (let index = first; index < pages.length && (index === first || endOf(index - 1) < to) && (index === first || cursor); index++) {
    const page = await readListings(filters, cursor);
    params.push(cursor);
    fresh.push(page);
    cursor = page.nextCursor ?? "";
  }
  const next = first + fresh.length;
  const goesOn = pageParams[next] === cursor;
  queryClient.patchQueries<Pages>({ queryKey, exact: true }, (list) => {
    if (list.pages.length < next) return list; // it was refetched meanwhile
    const withFresh = <T>(old: T[], part: T[]) => [...old.slice(0, first), ...part, ...(goesOn ? old.slice(next) : [])];
    return { pages: withFresh(list.pages, fresh), pageParams: withFresh(list.pageParams, params) };
  });
}

/** Refetches the market every 15 s while the page is visible, and once it becomes visible again. */
export function useMarketPolling(): void {
  useEffect(() => {
    let last = Date.now();
    const poll = () => {
      if (document.hidden || Date.now() - last < pollEvery) return;
      last = Date.now();
      void queryClient.invalidateQueries({ queryKey: marketKeys.all, predicate: (query) => !isLong(query) });
      void queryClient.invalidateQueries({ queryKey: ["kodProducts"] });
      const long = queryClient.getQueryCache().findAll({ queryKey: marketKeys.listings, type: "active", predicate: isLong });
      for (const query of long) refreshVisible(query).catch(() => {}); // the next poll tries again
    };
    const timer = setInterval(poll, pollEvery);
    document.addEventListener("visibilitychange", poll);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", poll);
    };
  }, []);
}
