import { QueryCache } from "@tanstack/react-query";
import { ApiError } from "./api/problem";
import { LiveQueryClient } from "./live-query";
import { report } from "./report";
import { isTimeout } from "./timeout";

/** A refusal stays a refusal, and who has waited long is told so: only failures that may pass are tried again, twice. */
function mayPass(failures: number, error: Error): boolean {
  const refused = error instanceof ApiError && error.status >= 400 && error.status < 500;
  return !refused && !isTimeout(error) && failures < 2;
}

/** What the server said last. The realtime channel patches it, so nothing is stale after half a minute only by age. */
export const queryClient = new LiveQueryClient({
  // Where there is nothing to show, the page says so; the monitoring is told in any case.
  queryCache: new QueryCache({ onError: (error, { queryKey }) => report(`${String(queryKey[0])}: did not load`, error) }),
  defaultOptions: {
    queries: { staleTime: 30_000, gcTime: 300_000, retry: mayPass, networkMode: "always", refetchOnReconnect: true },
    mutations: { networkMode: "always" },
  },
});
