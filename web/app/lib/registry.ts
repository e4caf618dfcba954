import { registryText } from "./registry-text";

/** A kind of goods, kept in one or more collections. */
export interface Kind {
  kind: string;
  /** The API's operation that lists what a player holds of it. */
  list: string;
  title: string;
}

/** One of the brand's token contracts. */
export interface Collection {
  slug: string;
  /** The short name that players read. */
  name: string;
  /** The title under which wallets show its tokens. */
  title: string;
  kind: string;
  standard: string;
  /** "game" or "main". */
  chain: string;
  soulbound: boolean;
  tradable: boolean;
  /** What a player's burn of a token is, such as "pack"; "" for none. */
  burn: string;
}

/** A currency of the game platform. */
export interface Currency {
  code: string;
  /** For more than one. */
  name: string;
  /** For one, where that differs. */
  one?: string;
  /** In tables, where that differs. */
  short?: string;
}

/** Currencies of the game platform that are shown together. */
export interface Purse {
  id: string;
  name: string;
  currencies: Currency[];
}

interface Registry {
  version?: string;
  kinds: Kind[];
  collections: Collection[];
  boards: { id: string; name: string }[];
  purses: Purse[];
  webstore: boolean;
  currency: { symbol: string; decimals: number };
}

const registry: Registry = JSON.parse(registryText);

/** The server's version; unknown in a page that no server has sent. */
export const version = registry.version;

/** The kinds of goods, in the order in which players see them. */
export const kinds = registry.kinds;

/** The collections, in the order in which they are listed. */
export const collections = registry.collections;

/** The leaderboards. */
export const boards = registry.boards;

/** The currencies of the game platform, in the groups in which they are shown. */
export const purses = registry.purses;

/** Whether the brand has products to sell. */
export const hasWebstore = registry.webstore;

/** The currency that the market trades in. */
export const marketCurrency = registry.currency;

const bySlug = new Map(collections.map((collection) => [collection.slug, collection]));

/** The collection of a slug, if there is one. */
export const collectionOf = (slug: string) => bySlug.get(slug);
