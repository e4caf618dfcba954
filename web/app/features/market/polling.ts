import type { InfiniteData, Query } from "@tanstack/react-query";
import { useEffect } from "react";
import { api, unwrap } from "~/lib/api/client";
import { queryClient } from "~/lib/query";
import { createStore } from "~/lib/store";
import { askedOf, type Filters, type ListingPage, listingsOf, marketKeys } from "./queries";

type Pages = InfiniteData<ListingPage, string>;

/** How often the market is refetched for a visitor, who has no realtime connection, in milliseconds. */
export const pollEvery = 15_000;

/** The most pages of a list that are refetched as a whole; of longer ones only what is visible is. */
const mostPages = 3;

/** The listings of the list that are near the viewport, exclusive of `to`. */
export const shownRange = createStore({ from: 0, to: 0 });

const isLong = ({ queryKey, state }: Query) => queryKey[1] === marketKeys.listings[1] && ((state.data as Pages | undefined)?.pages.length ?? 0) > mostPages;

/** Refetches the pages of a long list that are near the viewport. */
async function refreshVisible({ queryKey, state }: Query): Promise<void> {
  const { pages, pageParams } = state.data as Pages;
  const { from, to } = shownRange.get();
  for (const [index, cursor] of pageParams.entries()) {
    const begin = listingsOf(pages.slice(0, index)).length;
    const end = listingsOf(pages.slice(0, index + 1)).length;
    if (begin >= to || end <= from) continue;
    const limit = pages[index]?.items.length || 1;
    const query = { ...askedOf(queryKey[2] as Filters), limit, ...(cursor ? { cursor } : {}) };
    const { items } = await unwrap(api.GET("/api/marketplace/listings", { params: { query } }));
    queryClient.patchQueries<Pages>({ queryKey, exact: true }, (list) => ({
      ...list,
      pages: list.pages.map((page, i) => (i === index ? { ...page, items } : page)),
    }));
  }
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
