import { useEffect } from "react";
import { queryClient } from "~/lib/query";

/** How often the market is refetched for a visitor, who has no realtime connection, in milliseconds. */
export const pollEvery = 15_000;

/** Refetches the market every 15 s while the page is visible, and once it becomes visible again. */
export function useMarketPolling(): void {
  useEffect(() => {
    let last = Date.now();
    const poll = () => {
      if (document.hidden || Date.now() - last < pollEvery) return;
      last = Date.now();
      for (const queryKey of [["market"], ["kodProducts"]]) void queryClient.invalidateQueries({ queryKey });
    };
    const timer = setInterval(poll, pollEvery);
    document.addEventListener("visibilitychange", poll);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", poll);
    };
  }, []);
}
