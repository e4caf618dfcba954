import { QueryClient, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { ApiError } from "~/lib/api/problem";
import { isTimeout } from "~/lib/timeout";
import { call } from "./api";

const mayPass = (failures: number, error: Error) =>
  failures < 1 && !isTimeout(error) && !(error instanceof ApiError && error.status >= 400 && error.status < 500);

/** The cache of what the server returned, by path. It is in memory only. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      gcTime: 300_000,
      retry: mayPass,
      retryDelay: 500,
      networkMode: "always",
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
  },
});

/** The paths that are fetched by a timer now. */
const inBackground = new Set<string>();

/** Whether a fetch of this path is by a timer, so that it must not extend the session. */
export const isBackground = (path: string): boolean => inBackground.has(path);

/** Fetches a path that is shown again every so many milliseconds. */
export function usePolling(path: string, every: number | undefined): void {
  useEffect(() => {
    if (!every) return;
    const timer = setInterval(() => {
      inBackground.add(path);
      void queryClient.refetchQueries({ queryKey: [path], exact: true }, { cancelRefetch: false }).finally(() => inBackground.delete(path));
    }, every);
    return () => clearInterval(timer);
  }, [path, every]);
}

interface ReadOptions {
  /** How often it is fetched again, in milliseconds; never by default. */
  every?: number;
  enabled?: boolean;
}

/** Reads a path of the console. */
export function useRead<T>(path: string, { every, enabled = true }: ReadOptions = {}) {
  usePolling(path, enabled ? every : undefined);
  return useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => call<T>(path, { signal, background: isBackground(path) }),
    enabled,
  });
}

/** Fetches what is shown again, after an act. */
export const changed = (): Promise<void> => queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
