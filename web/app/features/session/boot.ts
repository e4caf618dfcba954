import { keys, read, write } from "~/lib/storage";
import { session } from "./store";

const marketingNames = ["gclid", "fbclid", "twclid"];

/** Keeps the marketing parameters a visitor arrives with: utm_*, the click ids, and anything that ends in "id". */
function keepMarketing(query: URLSearchParams): void {
  const kept = [...query].filter(([name]) => name.startsWith("utm_") || marketingNames.includes(name) || name.endsWith("id"));
  if (kept.length) write(keys.marketing, JSON.stringify(Object.fromEntries(kept)));
}

/**
 * Starts the session when the page has become interactive. The machinery is loaded only for somebody who was signed in
 * or arrives with a token-login `context`, so that public pages stay light.
 */
export function boot(): void {
  const query = new URLSearchParams(location.search);
  keepMarketing(query);
  const context = query.get("context");
  if (context || read(keys.token)) void import("./machine").then((machine) => machine.start(context));
  else session.set({ isLoading: false });
}
