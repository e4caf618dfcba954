import { href } from "react-router";
import { roles as ofBrand } from "#brand/roles";

/** The addresses of the brand's pages to which the site itself leads. */
export interface Roles {
  /** Where players write to the studio. */
  support: string;
  /** What deleting an account means, and the form that does it. */
  deleteAccount: string;
  /** The legal texts, which are served in every country. */
  legal: string[];
  terms: string;
  privacy: string;
  /** The terms under which packs are opened; the terms where there are no others. */
  packTerms: string;
  /** The shop; the market where there is none. */
  webstore: string;
  /** The scores of the brand's first leaderboard; "" where no page has them. */
  leaderboard: string;
  /** What immortals are for; only a brand that has them needs it, as with the two that follow. */
  immortalSiege: string;
  shipwright: string;
  powerPacks: string;
}

/** Those that a brand may leave out. */
type Optional = "packTerms" | "webstore" | "leaderboard" | "immortalSiege" | "shipwright" | "powerPacks";

const given: Omit<Roles, Optional> & Partial<Roles> = ofBrand;
const roles: Roles = {
  packTerms: given.terms,
  webstore: href("/kod-marketplace"),
  leaderboard: "",
  immortalSiege: href("/kod-marketplace"),
  shipwright: href("/kod-marketplace"),
  powerPacks: href("/kod-marketplace"),
  ...given,
};

/**
 * The addresses the app links to. `href` is typed by the route configuration, so a nonexistent address does not
 * compile.
 */
export const paths = {
  ...roles,
  home: href("/"),
  login: (from?: string) => (from ? `${href("/login")}?from=${encodeURIComponent(from)}` : href("/login")),
  /**
   * The login, with the notice that a game's link did not sign the player in, and the return path to the link's
   * destination.
   */
  loginAfterLink: (from: string) => `${href("/login")}?from=${encodeURIComponent(from)}&failed=link`,
  register: (from?: string) => (from ? `${href("/register")}?from=${encodeURIComponent(from)}` : href("/register")),
  forgotPassword: href("/forgot-password"),
  resetPassword: href("/reset-password"),
  newPassword: href("/new-password"),
  /** The page at which a shop asks who the player is. */
  toTheShop: href("/getuserinfo"),
  webstoreOrders: href("/webstore/orders"),
  webstoreOrder: (id: string) => href("/webstore/orders/:id", { id }),
  inventory: href("/portal/my-inventory"),
  money: href("/portal/money"),
  sell: href("/portal/sell"),
  listings: href("/portal/listings"),
  watchlist: href("/portal/watchlist"),
  news: href("/news"),
  /** Where the game moves to another chain, and players claim what they held. */
  move: href("/move"),
  notifications: href("/portal/notifications"),
  myImmortals: href("/portal/my-immortals"),
  myGames: href("/portal/my-games"),
  settings: href("/portal/edit"),
  activity: href("/portal/edit/activity"),
  achievements: href("/portal/edit/achievements"),
  arks: href("/shipwright/account/arks"),
  followers: href("/shipwright/account/followers"),
  tokens: href("/shipwright/account/tokens"),
  market: href("/kod-marketplace"),
  item: (contract: string, tokenId: string) => href("/kod-marketplace/marketplace/item/:contract/:tokenId", { contract, tokenId }),
  checkout: href("/kod-marketplace/marketplace/checkout"),
  receipt: (orderId: string) => href("/portal/orders/:orderId", { orderId }),
  packs: href("/kod-marketplace/packs"),
  createWallet: href("/kod-marketplace/create-smart-wallet"),
  odds: href("/packs/odds"),
  opening: (id: string) => href("/packs/openings/:id", { id }),
  timeout: href("/kod-marketplace/timeout"),
  maintenance: href("/kod-marketplace/maintenance"),
} as const;

/**
 * Returns a return path from a query string, or the fallback if it leaves this site. Browsers read a backslash as a
 * slash and drop tabs and newlines, so the path is resolved like in a browser before it is checked.
 */
export function safeReturn(from: string | null, fallback: string): string {
  if (!from?.startsWith("/")) return fallback;
  const base = "https://origin.invalid";
  try {
    const url = new URL(from, base);
    const path = url.pathname + url.search + url.hash;
    return url.origin === base && !path.startsWith("//") ? path : fallback;
  } catch {
    return fallback;
  }
}
