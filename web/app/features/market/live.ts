import type { InfiniteData } from "@tanstack/react-query";
import { useEffect } from "react";
import { rarities } from "~/components/ui/rarity";
import { type Channels, onMessage } from "~/features/realtime/messages";
import { queryClient } from "~/lib/query";
import { type Filters, type Item, type Listing, type ListingPage, marketKeys } from "./queries";

type Change = Channels["live-listings-change"];
type Pages = InfiniteData<ListingPage, string>;

/** Compares two prices in base units, which may be larger than a number can hold. */
function comparePrices(a: Listing, b: Listing): number {
  const difference = BigInt(a.pricePerToken) - BigInt(b.pricePerToken);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

const rank = (listing: Listing) => (rarities as readonly string[]).indexOf(listing.metadata.rarity);

/** Whether `a` comes before `b` in the order the player chose. */
function before(a: Listing, b: Listing, sort: Filters["sort"]): boolean {
  switch (sort) {
    case "newest":
      return true;
    case "price-asc":
      return comparePrices(a, b) < 0;
    case "price-desc":
      return comparePrices(a, b) > 0;
    case "rarity":
      return rank(a) > rank(b);
  }
}

/**
 * Whether a new listing belongs into a list; one that can't be bought belongs into none. A search by words or by price is
 * the server's business: it asks again.
 */
function fits(listing: Listing, filters: Filters): boolean | "ask" {
  const { collection, rarity, q, min, max } = filters;
  if (listing.isInvalid) return false;
  if (collection && collection !== listing.metadata.collection && collection.toLowerCase() !== listing.assetContractAddress.toLowerCase()) return false;
  if (rarity && rarity !== listing.metadata.rarity) return false;
  return q || min || max ? "ask" : true;
}

/** Puts a new listing at its place among those that are loaded. Behind the last loaded one it comes with its own page. */
function insert(pages: Pages, listing: Listing, sort: Filters["sort"]): Pages {
  const known = pages.pages.some((page) => page.items.some((l) => l.listingId === listing.listingId));
  if (known) return pages;
  let placed = false;
  const last = pages.pages.length - 1;
  const next = pages.pages.map((page, index) => {
    if (placed) return page;
    let at = page.items.findIndex((l) => before(listing, l, sort));
    if (at < 0 && index === last && !page.nextCursor) at = page.items.length;
    if (at < 0) return page;
    placed = true;
    return { ...page, items: page.items.toSpliced(at, 0, listing) };
  });
  return { ...pages, pages: count(next, 1) };
}

/** The total stands on the first page. */
function count(pages: ListingPage[], by: number): ListingPage[] {
  return pages.map((page, index) => (index === 0 && typeof page.total === "number" ? { ...page, total: page.total + by } : page));
}

function replace(pages: Pages, listing: Listing): Pages {
  return {
    ...pages,
    pages: pages.pages.map((page) => ({ ...page, items: page.items.map((l) => (l.listingId === listing.listingId ? listing : l)) })),
  };
}

function remove(pages: Pages, listing: Listing): Pages {
  const without = pages.pages.map((page) => ({ ...page, items: page.items.filter((l) => l.listingId !== listing.listingId) }));
  const removed = without.some((page, index) => page.items.length !== pages.pages[index]?.items.length);
  return { ...pages, pages: removed ? count(without, -1) : without };
}

/** Brings what the page knows of the market up to date with one change that the server tells everybody of. */
export function applyListingChange({ type, payload: { document } }: Change): void {
  for (const [key, pages] of queryClient.getQueriesData<Pages>({ queryKey: marketKeys.listings })) {
    if (!pages) continue;
    const filters = key[2] as Filters;
    if (type === "delete") queryClient.setQueryData(key, remove(pages, document));
    else if (type === "update") queryClient.setQueryData(key, replace(pages, document));
    else {
      const belongs = fits(document, filters);
      if (belongs === "ask") void queryClient.invalidateQueries({ queryKey: key });
      else if (belongs) queryClient.setQueryData(key, insert(pages, document, filters.sort));
    }
  }
  // A listing that can no longer be bought, though it has not ended: the server knows what is left.
  if (type === "update" && document.isInvalid) void queryClient.invalidateQueries({ queryKey: marketKeys.listings });
  if (type !== "update") void queryClient.invalidateQueries({ queryKey: marketKeys.collections });

  const itemKey = marketKeys.item(document.assetContractAddress, document.tokenId);
  const item = queryClient.getQueryData<Item>(itemKey);
  const old = item?.listings.find((l) => l.listingId === document.listingId);
  if (item && old && type === "update") {
    queryClient.setQueryData(itemKey, { ...item, listings: item.listings.map((l) => (l === old ? document : l)) });
  }
  // Owners and sales have changed too when units went.
  if (item && (type !== "update" || old?.quantity !== document.quantity)) void queryClient.invalidateQueries({ queryKey: itemKey });
}

/** Keeps the market up to date while the component is shown. */
export function useLiveListings(): void {
  useEffect(() => onMessage("live-listings-change", applyListingChange), []);
}
