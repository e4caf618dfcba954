import { type InfiniteData, infiniteQueryOptions } from "@tanstack/react-query";
import { useEffect } from "react";
import { ownKey } from "~/features/market/own";
import { onMessage } from "~/features/realtime/messages";
import { walletAddress } from "~/features/wallet/balance";
import { api, unwrap } from "~/lib/api/client";
import type { components } from "~/lib/api/schema.gen";
import { queryClient } from "~/lib/query";
import { isSameAddress } from "~/lib/token";

export type OwnListing = components["schemas"]["OwnListing"];
/** The states by which listings are shown; invalid includes returned. */
export type Shown = Exclude<OwnListing["state"], "returned">;
type Page = components["schemas"]["OwnListings"];

/** The prefix of the query keys of the player's own listings. */
export const listingsKey = ["own-listings"] as const;

/** The player's own listings in a state, newest first, page by page. */
export const ownListingsQuery = (state: Shown) =>
  infiniteQueryOptions({
    queryKey: [...listingsKey, state],
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET("/api/auth/marketplace/my-listings", { params: { query: { state, ...(pageParam ? { cursor: pageParam } : {}) } }, signal }),
      ),
    initialPageParam: "",
    getNextPageParam: (last) => last.nextCursor || undefined,
  });

/** All of the player's live listings, which may be many pages. */
export async function allLive(): Promise<OwnListing[]> {
  const all: OwnListing[] = [];
  let cursor: string | undefined;
  do {
    const page: Page = await unwrap(
      api.GET("/api/auth/marketplace/my-listings", { params: { query: { state: "live", limit: 100, ...(cursor ? { cursor } : {}) } } }),
    );
    all.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor);
  return all;
}

/** Keeps what the player sells up to date while the component is mounted: prices, holds and sales, as they are announced. */
export function useLiveSelling(): void {
  useEffect(() => {
    const again = () => {
      for (const queryKey of [listingsKey, ownKey]) void queryClient.invalidateQueries({ queryKey });
    };
    const stops = [
      onMessage("live-listings-change", ({ payload: { document } }) => {
        if (!isSameAddress(document.seller, walletAddress())) return;
        queryClient.patchQueries<InfiniteData<Page>>({ queryKey: listingsKey }, (list) => ({
          ...list,
          pages: list.pages.map((page) => ({
            ...page,
            items: page.items.map((own) =>
              own.listing.listingId === document.listingId && own.listing.version < document.version ? { ...own, listing: document } : own,
            ),
          })),
        }));
        again();
      }),
      onMessage("listing", ({ type }) => type !== "hold-ended" && again()),
      onMessage("holdings", () => void queryClient.invalidateQueries({ queryKey: ownKey })),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
}
