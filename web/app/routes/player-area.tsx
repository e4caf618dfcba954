import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { useLocation } from "react-router";
import { deferred } from "~/components/ui/deferred";
import { Toaster } from "~/components/ui/toasts";
import { askedTrades } from "~/features/approval/trades";
import { useBurns } from "~/features/burning/burn";
import { useBurnNews } from "~/features/burning/news";
import { useLiveCart } from "~/features/cart/live";
import { useEndedHolds } from "~/features/checkout/ended-holds";
import { useLiveHoldings } from "~/features/holdings/live";
import { useLiveListings } from "~/features/market/live";
import { useLiveNotifications } from "~/features/notification/queries";
import { encryptedFabIdQuery } from "~/features/profile/queries";
import { useConnectionNotice } from "~/features/realtime/connection-notice";
import { useOutcomes } from "~/features/realtime/outcomes";
import { Realtime } from "~/features/realtime/realtime";
import { useLiveRewards } from "~/features/reward/queries";
import { useKeptDeal } from "~/features/selling/deal";
import { useListingNews } from "~/features/selling/news";
import { RequireSession, type RequireSessionProps } from "~/features/session/components/require-session";
import { onRefresh, onSessionEnd } from "~/features/session/session";
import { session } from "~/features/session/store";
import { useLiveWebstore } from "~/features/webstore/live";
import { paths } from "~/lib/paths";
import { queryClient } from "~/lib/query";
import { useStore } from "~/lib/store";

// Registered for the lifetime of the site: the session may end on another page, and data loaded here must not be
// visible to the next player.
onSessionEnd(() => queryClient.clear());

const TradeApproval = deferred(async () => ({ default: (await import("~/features/approval/components/trade-approval")).TradeApproval }));

/** The question about trades that need the player's approval, on any page. */
function AskedTrades() {
  const asked = useStore(askedTrades, (s) => s.asked);
  return asked && <TradeApproval asked={asked} />;
}

/** What runs only while a player is signed in. */
function Living({ children }: { children: ReactNode }) {
  useConnectionNotice();
  useLiveListings();
  useLiveCart();
  useLiveHoldings();
  useOutcomes();
  useLiveRewards();
  useLiveWebstore();
  useBurns();
  useBurnNews();
  useKeptDeal();
  useLiveNotifications();
  const { pathname } = useLocation();
  useEndedHolds(pathname === paths.checkout);
  useListingNews(pathname !== paths.sell && pathname !== paths.listings);
  // The specification's encryptedFabId: the shop receives it instead of the id itself.
  useQuery(encryptedFabIdQuery(useStore(session, (s) => s.profile?.AccountInfo.PlayFabId ?? "")));
  return (
    <>
      <Realtime />
      {children}
      <AskedTrades />
    </>
  );
}

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
        <Living>{children}</Living>
      </RequireSession>
      <Toaster />
    </QueryClientProvider>
  );
}
