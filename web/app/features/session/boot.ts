import { keys, read, write } from "~/lib/storage";
import { session } from "./store";

const marketingNames = ["gclid", "fbclid", "twclid"];

/**
 * The server's limits on marketing parameters, and so what is worth sending: count, and length in bytes of name and
 * value.
 */
const bounds = { count: 20, name: 64, value: 512 };

const control = /\p{Cc}/u;

const bytes = (text: string) => new TextEncoder().encode(text).length;

/** Whether a lower-case name is a marketing parameter: utm_*, the click ids, and anything that ends in "id". */
const isMarketing = (name: string) => name.startsWith("utm_") || marketingNames.includes(name) || name.endsWith("id");

/** Stores the visitor's marketing parameters under their original names. */
function keepMarketing(query: URLSearchParams): void {
  const kept = [...query]
    .filter(([name]) => isMarketing(name.toLowerCase()))
    .filter(([name, value]) => bytes(name) <= bounds.name && bytes(value) <= bounds.value && !control.test(name + value))
    .slice(0, bounds.count);
  if (kept.length) write(keys.marketing, JSON.stringify(Object.fromEntries(kept)));
}

/**
 * Reads a visitor's parameters: marketing parameters, which are stored, and a game's one-time `context`, which is
 * returned. The context is a credential, so it is removed from the address, where it could be copied or logged.
 */
export function arrive(): string | null {
  const query = new URLSearchParams(location.search);
  keepMarketing(query);
  const context = query.get("context");
  if (context === null) return null;
  query.delete("context");
  history.replaceState(history.state, "", location.pathname + (query.size ? `?${query}` : "") + location.hash);
  return context || null;
}

/** Runs when this module loads: before the router reads the address. */
const context = typeof document === "undefined" ? null : arrive();

/**
 * Starts the session when the page is interactive. The session module is only loaded if the browser has a session or
 * the visitor arrives with a one-time context, so that public pages stay light.
 */
export function boot(): void {
  if (context || read(keys.token) || read(keys.sessionAuthorization))
    void import("./session").then((sessionModule) => sessionModule.start(context));
  else session.set({ isLoading: false });
}
