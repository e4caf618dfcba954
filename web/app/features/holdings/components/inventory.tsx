import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { Button, ButtonLink } from "~/components/ui/button";
import { Copyable } from "~/components/ui/copyable";
import { FailedLine } from "~/components/ui/failed-line";
import { ItemCard } from "~/components/ui/item-card";
import { More } from "~/components/ui/more";
import { Price } from "~/components/ui/price";
import { rarityOf } from "~/components/ui/rarity";
import { DidNotLoad, EmptyState, Skeleton } from "~/components/ui/states";
import { avatarQuery } from "~/features/claim/avatar";
import { SeasonAvatar } from "~/features/claim/components/season-avatar";
import { unsellable } from "~/features/market/own";
import { whitelistQuery } from "~/features/profile/queries";
import { useJoined } from "~/features/realtime/live";
import { session } from "~/features/session/store";
import { useSignOut } from "~/features/session/use-sign-out";
import { balanceKey, useOwnBalance, useTotals, useWalletAddress } from "~/features/wallet/balance";
import { VerifiedWallet } from "~/features/wallet/components/verified-wallet";
import { compare } from "~/lib/amount";
import { cn } from "~/lib/cn";
import { has } from "~/lib/has";
import { paths } from "~/lib/paths";
import { queryClient } from "~/lib/query";
import { kinds, marketCurrency, purses } from "~/lib/registry";
import { useStore } from "~/lib/store";
import { day } from "~/lib/time";
import { tokenKey } from "~/lib/token";
import { fits, isNarrowed, useFilters } from "../filters";
import { useNewItems } from "../new-items";
import { currenciesQuery, type Holding, holdingsKey, holdingsQuery, type List, piggyBanksConfigQuery, sumOf } from "../queries";
import { Narrow } from "./narrow";
import { BreakBanks, BrokenBanks } from "./piggy-banks";

/** Cards of one kind share a row; kinds with few cards share one. */
const row = "flex flex-wrap gap-3 sm:gap-5 *:w-[calc(50%-0.375rem)] sm:*:w-52";

const cell = "border-l border-bronze-dim pl-4";
const label = "caption text-bone-muted";
const figure = "display figures mt-1 block text-3xl";

/** A currency on chain: what can be spent here, and what is in the player's external wallet. */
function Money({ name, total, own }: { name: string; total: string | undefined; own: string | undefined }) {
  return (
    <div className={cell}>
      <dt className={label}>{name}</dt>
      <dd className={figure}>{total ? <Price value={total} currency="" /> : "–"}</dd>
      {own && compare(own, "0") > 0 && (
        <dd className="text-sm text-bone-muted">
          <Price value={own} currency="" /> more in your own wallet
        </dd>
      )}
    </div>
  );
}

function Ledger() {
  const totals = useTotals();
  const own = useOwnBalance();
  const { data: currencies } = useQuery(currenciesQuery);
  const passes = useInfiniteQuery({ ...holdingsQuery("listPasses"), enabled: useJoined() && has.passes }).data?.pages[0];
  const [all, setAll] = useState(false);
  const more = cn(cell, !all && "max-sm:hidden");
  return (
    <>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-7 sm:grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))]">
        <Money name={marketCurrency.symbol} total={totals?.usdcCachedTotal} own={own?.usdc} />
        {has.vaults && <Money name="GOD" total={totals?.godTotal} own={own?.god} />}
        {purses.map(({ id, name, currencies: parts }) => (
          <div key={id} className={more}>
            <dt className={label}>{name}</dt>
            <dd className={figure}>
              {currencies
                ? sumOf(
                    currencies,
                    parts.map(({ code }) => code),
                  ).toLocaleString("en")
                : "–"}
            </dd>
          </div>
        ))}
        {has.passes && (
          <div className={more}>
            <dt className={label}>{kinds.find(({ kind }) => kind === "passes")?.title}</dt>
            <dd className={figure}>{passes ? passes.total : "–"}</dd>
            <dd className="min-h-[2lh] text-sm text-bone-muted">
              {passes &&
                "communityCount" in passes &&
                passes.total > 0 &&
                `${passes.communityCount} Community, ${passes.ultimateCount} Ultimate`}
            </dd>
          </div>
        )}
      </dl>
      {/* On a phone what the player owns comes first. */}
      <button
        type="button"
        aria-expanded={all}
        onClick={() => setAll(!all)}
        className="min-h-11 justify-self-start text-bone-muted underline decoration-bronze underline-offset-4 hover:text-bone sm:hidden"
      >
        {all ? "Fewer balances" : "All balances"}
      </button>
    </>
  );
}

/** The lists that the player is on, if any. */
function Lists() {
  const { data, error, refetch } = useQuery(whitelistQuery);
  if (!data && error) {
    return (
      <div className="mt-3">
        <FailedLine onRetry={refetch}>The lists you are on did not load.</FailedLine>
      </div>
    );
  }
  if (!data?.length) return null;
  return (
    <p className="mt-3 text-bone-muted">
      On the {data.length === 1 ? "list" : "lists"}{" "}
      {data.map(({ name, until }) => (until ? `${name} (until ${day(until)})` : name)).join(", ")}
    </p>
  );
}

/**
 * How many there are, if more than one; and a note on what is in the player's external wallet, which the portal
 * cannot move.
 */
function whereabouts({ amount, wallet }: Holding): string {
  if (wallet === "verified") return amount === "1" ? "In your own wallet" : `${amount} in your own wallet`;
  return amount === "1" ? "" : `${amount} copies`;
}

/** Over the picture of an item that the player has not seen yet. */
const newMark = <span className="caption absolute left-2 top-2 rounded-sm bg-ember px-2 py-1 text-ember-ink">New</span>;

function Card({ holding, isNew }: { holding: Holding; isNew: boolean }) {
  const { name, image, rarity } = holding.metadata;
  const where = whereabouts(holding);
  return (
    <ItemCard
      to={paths.item(holding.contract, holding.tokenId)}
      image={image}
      name={name}
      rarity={rarityOf(rarity)}
      overlay={isNew && newMark}
    >
      {where && <span className="figures text-bone-muted">{where}</span>}
      {holding.wallet === "smart" && !unsellable(holding.metadata.collection) && (
        <ButtonLink
          kind="bare"
          size="small"
          to={`${paths.sell}?item=${holding.contract}:${holding.tokenId}`}
          aria-label={`Sell ${name}`}
          className="-mr-2 ml-auto h-11"
        >
          Sell
        </ButtonLink>
      )}
    </ItemCard>
  );
}

/** The queries of this page that failed to load any data. */
const missing = () =>
  [holdingsKey, balanceKey].flatMap((queryKey) =>
    queryClient.getQueryCache().findAll({ queryKey, predicate: ({ state }) => state.status === "error" && state.data === undefined }),
  );
const subscribe = (onChange: () => void) => queryClient.getQueryCache().subscribe(onChange);

/** Says once that something could not be loaded, however many queries failed. */
function Missing() {
  const number = useSyncExternalStore(
    subscribe,
    () => missing().length,
    () => 0,
  );
  const [first] = missing();
  if (!number || !first) return null;
  return (
    <div className="w-full">
      <DidNotLoad
        what={number > kinds.length ? "What you own" : "Some of your items"}
        error={first.state.error}
        onRetry={() => Promise.all(missing().map(({ queryKey }) => queryClient.refetchQueries({ queryKey, exact: true })))}
      />
    </div>
  );
}

/** Whether a list has neither loaded nor failed yet. Until then the layout is unknown. */
function usePending(lists: List[]): boolean {
  const pending = () =>
    lists.some((list) => {
      const state = queryClient.getQueryState(holdingsQuery(list).queryKey);
      return !state || (state.data === undefined && state.fetchFailureCount === 0);
    });
  return useSyncExternalStore(subscribe, pending);
}

function Kind({ list, title }: { list: List; title: string }) {
  const query = useInfiniteQuery({ ...holdingsQuery(list), enabled: useJoined() });
  const { data, error, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const { filters } = useFilters();
  const narrowed = isNarrowed(filters);
  const cards = useRef<HTMLDivElement>(null);
  const first = data?.pages[0];
  const newItems = useNewItems(first && "newItems" in first ? first.newItems : undefined, cards);
  // Matches may be on any page.
  const more = narrowed && hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  const pages = data?.pages.length;
  useEffect(() => {
    if (more && pages) void fetchNextPage();
  }, [more, pages, fetchNextPage]);
  if (!data && error) return null; // see Missing
  const items = data?.pages.flatMap((page) => page.items).filter((holding) => fits(holding, filters));
  const looking = narrowed && hasNextPage && !isFetchNextPageError;
  if (!items || (!items.length && looking)) {
    return (
      <div className={row} aria-busy="true">
        <Skeleton className="aspect-[3/4]" />
      </div>
    );
  }
  if (!items.length && !(narrowed && hasNextPage)) return null;
  const alone = items.length === 1 && !hasNextPage && list !== "listPiggyBanks"; // piggy banks can be broken below them
  return (
    <section aria-labelledby={list} className={alone ? "max-sm:w-[calc(50%-0.375rem)]" : "max-sm:w-full"}>
      <h2 id={list} className="display mb-5 flex items-baseline gap-3 text-2xl sm:text-3xl">
        {title}{" "}
        <span className="figures text-xl text-bronze">{(narrowed ? items.length : data?.pages[0]?.total)?.toLocaleString("en")}</span>
        {list === "listPacks" && (
          <ButtonLink to={paths.packs} size="small" aria-label="Open packs" className="self-center">
            Open
          </ButtonLink>
        )}
      </h2>
      <div ref={cards} className={cn(row, alone && "max-sm:*:w-full")}>
        {items.map((holding) => (
          <Card key={`${holding.wallet} ${tokenKey(holding)}`} holding={holding} isNew={newItems.has(holding.tokenId)} />
        ))}
      </div>
      {list === "listPiggyBanks" && (
        <div className="mt-6 empty:hidden">
          <BreakBanks banks={items} />
        </div>
      )}
      {narrowed && isFetchNextPageError && (
        <div className="mt-6">
          <FailedLine onRetry={fetchNextPage}>We could not search all of these.</FailedLine>
        </div>
      )}
      {!narrowed && <More query={query} />}
    </section>
  );
}

/** What the player owns: money, currencies, and every item by kind. */
export function Inventory() {
  const name = useStore(session, (s) => s.profile?.AccountInfo.TitleInfo.DisplayName);
  const address = useWalletAddress();
  const leave = useSignOut();
  const { filters, clear } = useFilters();
  const narrowed = isNarrowed(filters);
  const shown = kinds.filter(({ list }) => !filters.list || filters.list === list);
  const avatar = useQuery({ ...avatarQuery(address), enabled: has.seasonAvatars && avatarQuery(address).enabled !== false });
  const tariff = useQuery({ ...piggyBanksConfigQuery, enabled: has.piggyBanks });
  const pending =
    usePending(shown.map(({ list }) => list)) || [avatar, tariff].some(({ isLoading, failureCount }) => isLoading && failureCount === 0);
  return (
    <div className="mx-auto max-w-[100rem] px-4 pt-8 sm:px-8 sm:pt-12 lg:pt-20">
      <header className="mb-8 grid grid-cols-1 gap-6 sm:mb-16 sm:gap-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.5fr)] lg:items-end">
        <div className="min-w-0">
          <p className="caption break-words text-bronze">{name}</p>
          <h1 className="display mt-3 text-[clamp(2.75rem,8vw,7rem)]">What I own</h1>
          <p className="figures mt-4 flex flex-wrap gap-x-6 gap-y-2 text-bone-muted">
            {address ? (
              <span className="inline-flex items-center gap-1.5">
                Wallet <Copyable text={address} what="address" />
              </span>
            ) : (
              "No wallet yet"
            )}
            <button
              type="button"
              onClick={() => void leave()}
              className="min-h-11 underline decoration-bronze underline-offset-4 hover:text-bone"
            >
              Sign out
            </button>
          </p>
          <Lists />
        </div>
        <div className="grid gap-3">
          <Ledger />
        </div>
      </header>
      {has.piggyBanks && <BrokenBanks />}
      <Narrow />
      {pending && (
        <div className={cn(row, "min-h-svh content-start")} aria-busy="true">
          <Skeleton className="aspect-[3/4]" />
        </div>
      )}
      <div className={cn("peer flex flex-wrap gap-x-3 gap-y-12 sm:gap-x-5 sm:gap-y-16", pending && "hidden")}>
        <Missing />
        {shown.map((kind) => (
          <Kind key={kind.list} list={kind.list} title={kind.title} />
        ))}
      </div>
      {/* Kinds without items render nothing, so this is shown if there are no items of any kind. */}
      <div className="hidden peer-empty:block">
        {narrowed ? (
          <EmptyState
            title="No items match"
            action={
              <Button kind="quiet" onClick={clear}>
                Clear the filters
              </Button>
            }
          >
            Nothing you own matches your search and filters.
          </EmptyState>
        ) : (
          <EmptyState title="Nothing here yet" action={<ButtonLink to={paths.market}>To the market</ButtonLink>}>
            {address
              ? "What you buy or win appears here by itself."
              : "Your wallet is made when you first enter the market, and a welcome gift with it."}
          </EmptyState>
        )}
      </div>
      {has.seasonAvatars && <SeasonAvatar className={cn("mt-20", (pending || narrowed) && "hidden")} />}
      <VerifiedWallet className="mt-20 border-t border-line pt-8" />
    </div>
  );
}
