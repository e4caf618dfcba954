/** The names under which the browser keeps our values: the one place that knows them. */
export const keys = {
  /** The auth token: sent as the Authorization header of every authenticated call. */
  token: "pantheon.token",
  /** The session authorization: buys embedded-wallet tokens and nothing else. */
  sessionAuthorization: "pantheon.session",
  /** The embedded-wallet token. */
  walletToken: "pantheon.wallet-token",
  /** "true" when the embedded wallet is switched on for the corporate site. */
  embeddedEnabled: "pantheon.embedded-enabled",
  /** The last evaluated feature flags, for when the flag service is away. */
  flags: "pantheon.flags",
  /** The marketing parameters the visitor arrived with. */
  marketing: "pantheon.marketing",
  /** "true" once the marketplace was visited: a lost session then leads to the marketplace's timeout page. */
  marketplaceTheme: "kod-theme-enabled",
  /** In this tab only: the sign-in at another site that was begun here, and where to go after it. */
  attempt: "pantheon.attempt",
  /** In this tab only: why the account that was signed in here is frozen, for the login to say. */
  frozen: "pantheon.frozen",
  /** "true" while nobody is signed in here because the server ended the session, for the login and the timeout page to say. */
  ended: "pantheon.ended",
  /** The order that is being paid, so that a reload finds it. */
  order: "pantheon.order",
} as const;

type Key = (typeof keys)[keyof typeof keys];

/** Reads a value; null when absent or when storage is switched off. */
export function read(key: Key): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a value, or removes it when null. Without storage (private mode, blocked cookies) it is quietly not kept. */
export function write(key: Key, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // The page works on without it until it is reloaded.
  }
}

/** Keeps a value for this tab alone. Without storage it is quietly not kept. */
export function keepForTab(key: Key, value: string): void {
  try {
    sessionStorage.setItem(key, value);
  } catch {
    // Whoever needs it says that it is missing.
  }
}

/** Reads what this tab has kept; null when there is nothing. */
export function readFromTab(key: Key): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Takes away what this tab has kept, and returns it; null when there is nothing. */
export function takeFromTab(key: Key): string | null {
  try {
    const value = sessionStorage.getItem(key);
    sessionStorage.removeItem(key);
    return value;
  } catch {
    return null;
  }
}

/** Removes all that the site keeps in this browser. */
export function clearAll(): void {
  try {
    localStorage.clear();
    sessionStorage.clear();
  } catch {
    // Then there is nothing.
  }
}
