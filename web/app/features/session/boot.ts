import { keys, read, write } from "~/lib/storage";
import { session } from "./store";

const marketingNames = ["gclid", "fbclid", "twclid"];

/** What the server keeps of where a visitor comes from, and so what is worth sending: how many, how long in bytes, of which characters. */
const bounds = { count: 20, name: 64, value: 512 };

const control = /\p{Cc}/u;

const bytes = (text: string) => new TextEncoder().encode(text).length;

/** Whether a parameter of that name, in small letters, is one: utm_*, the click ids, and anything that ends in "id". */
const isMarketing = (name: string) => name.startsWith("utm_") || marketingNames.includes(name) || name.endsWith("id");

/** Keeps the marketing parameters a visitor arrives with, under the names they came by. */
function keepMarketing(query: URLSearchParams): void {
  const kept = [...query]
    .filter(([name]) => isMarketing(name.toLowerCase()))
    .filter(([name, value]) => bytes(name) <= bounds.name && bytes(value) <= bounds.value && !control.test(name + value))
    .slice(0, bounds.count);
  if (kept.length) write(keys.marketing, JSON.stringify(Object.fromEntries(kept)));
}

/**
 * Reads what a visitor arrives with: marketing parameters, which are kept, and the one-time `context` of a game, which is
 * returned. It signs its bearer in, so it must not stay in the address, where it could be copied, or kept by whatever
 * keeps addresses.
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

/** Read as soon as this code is there: before the router looks at the address. */
const context = typeof document === "undefined" ? null : arrive();

/**
 * Starts the session when the page has become interactive. The session module is loaded only for somebody who was signed in
 * or arrives with a one-time context, so that public pages stay light.
 */
export function boot(): void {
  if (context || read(keys.token)) void import("./session").then((sessionModule) => sessionModule.start(context));
  else session.set({ isLoading: false });
}
