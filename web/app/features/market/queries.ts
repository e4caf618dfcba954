import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Rarity } from "~/components/ui/rarity";
import { rebuildCart } from "~/features/cart/live";
import { connection } from "~/features/realtime/store";
import { api, unwrap } from "~/lib/api/client";
import type { components } from "~/lib/api/schema.gen";
import { listedTokenKey, tokenKey } from "~/lib/token";

export type Listing = components["schemas"]["Listing"];
export type ListingPage = components["schemas"]["ListingPage"];
/** The market's figures of an item. */
export type Figures = components["schemas"]["TokenFigures"];
export type Item = components["schemas"]["Item"];
/** A token and its cheapest live listing. */
export type Offer = components["schemas"]["Offer"];
export type Collection = components["schemas"]["Collection"];
export type ItemEvent = components["schemas"]["ItemEvent"];
export type ItemActivity = components["schemas"]["ItemActivity"];
export type PricePoint = components["schemas"]["PricePoint"];
/** Display names of players by the addresses of their smart wallets. */
export type Names = Item["names"];

export const sorts = ["newest", "price-asc", "price-desc", "rarity"] as const;
export type Sort = (typeof sorts)[number];

/** The market's filters, as in the page's address. Empty strings and lists match everything. */
export interface Filters {
  collection: string;
  q: string;
  /** Any of these, lowest first. */
  rarity: Rarity[];
  /** Traits as `name:value`: several values of one trait match any of them, several traits all of them. */
  trait: string[];
  /** The seller's address. */
  seller: string;
  /** Only listings with a unit in nobody's cart. */
  free: boolean;
  /** Only the cheapest listing of each item. */
  cheapest: boolean;
  /** Prices, decimal. */
  min: string;
  max: string;
  sort: Sort;
}

/** Listings on the first page of a list, and on the others: few come soon, and a long list needs few requests. */
const pageSizes = { first: 30, next: 100 };

/** The filters that are set, as the query of a request. */
export const askedOf = (filters: Filters) =>
  Object.fromEntries(
    Object.entries(filters).filter(([, value]) => value === true || (typeof value === "object" ? value.length > 0 : value)),
  );

/** The query keys of the market. */
export const marketKeys = {
  all: ["market"] as const,
  listings: ["market", "listings"] as const,
  filtered: (filters: Filters) => ["market", "listings", filters] as const,
  collections: ["market", "collections"] as const,
  traits: ["market", "traits"] as const,
  sales: ["market", "sales"] as const,
  items: ["market", "item"] as const,
  item: (contract: string, tokenId: string) => ["market", "item", contract.toLowerCase(), tokenId] as const,
  history: (contract: string, tokenId: string) => ["market", "history", contract.toLowerCase(), tokenId] as const,
  activity: (contract: string, tokenId: string) => ["market", "activity", contract.toLowerCase(), tokenId] as const,
  viewed: ["market", "viewed"] as const,
  watched: ["market", "watched"] as const,
  similar: ["market", "similar"] as const,
  ofKind: (kind: Kind) => ["market", "similar", kind] as const,
};

/** The most pages of a list that are refetched as a whole. */
const mostRefetched = 3;

/** Whether a list of listings has so many pages that it is not refetched as a whole without need. */
export const isLong = ({ queryKey, state }: { queryKey: readonly unknown[]; state: { data: unknown } }): boolean =>
  queryKey[1] === marketKeys.listings[1] && ((state.data as { pages: unknown[] } | undefined)?.pages.length ?? 0) > mostRefetched;

/** Reads the page after a cursor, "" for the first one. Where very few match, the server may send no items and where to go on. */
export async function readListings(filters: Filters, cursor: string, signal?: AbortSignal): Promise<ListingPage> {
  const limit = cursor ? pageSizes.next : pageSizes.first;
  const read = (after: string) =>
    unwrap(
      api.GET("/api/marketplace/listings", {
        params: { query: { ...askedOf(filters), limit, ...(after ? { cursor: after } : {}) } },
        ...(signal ? { signal } : {}),
      }),
    );
  const first = await read(cursor);
  let page = first;
  while (page.items.length === 0 && page.nextCursor) page = await read(page.nextCursor);
  const { total, totalAtLeast } = first;
  return { ...page, ...(total === undefined ? {} : { total }), ...(totalAtLeast === undefined ? {} : { totalAtLeast }) };
}

/** The live listings that match the filters, page by page. */
export const listingsQuery = (filters: Filters) =>
  infiniteQueryOptions({
    queryKey: marketKeys.filtered(filters),
    queryFn: async ({ pageParam, signal }) => {
      const page = await readListings(filters, pageParam, signal);
      rebuildCart(page.items);
      return page;
    },
    initialPageParam: "",
    getNextPageParam: (last) => last.nextCursor || undefined,
    // The realtime channel keeps a list current that is not shown, so that a long one need not be loaded again on the way back.
    staleTime: () => (connection.get().joined ? Number.POSITIVE_INFINITY : 30_000),
    refetchOnMount: (query) => !isLong(query),
    refetchOnWindowFocus: (query) => !isLong(query),
    gcTime: 30 * 60_000,
  });

/** The most live listings of a token that are loaded at once: as many as the server sends. */
const mostOfToken = 100;

/** The live listings of a token, each once. */
export async function fetchLiveListings(assetContractAddress: string, tokenId: string): Promise<Listing[]> {
  const body = { assetContractAddress, tokenId, limit: mostOfToken };
  const { data } = await unwrap(api.POST("/api/marketplace/liveListings/getLiveListings", { body }));
  const listings = listingsOf([{ items: data }]);
  rebuildCart(listings);
  return listings;
}

/** How many live listings match the filters. */
export async function fetchTotal(filters: Filters): Promise<Pick<ListingPage, "total" | "totalAtLeast">> {
  const { total, totalAtLeast } = await unwrap(
    api.GET("/api/marketplace/listings", { params: { query: { ...askedOf(filters), limit: 1 } } }),
  );
  return { total, totalAtLeast } as Pick<ListingPage, "total" | "totalAtLeast">;
}

/** The most tokens in one request for figures. */
const mostAsked = 20;

/** The market's figures of items; those of items that no longer exist are left out. `items` are their keys. */
export async function fetchFigures(items: string[]): Promise<Figures[]> {
  const parts = Array.from({ length: Math.ceil(items.length / mostAsked) }, (_, i) => items.slice(i * mostAsked, (i + 1) * mostAsked));
  const answers = await Promise.all(parts.map((item) => unwrap(api.GET("/api/marketplace/items", { params: { query: { item } } }))));
  return answers.flatMap(({ tokens }) => tokens);
}

/** The traits of a collection's listings, with the number of listings of each value. */
export const traitsQuery = (collection: string) =>
  queryOptions({
    queryKey: [...marketKeys.traits, collection],
    queryFn: async ({ signal }) => (await unwrap(api.GET("/api/marketplace/traits", { params: { query: { collection } }, signal }))).items,
    enabled: collection !== "",
  });

/** What was sold last, in a collection or in all (""), page by page. */
export const salesQuery = (collection: string) =>
  infiniteQueryOptions({
    queryKey: [...marketKeys.sales, collection],
    queryFn: async ({ pageParam, signal }) => {
      const read = (cursor: string) =>
        unwrap(
          api.GET("/api/marketplace/sales", {
            params: { query: { ...(collection ? { collection } : {}), ...(cursor ? { cursor } : {}) } },
            signal,
          }),
        );
      let page = await read(pageParam);
      while (page.items.length === 0 && page.nextCursor) page = await read(page.nextCursor);
      return page;
    },
    initialPageParam: "",
    getNextPageParam: (last) => last.nextCursor || undefined,
  });

/** The collections with their number of listings and lowest price. */
export const collectionsQuery = queryOptions({
  queryKey: marketKeys.collections,
  queryFn: async ({ signal }) => (await unwrap(api.GET("/api/marketplace/collections", { signal }))).items,
});

/** One token with its owners, listings and last sales. */
export const itemQuery = (contract: string, tokenId: string) =>
  queryOptions({
    queryKey: marketKeys.item(contract, tokenId),
    queryFn: ({ signal }) =>
      unwrap(api.GET("/api/marketplace/items/{contract}/{tokenId}", { params: { path: { contract, tokenId } }, signal })),
  });

/** The prices of a token's last sales, oldest first, and whether there are older ones. */
export const historyQuery = (contract: string, tokenId: string) =>
  queryOptions({
    queryKey: marketKeys.history(contract, tokenId),
    queryFn: ({ signal }) =>
      unwrap(api.GET("/api/marketplace/items/{contract}/{tokenId}/history", { params: { path: { contract, tokenId } }, signal })),
  });

/** What happened to a token, newest first, page by page. */
export const activityQuery = (contract: string, tokenId: string) =>
  infiniteQueryOptions({
    queryKey: marketKeys.activity(contract, tokenId),
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api.GET("/api/marketplace/items/{contract}/{tokenId}/activity", {
          params: { path: { contract, tokenId }, query: { limit: 20, ...(pageParam ? { cursor: pageParam } : {}) } },
          signal,
        }),
      ),
    initialPageParam: "",
    getNextPageParam: (last) => last.nextCursor || undefined,
  });

/** Items of the same kind: of a collection, those with the value of the trait "Kind", or else of the same rarity. */
export interface Kind {
  collection: string;
  /** "" if the collection's items have no such trait. */
  trait: string;
  /** "" if the trait decides. */
  rarity: string;
}

const kindTrait = "Kind";

/** What counts as the same kind as an item. */
export function kindOf({ collection, rarity, attributes }: Item["metadata"]): Kind {
  const trait = attributes.find((a) => a.trait_type === kindTrait)?.value ?? "";
  return { collection, trait, rarity: trait ? "" : rarity };
}

/** Whether a listing is of the kind. */
export function isOfKind({ metadata }: Listing, kind: Kind): boolean {
  const own = kindOf(metadata);
  return own.collection === kind.collection && own.trait === kind.trait && own.rarity === kind.rarity;
}

/** How many listings of a kind are loaded: an item may have several, and only one of each is shown. */
const ofKindSize = 30;

/** The cheapest live listings of a kind, cheapest first. */
export interface OfKind {
  items: Listing[];
  /** Whether there are others after them. */
  more: boolean;
  tokens?: Figures[] | undefined;
}

/** The cheapest live listings of a kind. */
export const ofKindQuery = (kind: Kind) =>
  queryOptions({
    queryKey: marketKeys.ofKind(kind),
    queryFn: async ({ signal }): Promise<OfKind> => {
      const { collection, trait, rarity } = kind;
      const query = {
        collection,
        sort: "price-asc" as const,
        limit: ofKindSize,
        ...(trait ? { trait: [`${kindTrait}:${trait}`] } : rarity ? { rarity: [rarity] } : {}),
      };
      const read = (cursor?: string) =>
        unwrap(api.GET("/api/marketplace/listings", { params: { query: { ...query, ...(cursor ? { cursor } : {}) } }, signal }));
      let page = await read();
      while (page.items.length === 0 && page.nextCursor) page = await read(page.nextCursor);
      return { items: page.items, more: Boolean(page.nextCursor), tokens: page.tokens };
    },
  });

/**
 * The listings of all pages in order, without duplicates from overlapping pages. With `perItem` only the first of each item: its
 * cheapest listing may have changed between two pages.
 */
export function listingsOf(pages: ListingPage[], perItem = false): Listing[] {
  const seen = new Set<string>();
  const keyOf = (listing: Listing) => (perItem ? listedTokenKey(listing) : listing.listingId);
  return pages.flatMap((page) => page.items).filter((listing) => !seen.has(keyOf(listing)) && seen.add(keyOf(listing)));
}

/** Returns a function that finds the figures of a listing's item in the pages. */
export function figuresIn(pages: { tokens?: Figures[] | undefined }[]): (listing: Listing) => Figures | undefined {
  const figures = new Map(pages.flatMap(({ tokens }) => tokens ?? []).map((of) => [tokenKey(of), of]));
  return (listing) => figures.get(listedTokenKey(listing));
}

/** A number of listings; with `atLeast` there may be more. */
export interface Total {
  n: number;
  atLeast: boolean;
}

/**
 * The number of listings, or of items with `perItem`: counted once all are loaded; before that, the server's total, which may
 * be half a minute old.
 */
export function totalOf(pages: ListingPage[], perItem = false): Total | undefined {
  if (!pages.at(-1)?.nextCursor) return { n: listingsOf(pages, perItem).length, atLeast: false };
  const [first] = pages;
  return typeof first?.total === "number" ? { n: first.total, atLeast: first.totalAtLeast ?? false } : undefined;
}
