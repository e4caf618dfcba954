import { collectionOf, collections, hasWebstore, kinds, purses } from "./registry";

const isBurned = (by: string) => collections.some(({ burn }) => burn === by);
const isKind = (kind: string) => kinds.some((one) => one.kind === kind);

/** What the brand has of what not every brand has. Pages, menus and requests for the rest are left out. */
export const has = {
  /** Packs that players open. */
  packs: isBurned("pack"),
  arks: isBurned("ark"),
  piggyBanks: isBurned("piggy-bank"),
  powerPacks: isBurned("power-pack"),
  immortals: isKind("immortals"),
  passes: isKind("passes"),
  /** Vaults, and the currency in which they pay. */
  vaults: collectionOf("elder-gods") !== undefined,
  seasonAvatars: collectionOf("season-avatars") !== undefined,
  webstore: hasWebstore,
  purse: (id: string) => purses.some((purse) => purse.id === id),
} as const;
