import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useLocation } from "react-router";
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
import { session } from "~/features/session/store";
import { useStatusNotice } from "~/features/status/use-status-notice";
import { useLiveWebstore } from "~/features/webstore/live";
import { deferred } from "~/lib/deferred";
import { paths } from "~/lib/paths";
import { useStore } from "~/lib/store";

const TradeApproval = deferred(async () => ({ default: (await import("~/features/approval/components/trade-approval")).TradeApproval }));

/** The question about trades that need the player's approval, on any page. */
function AskedTrades() {
  const asked = useStore(askedTrades, (s) => s.asked);
  return asked && <TradeApproval asked={asked} />;
}

/** What runs only while a player is signed in. */
export default function Living({ children }: { children: ReactNode }) {
  useConnectionNotice();
  useStatusNotice();
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
