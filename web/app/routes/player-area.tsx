import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { Toaster } from "~/components/ui/toasts";
import { useLiveCart } from "~/features/cart/live";
import { useLiveHoldings } from "~/features/inventory/live";
import { useLiveListings } from "~/features/market/live";
import { useConnectionNotice } from "~/features/realtime/connection-notice";
import { useOutcomes } from "~/features/realtime/outcomes";
import { useRealtime } from "~/features/realtime/use-realtime";
import { RequireSession, type RequireSessionProps } from "~/features/session/components/require-session";
import { onRefresh, onSessionEnd } from "~/features/session/machine";
import { disconnectWallet } from "~/features/wallet/machine";
import { queryClient } from "~/lib/query";

/** What runs only while somebody is signed in. */
function Living({ children }: { children: ReactNode }) {
  useRealtime();
  useConnectionNotice();
  useLiveListings();
  useLiveCart();
  useLiveHoldings();
  useOutcomes();
  return children;
}

/** The part of the site that belongs to a player: needs a session, knows the server's answers, and stays live. */
export function PlayerArea({ children, ...session }: RequireSessionProps) {
  useEffect(() => {
    const end = onSessionEnd(() => {
      disconnectWallet();
      queryClient.clear();
    });
    // With the profile, two more things are loaded anew every minute: the player's balances and holdings.
    const refresh = onRefresh(() => {
      void queryClient.invalidateQueries({ queryKey: ["wallet"] });
      void queryClient.invalidateQueries({ queryKey: ["holdings"] });
    });
    return () => {
      end();
      refresh();
    };
  }, []);
  return (
    <QueryClientProvider client={queryClient}>
      <RequireSession {...session}>
        <Living>{children}</Living>
      </RequireSession>
      <Toaster />
    </QueryClientProvider>
  );
}
