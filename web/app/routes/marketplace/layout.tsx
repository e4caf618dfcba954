import { type ReactNode, useEffect } from "react";
import { matchPath, useLocation } from "react-router";
import { MarketLoader } from "~/components/site/market-loader";
import { PageFrame } from "~/components/site/page-frame";
import { useHold } from "~/features/cart/actions";
import { AgeDialog } from "~/features/cart/components/age-dialog";
import { SignInDialog } from "~/features/cart/components/sign-in-dialog";
import { useCartExpiry } from "~/features/cart/live";
import { takeChoice } from "~/features/cart/visitor";
import { useOrderNews } from "~/features/checkout/pay";
import { useClosing } from "~/features/flags/maintenance";
import { useFlag } from "~/features/flags/store";
import { useMarketPolling } from "~/features/market/polling";
import { usePackNews } from "~/features/packs/news";
import { useMarketWallet } from "~/features/wallet/use-market-wallet";
import { paths } from "~/lib/paths";
import { preloadRoutes } from "~/lib/preload";
import { keys, write } from "~/lib/storage";
import { PlayerArea } from "../player-area";
import { MarketHeader } from "./header";
import { PlainPage } from "./plain";
import { VisitorsHeader } from "./visitors-header";

/** The route of items' pages, which visitors may see too. */
const itemRoute = "/kod-marketplace/marketplace/item/:contract/:tokenId";

/** How long after the first page the code of the others is preloaded, in milliseconds. */
const preloadAfter = 3_000;

/** What the marketplace runs for a signed-in player. */
function Inside() {
  const { pathname } = useLocation();
  const paying = pathname === paths.checkout;
  useCartExpiry(paying);
  useOrderNews(!paying);
  usePackNews(!paying && pathname !== paths.packs);
  useMarketWallet();
  const { hold } = useHold();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the player chose as a visitor is held once
  useEffect(() => {
    const choice = takeChoice();
    if (choice) hold(choice);
  }, []);
  useEffect(() => write(keys.marketplaceTheme, "true"), []);
  useEffect(() => {
    const timer = setTimeout(() => preloadRoutes("marketplace", "portal"), preloadAfter);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <AgeDialog />
      <PageFrame header={<MarketHeader />} />
    </>
  );
}

/** The market for visitors, where it is open to them. */
function ForVisitors() {
  useMarketPolling();
  // A visitor who returns without having signed in has no pending choice.
  useEffect(() => void takeChoice(), []);
  return (
    <>
      <SignInDialog />
      <PageFrame header={<VisitorsHeader />} />
    </>
  );
}

/** What visitors see at an address: undefined if nothing, null while that is unknown. */
function useForVisitors(): ReactNode {
  const isOpen = useFlag("public_market");
  const { pathname } = useLocation();
  if (pathname !== paths.market && !matchPath(itemRoute, pathname)) return undefined;
  return isOpen === undefined ? null : isOpen ? <ForVisitors /> : undefined;
}

/** The layout of the marketplace: its own header instead of the site's header and footer. */
export default function Marketplace() {
  useClosing();
  return (
    <PlayerArea
      loader={<MarketLoader />}
      frame={(problem) => (
        <PlainPage title="The market did not load" grows>
          <div className="mt-8">{problem}</div>
        </PlainPage>
      )}
      visitors={useForVisitors()}
    >
      <Inside />
    </PlayerArea>
  );
}
