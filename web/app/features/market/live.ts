import type { InfiniteData, Query } from "@tanstack/react-query";
import { useEffect } from "react";
import { rarities } from "~/components/ui/rarity";
import { type Channels, onMessage } from "~/features/realtime/messages";
import { connection } from "~/features/realtime/store";
import { compare } from "~/lib/amount";
import { queryClient } from "~/lib/query";
import { isSameAddress, listedTokenKey, tokenKey } from "~/lib/token";
import {
  type Collection,
  type Figures,
  type Filters,
  fetchFigures,
  fetchLiveListings,
  fetchTotal,
  type Item,
  type Kind as ItemKind,
  isOfKind,
  type Listing,
  type ListingPage,
  listingsOf,
  marketKeys,
  type Offer,
  type OfKind,
} from "./queries";

type Change = Channels["live-listings-change"];
type Kind = Change["type"];
type Pages = InfiniteData<ListingPage, string>;

const inOrder = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

const rankOf = (listing: Listing) => (rarities as readonly string[]).indexOf(listing.metadata.rarity);

const byPrice = (a: Listing, b: Listing) => compare(a.pricePerToken, b.pricePerToken);

/** Compares two listings in the chosen order; 0 if only their ids decide. */
function rank(a: Listing, b: Listing, sort: Filters["sort"]): number {
  switch (sort) {
    case "newest":
      return Date.parse(b.createdAt) - Date.parse(a.createdAt);
    case "price-asc":
      return byPrice(a, b);
    case "price-desc":
      return byPrice(b, a);
    case "rarity":
      return rankOf(b) - rankOf(a);
  }
}

/** Whether `a` comes before `b` in that order, which is the server's. */
function precedes(a: Listing, b: Listing, sort: Filters["sort"]): boolean {
  const ids = sort === "price-asc" ? inOrder(a._id, b._id) : inOrder(b._id, a._id);
  return (rank(a, b, sort) || ids) < 0;
}

/** Whether a listing has one of the chosen values of each chosen trait. */
function hasTraits({ metadata: { attributes } }: Listing, chosen: string[]): boolean {
  const own = new Set(attributes.map(({ trait_type, value }) => `${trait_type}:${value}`));
  const names = new Set(chosen.map((trait) => trait.slice(0, trait.indexOf(":"))));
  return [...names].every((name) => chosen.some((trait) => trait.startsWith(`${name}:`) && own.has(trait)));
}

/** Whether a unit of the listing is in nobody's cart. */
const hasFreeUnit = ({ quantity, inCartItems }: Listing) => quantity > inCartItems.length;

/** Whether a listing belongs in a list, except for the search words, which only the server can match. */
function fits(listing: Listing, { collection, rarity, trait, seller, min, max }: Filters): boolean {
  if (collection && collection !== listing.metadata.collection && !isSameAddress(collection, listing.assetContractAddress)) return false;
  if (rarity.length && !(rarity as string[]).includes(listing.metadata.rarity)) return false;
  if (seller && !isSameAddress(seller, listing.seller)) return false;
  if (!hasTraits(listing, trait)) return false;
  return !(min && compare(listing.price, min) < 0) && !(max && compare(listing.price, max) > 0);
}

/** Inserts a listing in order; returns the same pages if it belongs on a page that is not loaded yet. */
function place(pages: ListingPage[], listing: Listing, sort: Filters["sort"]): ListingPage[] {
  for (const [index, page] of pages.entries()) {
    let at = page.items.findIndex((l) => precedes(listing, l, sort));
    if (at < 0 && index === pages.length - 1 && !page.nextCursor) at = page.items.length;
    if (at >= 0) return pages.with(index, { ...page, items: page.items.toSpliced(at, 0, listing) });
  }
  return pages;
}

/** Adjusts the total, which is on the first page. */
function counted(pages: ListingPage[], by: number): ListingPage[] {
  const [first, ...others] = pages;
  return by && typeof first?.total === "number" ? [{ ...first, total: first.total + by }, ...others] : pages;
}

/** Whether a list has only the oldest free one of a seller's equal listings, as the server sends it. */
const isGrouped = ({ sort, seller }: Filters) => sort === "newest" && !seller;

/** Whether a listing of the list offers the same as another one of its seller's, and has a free unit. */
const repeats = (list: Pages, of: Listing) =>
  listingsOf(list.pages).some(
    (l) => listedTokenKey(l) === listedTokenKey(of) && l.seller === of.seller && l.price === of.price && hasFreeUnit(l),
  );

/** Whether a token may have listings without a card. */
const hasMore = (list: Pages, listing: Listing) =>
  list.pages.some(({ tokens }) => tokens?.some((of) => tokenKey(of) === listedTokenKey(listing) && of.offers > 1));

/** The list after a change of a listing; the same list if it is not affected or has a newer version of the listing. */
function withChange(list: Pages, kind: Kind, listing: Listing, filters: Filters, ask: () => void): Pages {
  const is = (l: Listing) => l.listingId === listing.listingId;
  const known = listingsOf(list.pages).find(is);
  if (known && known.version > listing.version) return list;
  const belongs = kind !== "delete" && fits(listing, filters);
  if (!known && filters.q) {
    if (kind === "insert") ask();
    return list;
  }
  // What is shown among the free ones stays when it is held, and says so: nothing disappears under the pointer.
  if (!known && (!belongs || listing.isInvalid || (filters.free && !hasFreeUnit(listing)))) return list;
  if (isGrouped(filters)) {
    if (!known && repeats(list, listing)) return { ...list, pages: counted(list.pages, Number(kind === "insert")) };
    const covers = belongs && hasFreeUnit(listing) && listing.price === known?.price;
    if (known && !covers && hasMore(list, listing)) ask();
  }
  if (known && belongs && rank(known, listing, filters.sort) === 0) {
    return {
      ...list,
      pages: list.pages.map((page) => (page.items.some(is) ? { ...page, items: page.items.map((l) => (is(l) ? listing : l)) } : page)),
    };
  }
  // The next page begins after the last loaded listing. If that one moves or disappears, the cursor no longer fits.
  const last = list.pages.at(-1);
  const end = last?.items.at(-1);
  if (last?.nextCursor && end && is(end)) ask();
  const without = known
    ? list.pages.map((page) => (page.items.some(is) ? { ...page, items: page.items.filter((l) => !is(l)) } : page))
    : list.pages;
  const pages = belongs ? place(without, listing, filters.sort) : without;
  if (pages === list.pages) return list;
  // Only listings that enter or leave the loaded pages are counted: for others it is unknown whether the total
  // includes them.
  const by = known ? Number(belongs) - 1 : Number(kind === "insert");
  return { ...list, pages: counted(pages, by) };
}

/**
 * The list of cheapest listings after a change of a listing. A card keeps its place while it is held. After a sale or a change of
 * the price the list is refetched: only the server knows the item's cheapest listing.
 */
function withCheapest(list: Pages, kind: Kind, listing: Listing, filters: Filters, ask: () => void): Pages {
  const card = listingsOf(list.pages).find((l) => listedTokenKey(l) === listedTokenKey(listing));
  const live = kind !== "delete" && !listing.isInvalid;
  if (card?.listingId === listing.listingId) {
    if (card.version > listing.version || (live && card.version === listing.version)) return list;
    if (!live || card.price !== listing.price) ask();
    return { ...list, pages: list.pages.map((page) => ({ ...page, items: page.items.map((l) => (l === card ? listing : l)) })) };
  }
  if (!live || !hasFreeUnit(listing) || !fits(listing, filters)) return list;
  // An item without a card may be on a page that is not loaded yet.
  if (card ? precedes(listing, card, "price-asc") : kind === "insert" || !list.pages.at(-1)?.nextCursor) ask();
  return list;
}

/**
 * An item's figures after a change of one of its listings. If the cheapest is sold or its price rises, the lowest price is unknown
 * until the page is refetched.
 */
function withFigures(list: Pages, kind: Kind, listing: Listing, priceBefore: string | undefined): Pages {
  const { price } = listing;
  const key = listedTokenKey(listing);
  const gone = kind === "delete" || listing.isInvalid;
  const next = (before: Figures): Figures => {
    if (tokenKey(before) !== key) return before;
    const of = kind === "insert" ? { ...before, offers: before.offers + 1 } : before;
    const { floor, ...rest } = of;
    if (!floor) return of;
    const order = compare(price, floor);
    if (gone ? order <= 0 : order > 0 && priceBefore === floor) return rest;
    return !gone && order < 0 ? { ...of, floor: price } : of;
  };
  const pages = list.pages.map((page) => {
    const tokens = page.tokens?.map(next);
    return tokens?.some((of, i) => of !== page.tokens?.[i]) ? { ...page, tokens } : page;
  });
  return pages.some((page, i) => page !== list.pages[i]) ? { ...list, pages } : list;
}

/** A token's page after a change of one of its listings, which are ordered by price. */
function withListing(item: Item, kind: Kind, listing: Listing): Item {
  const known = item.listings.find((l) => l.listingId === listing.listingId);
  if (known && known.version > listing.version) return item;
  const others = item.listings.filter((l) => l !== known);
  if (kind === "delete") return known ? { ...item, listings: others } : item;
  if (!known && listing.isInvalid) return item;
  const at = others.findIndex((l) => precedes(listing, l, "price-asc"));
  return { ...item, listings: others.toSpliced(at < 0 ? others.length : at, 0, listing) };
}

/** The cheapest listings of a kind after a change of a listing. */
function withinKind(list: OfKind, kind: Kind, listing: Listing, of: ItemKind, ask: () => void): OfKind {
  const { items, more, tokens } = list;
  const known = items.find((l) => l.listingId === listing.listingId);
  if (known && known.version > listing.version) return list;
  const belongs = kind !== "delete" && !listing.isInvalid && isOfKind(listing, of);
  if (!known && !belongs) return list;
  const others = items.filter((l) => l !== known);
  const at = belongs ? others.findIndex((l) => precedes(listing, l, "price-asc")) : -1;
  if (at >= 0) return { items: others.toSpliced(at, 0, listing), more, tokens };
  if (!more) return { items: belongs ? [...others, listing] : others, more, tokens };
  // It is after the last one, or gone: what is there now is not known.
  if (!known) return list;
  ask();
  return { items: others, more, tokens };
}

/**
 * The last message about each listing on this connection. The change of the next message is computed from it and not
 * from the caches, because one cache may contain the change already while another does not. A listing's first message
 * may have changed anything.
 */
const told = new Map<string, Pick<Listing, "price" | "quantity" | "version" | "startTimestamp" | "endTimestamp">>();

/** The delay after a change until totals are fetched again, in milliseconds: one fetch for many changes. */
export const recountAfter = 30_000;

let recount: ReturnType<typeof setTimeout> | undefined;

/** Whether only a part of the list is loaded, so that its total is the server's. */
const isPart = ({ state }: Query) => Boolean((state.data as Pages | undefined)?.pages.at(-1)?.nextCursor);

/** Whether the list has one card for each item. */
const isPerItem = ({ queryKey }: Query) => (queryKey[2] as Filters).cheapest;

/** The keys of the items that were dealt in since the last recount. */
const dealtIn = new Set<string>();

/** The most items whose figures are fetched after a delay. The figures of further ones stay until their list is refetched. */
const mostDealtIn = 100;

/** Fetches the figures of the items that were dealt in and have a card in a list; after a failure, once more with the next recount. */
async function refreshFigures(): Promise<void> {
  const lists = queryClient.getQueriesData<Pages>({ queryKey: marketKeys.listings });
  const carded = new Set(lists.flatMap(([, list]) => (list ? listingsOf(list.pages) : [])).map(listedTokenKey));
  const items = [...dealtIn].filter((item) => carded.has(item)).slice(0, mostDealtIn);
  dealtIn.clear();
  if (!items.length) return;
  const fresh = await fetchFigures(items).catch(() => undefined);
  if (!fresh) {
    for (const item of items) dealtIn.add(item);
    return recountSoon();
  }
  if (!fresh.length) return;
  queryClient.patchQueries<Pages>({ queryKey: marketKeys.listings }, (list) => ({
    ...list,
    pages: list.pages.map((page) => {
      const tokens = new Map(page.tokens?.map((of) => [tokenKey(of), of]));
      const own = new Set(page.items.map(listedTokenKey));
      for (const of of fresh) if (own.has(tokenKey(of))) tokens.set(tokenKey(of), of);
      return tokens.size ? { ...page, tokens: [...tokens.values()] } : page;
    }),
  }));
}

/**
 * Refetches the collections with their traits, the totals that are the server's, lists with one card for each item, and the figures
 * of items that were dealt in, after a delay. Patches cannot keep them correct, and the server's own totals may be a second old.
 */
function recountSoon(): void {
  recount ??= setTimeout(() => {
    recount = undefined;
    void refreshFigures();
    const part = (query: Query) => isPart(query) && !isPerItem(query);
    for (const query of queryClient.getQueryCache().findAll({ queryKey: marketKeys.listings, predicate: part })) void recountList(query);
    void queryClient.invalidateQueries({ queryKey: marketKeys.listings, predicate: isPerItem });
    void queryClient.invalidateQueries({ queryKey: marketKeys.collections });
    void queryClient.invalidateQueries({ queryKey: marketKeys.traits });
  }, recountAfter);
}

/** Refetches the total of a list, which stands on its first page; after a failure, once more with the next recount. */
async function recountList({ queryKey }: Query): Promise<void> {
  const total = await fetchTotal(queryKey[2] as Filters).catch(recountSoon);
  if (total)
    queryClient.patchQueries<Pages>({ queryKey, exact: true }, (list) => ({
      ...list,
      pages: list.pages.map((page, i) => (i ? page : { ...page, ...total })),
    }));
}

/** The last messages about listings that have become invalid, by their tokens' keys, until their tokens' listings are loaded. */
const lapsed = new Map<string, Listing[]>();

/** The delay until they are loaded, in milliseconds: many listings may become invalid at once. */
export const refreshAfter = 100;

/** The most tokens whose listings are loaded one by one. With more, the lists are refetched. */
const mostRefreshed = 5;

let refresh: ReturnType<typeof setTimeout> | undefined;

/** Loads the live listings of a token whose listing can no longer be bought but has not ended: only the server knows what is left. */
function refreshSoon(document: Listing): void {
  lapsed.set(listedTokenKey(document), [...(lapsed.get(listedTokenKey(document)) ?? []), document]);
  refresh ??= setTimeout(() => {
    refresh = undefined;
    const tokens = [...lapsed.values()];
    lapsed.clear();
    const reload = () => queryClient.invalidateQueries({ queryKey: marketKeys.listings });
    if (tokens.length > mostRefreshed) void reload();
    else for (const documents of tokens) refreshListings(documents).catch(reload);
  }, refreshAfter);
}

/** Applies the live listings of a token to the loaded lists, and removes those of the invalid listings that are not among them. */
async function refreshListings(documents: Listing[]): Promise<void> {
  const [{ assetContractAddress, tokenId }] = documents as [Listing];
  const loaded = await fetchLiveListings(assetContractAddress, tokenId);
  // The answer may be older than a message that arrived meanwhile, such as that a listing has ended.
  const live = loaded.filter(({ listingId, version }) => version >= (told.get(listingId)?.version ?? 0));
  const gone = documents.filter(({ listingId }) => !live.some((l) => l.listingId === listingId));
  queryClient.patchQueries<Pages>({ queryKey: marketKeys.listings }, (list, { queryKey, ask }) => {
    const filters = queryKey[2] as Filters;
    if (filters.cheapest) return list; // it refetches on its own
    const updated = live.reduce((pages, listing) => withChange(pages, "update", listing, filters, ask), list);
    return gone.reduce((pages, listing) => withChange(pages, "delete", listing, filters, ask), updated);
  });
  recountSoon(); // a total that arrived meanwhile did not include what is gone, which was now subtracted once more
}

/** Applies the broadcast change of a listing to the market data that the page has loaded. */
function applyListingChange({ type, payload: { document } }: Change): void {
  const before = told.get(document.listingId);
  const { listingId, price, quantity, version, startTimestamp, endTimestamp, assetContractAddress, tokenId } = document;
  told.set(listingId, { price, quantity, version, startTimestamp, endTimestamp });
  queryClient.patchQueries<Pages>({ queryKey: marketKeys.listings }, (list, { queryKey, ask }) => {
    const filters = queryKey[2] as Filters;
    const changed = (filters.cheapest ? withCheapest : withChange)(list, type, document, filters, ask);
    return withFigures(changed, type, document, before?.price);
  });
  if (type === "update" && document.isInvalid) refreshSoon(document);

  const dealt = type !== "update" || document.isInvalid;
  const repriced = before !== undefined && before.price !== price;
  // A hold too may change which listing is an item's cheapest, and move it across the end of the loaded pages.
  const perItem = queryClient.getQueryCache().findAll({ queryKey: marketKeys.listings, predicate: isPerItem }).length > 0;
  // A sale also changes owners and sales. One message may stand for several changes, including a sale.
  const traded = dealt || before?.quantity !== quantity || before.version + 1 < version;
  if (traded || repriced) dealtIn.add(listedTokenKey(document));
  if (traded || repriced || perItem) recountSoon();
  queryClient.patchQueries<Collection[]>({ queryKey: marketKeys.collections }, (collections, { ask }) => {
    const floor = collections.find((c) => c.slug === document.metadata.collection)?.floor;
    if (dealt || repriced || (floor && compare(price, floor) < 0)) ask();
    return collections;
  });

  queryClient.patchQueries<Item>({ queryKey: marketKeys.item(assetContractAddress, tokenId) }, (item, { ask }) => {
    if (traded) ask();
    return withListing(item, type, document);
  });
  if (traded) {
    void queryClient.invalidateQueries({ queryKey: marketKeys.history(assetContractAddress, tokenId) });
    void queryClient.invalidateQueries({ queryKey: marketKeys.sales });
  }
  const moved = before?.startTimestamp !== startTimestamp || before.endTimestamp !== endTimestamp;
  if (traded || repriced || moved) void queryClient.invalidateQueries({ queryKey: marketKeys.activity(assetContractAddress, tokenId) });
  for (const queryKey of [marketKeys.viewed, marketKeys.watched]) {
    queryClient.patchQueries<Offer[]>({ queryKey }, (offers, { ask }) => {
      const isOf = (offer: Offer) => tokenKey(offer) === listedTokenKey(document);
      if ((dealt || repriced || !before) && offers.some(isOf)) ask();
      return offers;
    });
  }
  queryClient.patchQueries<OfKind>({ queryKey: marketKeys.similar }, (list, { queryKey, ask }) =>
    withinKind(list, type, document, queryKey[2] as ItemKind, ask),
  );
}

/** Keeps the market up to date while the component is mounted. */
export function useLiveListings(): void {
  useEffect(() => {
    const stops = [
      onMessage("live-listings-change", applyListingChange),
      connection.subscribe(() => {
        const { state } = connection.get();
        if (state === "Disconnected" || state === "Stopped") told.clear(); // messages in between are lost
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      told.clear();
      clearTimeout(recount);
      recount = undefined;
      clearTimeout(refresh);
      refresh = undefined;
      lapsed.clear();
      dealtIn.clear();
    };
  }, []);
}
