import { QueryCache } from "@tanstack/react-query";
import { ApiError } from "./api/problem";
import { LiveQueryClient } from "./live-query";
import { report } from "./report";
import { isTimeout } from "./timeout";

/** Error responses and timeouts are not retried; only failures that may be temporary are, twice. */
function mayPass(failures: number, error: Error): boolean {
  const refused = error instanceof ApiError && error.status >= 400 && error.status < 500;
  return !refused && !isTimeout(error) && failures < 2;
}

/** The interval at which failed queries are refetched, in milliseconds. */
const refetchFailedEvery = 10_000;

/** Refetches a query whose failure may be temporary, so that the page recovers by itself. */
function refetchFailed({ state: { error } }: { state: { error: Error | null } }): number | false {
  return error && (isTimeout(error) || mayPass(0, error)) ? refetchFailedEvery : false;
}

/**
 * The cache of server data. The realtime channel patches it, so data is not stale merely because it is older than
 * half a minute.
 */
export const queryClient = new LiveQueryClient({
  // Pages without data show the error themselves; it is reported to the monitoring in any case.
  queryCache: new QueryCache({ onError: (error, { queryKey }) => report(`${String(queryKey[0])}: did not load`, error) }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 300_000,
      retry: mayPass,
      networkMode: "always",
      refetchOnReconnect: true,
      refetchInterval: refetchFailed,
    },
    mutations: { networkMode: "always" },
  },
});
