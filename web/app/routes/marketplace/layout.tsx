import { useEffect } from "react";
import { Outlet, useLocation } from "react-router";
import { MarketLoader } from "~/components/site/market-loader";
import { AgeDialog } from "~/features/cart/components/age-dialog";
import { useCartExpiry } from "~/features/cart/live";
import { useOrderNews } from "~/features/checkout/pay";
import { useClosing } from "~/features/flags/maintenance";
import { usePackNews } from "~/features/packs/components/news";
import { useMarketWallet } from "~/features/wallet/use-market-wallet";
import { paths } from "~/lib/paths";
import { preloadRoutes } from "~/lib/preload";
import { keys, write } from "~/lib/storage";
import { PlayerArea } from "../player-area";
import { MarketHeader } from "./header";
import { PlainPage } from "./plain";

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
  useEffect(() => write(keys.marketplaceTheme, "true"), []);
  useEffect(() => {
    const timer = setTimeout(() => preloadRoutes("marketplace", "portal"), preloadAfter);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <a href="#main" className="sr-only z-50 bg-ember px-4 py-2 text-ember-ink focus:not-sr-only focus:fixed focus:left-2 focus:top-2">
        Skip to the page
      </a>
      <MarketHeader />
      <AgeDialog />
      <main id="main" tabIndex={-1} className="outline-none">
        <Outlet />
      </main>
    </>
  );
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
    >
      <Inside />
    </PlayerArea>
  );
}
