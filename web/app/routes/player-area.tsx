import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, Suspense, useEffect } from "react";
import { Toaster } from "~/components/ui/toasts";
import { RequireSession, type RequireSessionProps } from "~/features/session/components/require-session";
import { onRefresh, onSessionEnd } from "~/features/session/session";
import { queryClient } from "~/lib/query";
import { keys, read } from "~/lib/storage";

// Registered for the lifetime of the site: the session may end on another page, and data loaded here must not be
// visible to the next player.
onSessionEnd(() => queryClient.clear());

const load = () => import("./living");
const Living = lazy(load);
// Visitors do without it, and for players it loads while their profile does.
if (typeof window !== "undefined" && read(keys.token)) load().catch(() => {}); // it is loaded again where it is shown

/** The player's part of the site: requires a session, provides the query cache, and is updated live. */
export function PlayerArea({ children, ...guard }: RequireSessionProps) {
  // Besides the profile, the player's balances and holdings are refetched every minute.
  useEffect(
    () =>
      onRefresh(() => {
        void queryClient.invalidateQueries({ queryKey: ["wallet"] });
        void queryClient.invalidateQueries({ queryKey: ["holdings"] });
      }),
    [],
  );
  return (
    <QueryClientProvider client={queryClient}>
      <RequireSession {...guard}>
        <Suspense fallback={guard.loader}>
          <Living>{children}</Living>
        </Suspense>
      </RequireSession>
      <Toaster />
    </QueryClientProvider>
  );
}
