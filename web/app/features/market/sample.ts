import { flags } from "~/features/flags/store";
import { json } from "~/lib/api/json";
import { ApiError } from "~/lib/api/problem";
import { keys, read } from "~/lib/storage";
import type { ListingPage } from "./queries";

/** Whether the market is closed to visitors; resolves once the flags are loaded. Without flags the server decides. */
function closedToVisitors(): Promise<boolean> {
  return new Promise((resolve) => {
    const stop = flags.subscribe(settle);
    settle();
    function settle() {
      const { flags: known, loading, isFetched } = flags.get();
      if (loading && !isFetched) return;
      stop();
      resolve(isFetched && !known.public_market?.enabled);
    }
  });
}

/**
 * Reads listings for a page that must stay light, as the player who is signed in, or as a visitor. Returns null where the
 * market is for players alone.
 */
export async function readSample(query: string): Promise<ListingPage | null> {
  if (!read(keys.token) && (await closedToVisitors())) return null;
  const token = read(keys.token);
  try {
    return await json<ListingPage>(`/api/marketplace/listings?${query}`, { headers: token ? { Authorization: token } : {} });
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}
