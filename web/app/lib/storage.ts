/** The keys of all values in the browser's storage, defined only here. */
export const keys = {
  /** The auth token: the Authorization header of every authenticated call. */
  token: "pantheon.token",
  /** The session authorization: obtains embedded-wallet tokens, and ends the session where the token is gone. */
  sessionAuthorization: "pantheon.session",
  /** The embedded-wallet token. */
  walletToken: "pantheon.wallet-token",
  /** The player's smart wallet, for the header of every call; stored with the token, removed with it. */
  walletAddress: "pantheon.wallet-address",
  /** "true" if the embedded wallet is enabled for the corporate site. */
  embeddedEnabled: "pantheon.embedded-enabled",
  /** The last evaluated feature flags, for when the flag service is unavailable. */
  flags: "pantheon.flags",
  /** The marketing parameters the visitor arrived with. */
  marketing: "pantheon.marketing",
  /** "true" once the marketplace was visited: an ended session then leads to the marketplace's timeout page. */
  marketplaceTheme: "kod-theme-enabled",
  /** In this tab only: the pending sign-in at another site, and where to go after it. */
  attempt: "pantheon.attempt",
  /** In this tab only: why the account that was signed in here is frozen, for the login to show. */
  frozen: "pantheon.frozen",
  /**
   * "true" while nobody is signed in because the server ended the session, for the login and the timeout page to
   * show.
   */
  ended: "pantheon.ended",
  /** The order that is being paid, for a reload to find. */
  order: "pantheon.order",
  /** In this tab only: what a visitor wants to hold, until they have signed in. */
  choice: "pantheon.choice",
  /** The items viewed last, those viewed last first. */
  viewed: "pantheon.viewed",
  /** In this tab only: the market's filters, as in its address. */
  market: "pantheon.market",
  /** In this tab only: where the reader of the market's list was. */
  place: "pantheon.place",
  /** In this tab only: the burns that were sent, for a reload to find. */
  burns: "pantheon.burns",
  /** In this tab only: the seller's operation that is under way, for a reload to find. */
  deal: "pantheon.deal",
} as const;

type Key = (typeof keys)[keyof typeof keys];

/** Reads a value; null if absent or if storage is unavailable. */
export function read(key: Key): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a value, or removes it if null. Without storage (private mode, blocked cookies) it does nothing. */
export function write(key: Key, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // The page works without it until it is reloaded.
  }
}

/** Stores a value for this tab only. Without storage it does nothing. */
export function keepForTab(key: Key, value: string): void {
  try {
    sessionStorage.setItem(key, value);
  } catch {
    // Readers handle the missing value.
  }
}

/** Reads a value of this tab; null if absent. */
export function readFromTab(key: Key): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Removes a value of this tab, and returns it; null if absent. */
export function takeFromTab(key: Key): string | null {
  try {
    const value = sessionStorage.getItem(key);
    sessionStorage.removeItem(key);
    return value;
  } catch {
    return null;
  }
}

/** Removes everything that the site has stored in this browser. */
export function clearAll(): void {
  try {
    localStorage.clear();
    sessionStorage.clear();
  } catch {
    // Without storage there is nothing to remove.
  }
}
