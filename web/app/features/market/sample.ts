import { json } from "~/lib/api/json";
import { keys, read } from "~/lib/storage";
import type { ListingPage } from "./queries";

/** Reads listings for a page that must stay light, as the player who is signed in, or as a visitor. */
export function readSample(query: string): Promise<ListingPage> {
  const token = read(keys.token);
  return json<ListingPage>(`/api/marketplace/listings?${query}`, { headers: token ? { Authorization: token } : {} });
}
