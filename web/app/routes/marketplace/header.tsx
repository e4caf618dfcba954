import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link, useLocation } from "react-router";
import { brand } from "#brand";
import { Mark } from "#brand/mark";
import { UserIcon } from "~/components/ui/icon";
import { WalletIcon, WarningIcon } from "~/components/ui/market-icons";
import { Menu } from "~/components/ui/menu";
import { Price } from "~/components/ui/price";
import { CartButton, CartDrawer } from "~/features/cart/components/cart-drawer";
import { cartDrawer } from "~/features/cart/drawer";
import { Bell } from "~/features/notification/components/bell";
import { useLive } from "~/features/realtime/live";
import { connection } from "~/features/realtime/store";
import { session } from "~/features/session/store";
import { useSignOut } from "~/features/session/use-sign-out";
import { balanceQuery, useTotals, useWalletAddress } from "~/features/wallet/balance";
import { wallet } from "~/features/wallet/store";
import { cn } from "~/lib/cn";
import { has } from "~/lib/has";
import { paths } from "~/lib/paths";
import { marketCurrency } from "~/lib/registry";
import { useStore } from "~/lib/store";

/** Shows a notice while the page is not live. */
function Live() {
  const state = useStore(connection, (c) => c.state);
  const live = useLive();
  return (
    <span role="status" className="flex items-center gap-2 text-sm text-bone-muted">
      <span className={cn("size-2 rounded-full", live ? "bg-good" : "animate-pulse bg-bronze")} />
      <span className="max-md:sr-only">
        {live ? "Live" : state === "Stopped" || state === "Connecting" ? "Connecting…" : "Reconnecting…"}
      </span>
    </span>
  );
}

function WalletState() {
  const status = useStore(wallet, (w) => w.status);
  const totals = useTotals();
  const { isError } = useQuery(balanceQuery(useWalletAddress()));
  if (status === "failed") {
    return (
      <Link to={paths.createWallet} className="flex h-11 items-center gap-2 rounded border border-bad px-3 text-bad">
        <WarningIcon size={18} />
        <span className="max-sm:sr-only">Wallet not connected</span>
      </Link>
    );
  }
  return (
    <Link to={paths.createWallet} className="flex h-11 min-w-11 items-center justify-center gap-2 rounded px-1 hover:bg-night-2 sm:px-2.5">
      <span className="sr-only">Your wallet{totals && `, ${marketCurrency.symbol}`}</span>
      <span className="text-bronze max-sm:hidden">
        <WalletIcon size={22} />
      </span>
      {/* Most phones have room for the amount only, and the header must not move when it is known. */}
      <span className="min-w-14 text-right font-bold min-[26rem]:min-w-24">
        {totals ? (
          <Price value={totals.usdcCachedTotal} className="max-sm:text-sm max-[26rem]:[&>span]:hidden" />
        ) : (
          <span className="text-sm font-normal text-bone-muted max-sm:sr-only">{isError ? "Not known" : "Connecting…"}</span>
        )}
      </span>
      {has.vaults && (
        <span className="min-w-20 text-right font-bold max-lg:hidden">{totals && <Price value={totals.godTotal} currency="GOD" />}</span>
      )}
    </Link>
  );
}

function AccountMenu() {
  const name = useStore(session, (s) => s.profile?.AccountInfo.TitleInfo.DisplayName);
  const leave = useSignOut();
  const { key } = useLocation();
  const entry = "flex min-h-11 w-full items-center px-4 text-left hover:bg-night-3";
  return (
    <Menu
      key={key}
      labelClassName="flex h-11 min-w-11 items-center justify-center gap-2 rounded px-2.5 hover:bg-night-2"
      label={
        <>
          <UserIcon size={22} />
          <span className="max-w-28 truncate max-md:sr-only">{name}</span>
        </>
      }
    >
      <div className="absolute right-0 top-full z-30 mt-1 min-w-52 rounded border border-line-strong bg-night-1 py-2">
        <p className="truncate px-4 pb-2 text-sm text-bone-muted md:hidden">{name}</p>
        {has.packs && (
          <Link to={paths.packs} className={entry}>
            My packs
          </Link>
        )}
        <Link to={paths.inventory} className={entry}>
          What I own
        </Link>
        <Link to={paths.watchlist} className={entry}>
          Watchlist
        </Link>
        <Link to={paths.sell} className={entry}>
          Sell
        </Link>
        <Link to={paths.money} className={entry}>
          Your money
        </Link>
        <Link to={paths.support} className={entry}>
          Support
        </Link>
        <Link to={paths.home} className={entry}>
          {brand.name} home
        </Link>
        <button type="button" className={entry} onClick={() => void leave()}>
          Sign out
        </button>
      </div>
    </Menu>
  );
}

/** The way to the market's first page. */
export function MarketHome() {
  return (
    <Link to={paths.market} className="flex min-h-11 min-w-11 items-center gap-2.5" aria-label={`${brand.name} market`}>
      <span className="text-bronze">
        <Mark />
      </span>
      <span className="display whitespace-nowrap text-2xl tracking-wider max-[56rem]:hidden">
        {brand.name} <span className="text-bronze">Market</span>
      </span>
    </Link>
  );
}

/** The marketplace's header: location, connection, balance, cart, account. */
export function MarketHeader() {
  const cart = useStore(cartDrawer, (d) => d.open);
  const setCart = (open: boolean) => cartDrawer.set({ open });
  useEffect(() => {
    cartDrawer.set({ isThere: true });
    return () => cartDrawer.set(cartDrawer.initial);
  }, []);
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-night">
      <div className="mx-auto flex h-16 max-w-[110rem] items-center gap-2 px-4 max-[22rem]:gap-0 max-[22rem]:px-2 sm:gap-4 sm:px-8">
        <MarketHome />
        <div className="ml-auto flex items-center gap-1 max-[22rem]:gap-0 sm:gap-3">
          <Live />
          {has.packs && (
            <Link
              to={paths.packs}
              className="display flex h-11 items-center rounded px-2.5 text-lg whitespace-nowrap hover:bg-night-2 max-[56rem]:hidden"
            >
              My packs
            </Link>
          )}
          <WalletState />
          <Bell />
          <AccountMenu />
          <CartButton onClick={() => setCart(true)} />
        </div>
      </div>
      <CartDrawer open={cart} onOpenChange={setCart} />
    </header>
  );
}
