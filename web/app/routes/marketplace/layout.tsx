import { useEffect, useState } from "react";
import { Outlet, PrefetchPageLinks, useLocation, useNavigate } from "react-router";
import { MarketLoader } from "~/components/site/market-loader";
import { useCartExpiry } from "~/features/cart/live";
import { useOrderNews } from "~/features/checkout/pay";
import { useFlag } from "~/features/flags/store";
import { keepWallet } from "~/features/wallet/machine";
import { paths } from "~/lib/paths";
import { keys, write } from "~/lib/storage";
import { PlayerArea } from "../player-area";
import { MarketHeader } from "./header";
import { PlainPage } from "./plain";

/** How long after the first page the other pages of the marketplace are loaded, in milliseconds. */
const prefetchAfter = 3_000;

/** The pages a player gets to from the marketplace. */
const pages = [paths.market, paths.item("0", "0"), paths.checkout, paths.createWallet, paths.timeout, paths.inventory];

/** Loads the code of the other pages ahead of time, so that they open, and say what is wrong, when the server is lost. */
function OtherPages() {
  const [due, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), prefetchAfter);
    return () => clearTimeout(timer);
  }, []);
  return due && pages.map((page) => <PrefetchPageLinks key={page} page={page} />);
}

/** What the marketplace needs while a player is in it. */
function Inside() {
  const { pathname } = useLocation();
  const paying = pathname === paths.checkout;
  useCartExpiry(paying);
  useOrderNews(!paying);
  useEffect(() => {
    write(keys.marketplaceTheme, "true");
    return keepWallet();
  }, []);
  return (
    <>
      <a href="#main" className="sr-only z-50 bg-ember px-4 py-2 text-ember-ink focus:not-sr-only focus:fixed focus:left-2 focus:top-2">
        Skip to the page
      </a>
      <OtherPages />
      <MarketHeader />
      <main id="main" tabIndex={-1} className="outline-none">
        <Outlet />
      </main>
    </>
  );
}

/** The frame of the marketplace: its own bar in place of the site's header and footer. */
export default function Marketplace() {
  const maintenance = useFlag("maintenance_mode");
  const navigate = useNavigate();
  useEffect(() => {
    if (maintenance) void navigate(paths.maintenance, { replace: true });
  }, [maintenance, navigate]);
  return (
    <PlayerArea
      loader={<MarketLoader />}
      frame={(problem) => (
        <PlainPage title="Out of reach">
          <div className="mt-8">{problem}</div>
        </PlainPage>
      )}
    >
      <Inside />
    </PlayerArea>
  );
}
