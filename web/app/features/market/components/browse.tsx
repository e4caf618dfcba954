import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type ReactNode, useCallback, useEffect, useId, useState } from "react";
import { Link, useLocation } from "react-router";
import { Button } from "~/components/ui/button";
import { Dialog } from "~/components/ui/dialog";
import { FilterIcon } from "~/components/ui/market-icons";
import { DidNotLoad, EmptyState, Skeleton } from "~/components/ui/states";
import { messageOf } from "~/lib/api/problem";
import { cn } from "~/lib/cn";
import { deferred } from "~/lib/deferred";
import { plural } from "~/lib/format";
import { useSearchParams } from "~/lib/navigation";
import { holdTime } from "~/lib/rules";
import { collectionName } from "../collections";
import { useFilters } from "../filters";
import { noteMarket } from "../last-market";
import { returnToPlace } from "../place";
import { shownRange } from "../polling";
import { collectionsQuery, type Filters, listingsQuery, type Total, totalOf } from "../queries";
import { ActiveFilters, FilterPanel, MarketSearch, SortField } from "./filters";
import { ListingCardSkeleton } from "./listing-card";

// Not among the first scripts: these load beside the first page of their list.
const ListingsGrid = deferred(() => import("./listings-grid"), <Placeholders />);
const SoldItems = deferred(() => import("./sold-items"));

const grid = "grid grid-cols-2 gap-3 sm:grid-cols-[repeat(auto-fill,minmax(13.5rem,1fr))] sm:gap-5";

function Placeholders() {
  return (
    <div className={grid} aria-busy="true">
      {Array.from({ length: 12 }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have nothing else
        <Skeleton key={i}>
          <ListingCardSkeleton />
        </Skeleton>
      ))}
    </div>
  );
}

function Listings() {
  const { filters, active, clear } = useFilters();
  const { key: entry } = useLocation();
  const [start, setStart] = useState(() => ({ entry, cards: returnToPlace(entry, filters) }));
  if (start.entry !== entry) setStart({ entry, cards: [] });
  const query = useInfiniteQuery(listingsQuery(filters));
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, isPending, refetch } = query;
  const more = hasNextPage && !isFetchingNextPage && !error;
  const onEnd = useCallback(() => {
    if (more) void fetchNextPage();
  }, [more, fetchNextPage]);
  const onRange = useCallback((from: number, to: number) => shownRange.set({ from, to }), []);
  if (isPending) return <Placeholders />;
  if (error && !data) {
    return <DidNotLoad what="The market" error={error} onRetry={refetch} />;
  }
  if (!data.pages.some(({ items }) => items.length > 0)) {
    return (
      <EmptyState
        title={active ? "No listings match" : "Nothing is for sale"}
        action={
          active && (
            <Button kind="quiet" size="small" onClick={clear}>
              Clear the filters
            </Button>
          )
        }
      >
        {active ? "Change or clear your search and filters, or come back later." : "New listings appear here by themselves."}
      </EmptyState>
    );
  }
  return (
    <>
      <ListingsGrid
        key={JSON.stringify(filters)}
        pages={data.pages}
        perItem={filters.cheapest}
        onEnd={onEnd}
        onRange={onRange}
        startAt={start.cards}
      />
      {hasNextPage && (
        <div className="mt-8 grid justify-items-center gap-4">
          {error && (
            <p role="alert" className="text-bone-muted">
              {messageOf(error)}
            </p>
          )}
          <Button kind="quiet" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {error ? "Try again" : "Show more"}
          </Button>
        </div>
      )}
    </>
  );
}

/** "1,234 listings", or "1,200+ listings" if there may be more. */
function totalText({ n, atLeast }: Total, word: string): string {
  if (!atLeast) return plural(n, word);
  return `${(n < 100 ? n : n - (n % 100)).toLocaleString("en")}+ ${word}s`;
}

function Count() {
  const { filters } = useFilters();
  const { data } = useInfiniteQuery(listingsQuery(filters));
  const total = data && totalOf(data.pages, filters.cheapest);
  return (
    <p role="status" className="figures text-bone-muted">
      {total && (total.n > 0 || !total.atLeast) ? totalText(total, filters.cheapest ? "item" : "listing") : "\u00a0"}
    </p>
  );
}

/** The line below the heading: what the collection's contract says of it, or how the market works. */
function Introduction({ collection, sold }: { collection: string; sold: boolean }) {
  const { data } = useQuery({ ...collectionsQuery, enabled: collection !== "" });
  const description = data?.find(({ slug }) => slug === collection)?.description;
  // The description comes later, and must not move the listings.
  const room = collection && "line-clamp-3 min-h-[3lh] flex-1 basis-64 sm:line-clamp-2 sm:min-h-[2lh]";
  return (
    <p className={cn("text-bone-muted", room)}>
      {description || (sold ? "What players bought last, newest first." : `What you add to your cart is reserved for you for ${holdTime}.`)}
    </p>
  );
}

/** The market's lists: what is for sale, and what was sold last. */
function Views({ sold }: { sold: boolean }) {
  const [query] = useSearchParams();
  const address = (view: string) => {
    const next = new URLSearchParams(query);
    next.delete("view");
    if (view) next.set("view", view);
    return { search: next.toString() };
  };
  const look = "display flex min-h-11 min-w-11 items-center justify-center border-b-2 px-1 text-xl aria-[current=page]:border-ember";
  return (
    <nav aria-label="Lists of the market" className="flex gap-5">
      <Link
        to={address("")}
        preventScrollReset
        aria-current={sold ? undefined : "page"}
        className={`${look} ${sold ? "border-transparent text-bone-muted" : ""}`}
      >
        For sale
      </Link>
      <Link
        to={address("sold")}
        preventScrollReset
        aria-current={sold ? "page" : undefined}
        className={`${look} ${sold ? "" : "border-transparent text-bone-muted"}`}
      >
        Sold
      </Link>
    </nav>
  );
}

interface BrowseProps {
  /** Stands above the listings unless the player looks for something. */
  shelf?: ReactNode;
  /** The button that saves a search with these filters. */
  save?: (filters: Filters) => ReactNode;
}

/**
 * The market: search, filters, and everything that is for sale, updated live.
 */
export function Browse({ shelf, save }: BrowseProps) {
  const { search } = useLocation();
  useEffect(() => noteMarket(search), [search]);
  const { filters, active } = useFilters();
  const [query] = useSearchParams();
  const sold = query.get("view") === "sold";
  const [open, setOpen] = useState(false);
  const prices = useId();
  return (
    <div className="mx-auto grid grid-cols-1 max-w-[110rem] gap-x-10 px-4 pb-20 pt-8 sm:px-8 lg:grid-cols-[15rem_1fr] lg:pt-12">
      {/* One line, and the same whatever is chosen, so that the filters below stay where they are. */}
      <header className="mb-7 grid gap-x-10 gap-y-5 lg:col-span-2 lg:mb-10 lg:grid-cols-subgrid lg:items-center">
        <h1 className="display whitespace-nowrap text-5xl lg:text-4xl">The market</h1>
        <div className={cn("flex flex-wrap items-center gap-3", sold && "lg:invisible")}>
          <div className={cn("min-w-0 flex-1 basis-56 lg:max-w-md", sold && "max-lg:hidden")}>
            <MarketSearch />
          </div>
          <div className={cn("contents", sold && "max-lg:hidden")}>
            <SortField />
          </div>
          <button
            type="button"
            className="flex h-11 items-center gap-2 rounded border border-line-strong px-3.5 hover:border-bronze lg:hidden"
            onClick={() => setOpen(true)}
          >
            <FilterIcon size={18} />
            Filters
            {(sold ? filters.collection : active) && (
              <span className="size-2 rounded-full bg-ember">
                <span className="sr-only">(active)</span>
              </span>
            )}
          </button>
          <div className={cn("ml-auto", sold && "max-lg:hidden")}>{!sold && <Count />}</div>
        </div>
      </header>
      <aside
        aria-label="Filters"
        // Taller than the window where a collection has many traits.
        className={
          "hidden self-start overflow-y-auto pb-4 pr-2 [scrollbar-width:thin] lg:sticky lg:top-24 lg:block " +
          "lg:max-h-[calc(100svh-6rem)]"
        }
      >
        <FilterPanel sold={sold} />
      </aside>
      <div className="min-w-0">
        {!active && !sold && shelf}
        <section aria-labelledby="listings">
          <h2 id="listings" className={filters.collection || (!active && shelf) || sold ? "display mb-5 text-3xl sm:text-4xl" : "sr-only"}>
            {filters.collection
              ? collectionName(filters.collection)
              : sold
                ? "Sold"
                : active || !shelf
                  ? "Listings"
                  : "Everything for sale"}
          </h2>
          <div className="mb-4 flex flex-wrap items-center justify-between gap-x-8 gap-y-2">
            <Introduction collection={filters.collection} sold={sold} />
            <Views sold={sold} />
          </div>
          {sold ? (
            <SoldItems collection={filters.collection} />
          ) : (
            <>
              <ActiveFilters />
              {active && save && <div className="mb-5 flex empty:hidden">{save(filters)}</div>}
              <Listings />
            </>
          )}
        </section>
      </div>
      <Dialog open={open} onOpenChange={setOpen} title="Filters" kind="drawer">
        <div className="p-6">
          <FilterPanel sold={sold} formId={prices} onApplied={() => setOpen(false)} />
        </div>
        <div className="mt-auto border-t border-line p-4">
          {sold ? (
            <Button className="w-full" onClick={() => setOpen(false)}>
              Show what was sold
            </Button>
          ) : (
            <Button type="submit" form={prices} className="w-full">
              Show listings
            </Button>
          )}
        </div>
      </Dialog>
    </div>
  );
}
