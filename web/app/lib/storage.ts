import { slug } from "#brand";
import type { newsKeyName } from "./news-key";
import type { tabKeys } from "./tab-keys";

/** The keys of the values in the browser's storage; those of one tab alone are in tab-keys.ts. */
export const keys = {
  /** The auth token: the Authorization header of every authenticated call. */
  token: `${slug}.token`,
  /** The session authorization: obtains embedded-wallet tokens, and ends the session where the token is gone. */
  sessionAuthorization: `${slug}.session`,
  /** The embedded-wallet token. */
  walletToken: `${slug}.wallet-token`,
  /** The player's smart wallet, for the header of every call; stored with the token, removed with it. */
  walletAddress: `${slug}.wallet-address`,
  /** "true" if the embedded wallet is enabled for the corporate site. */
  embeddedEnabled: `${slug}.embedded-enabled`,
  /** The last evaluated feature flags, for when the flag service is unavailable. */
  flags: `${slug}.flags`,
  /** The marketing parameters the visitor arrived with. */
  marketing: `${slug}.marketing`,
  /** "true" once the marketplace was visited: an ended session then leads to the marketplace's timeout page. */
  marketplaceTheme: "kod-theme-enabled",
  /** In this tab only: why the account that was signed in here is frozen, for the login to show. */
  frozen: `${slug}.frozen`,
  /**
   * "true" while nobody is signed in because the server ended the session, for the login and the timeout page to
   * show.
   */
  ended: `${slug}.ended`,
  /** The order that is being paid, for a reload to find. */
  order: `${slug}.order`,
  /** The items viewed last, those viewed last first. */
  viewed: `${slug}.viewed`,
  /** The numbers that this browser has chosen for the draws of packs that it went to buy, the newest first. */
  nonces: `${slug}.nonces`,
  /** The visit: the monitoring's session, under the name and in the form of its SDK. */
  visit: "_dd_s_v2",
} as const;

export type Key = typeof newsKeyName | (typeof keys)[keyof typeof keys] | (typeof tabKeys)[keyof typeof tabKeys];

/**
 * One of the browser's two storages. What it does not take, because it is blocked or full, is kept in memory for this tab.
 * `storage` may throw.
 */
export function area(storage: () => Storage) {
  /** What is not in the storage as it was last set; null for what was removed. */
  const memory = new Map<Key, string | null>();
  const use = <T>(work: (storage: Storage) => T): T | undefined => {
    try {
      return work(storage());
    } catch {}
  };
  /** Whether the storage has the value by then. */
  const put = (key: Key, value: string | null) => use((s) => (value === null ? s.removeItem(key) : s.setItem(key, value)) ?? true);
  return {
    memory,
    use,
    get: (key: Key): string | null => (memory.has(key) ? memory.get(key) : use((s) => s.getItem(key))) ?? null,
    set(key: Key, value: string | null): void {
      memory.delete(key);
      if (put(key, value)) return;
      memory.set(key, value);
      put(key, null); // a full storage still has the value before, which a reload must not find
    },
  };
}

/** What all tabs of this browser share. */
export const browser = area(() => localStorage);

/** Reads a value; null if absent. */
export const read = browser.get;

/** Stores a value, or removes it if null. Where storage is blocked or full, it is kept for this tab only. */
export const write = browser.set;
