import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { Toaster } from "~/components/ui/toasts";
import { useLiveCart } from "~/features/cart/live";
import { useLiveHoldings } from "~/features/inventory/live";
import { useLiveListings } from "~/features/market/live";
import { encryptedFabIdQuery } from "~/features/profile/queries";
import { useConnectionNotice } from "~/features/realtime/connection-notice";
import { useOutcomes } from "~/features/realtime/outcomes";
import { Realtime } from "~/features/realtime/realtime";
import { RequireSession, type RequireSessionProps } from "~/features/session/components/require-session";
import { onRefresh, onSessionEnd } from "~/features/session/session";
import { session } from "~/features/session/store";
import { queryClient } from "~/lib/query";
import { useStore } from "~/lib/store";

// For as long as the site is open: the session may end while another part of it is shown, and what was loaded here must
// not be there for the next player.
onSessionEnd(() => queryClient.clear());

/** What runs only while somebody is signed in. */
function Living({ children }: { children: ReactNode }) {
  useConnectionNotice();
  useLiveListings();
  useLiveCart();
  useLiveHoldings();
  useOutcomes();
  // The specification's encryptedFabId: the shop is shown it instead of the id itself.
  useQuery(encryptedFabIdQuery(useStore(session, (s) => s.profile?.AccountInfo.PlayFabId ?? "")));
  return (
    <>
      <Realtime />
      {children}
    </>
  );
}

/** The part of the site that belongs to a player: needs a session, knows the server's answers, and stays live. */
export function PlayerArea({ children, ...guard }: RequireSessionProps) {
  // With the profile, two more things are loaded anew every minute: the player's balances and holdings.
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
        <Living>{children}</Living>
      </RequireSession>
      <Toaster />
    </QueryClientProvider>
  );
}
