import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Button } from "~/components/ui/button";
import { Dialog } from "~/components/ui/dialog";
import { FilterIcon } from "~/components/ui/market-icons";
import { DidNotLoad, EmptyState, Skeleton } from "~/components/ui/states";
import { messageOf } from "~/lib/api/problem";
import { plural } from "~/lib/format";
import { holdTime } from "~/lib/rules";
import { collectionName } from "../collections";
import { useFilters } from "../filters";
import { listingsOf, listingsQuery, type Total, totalOf } from "../queries";
import { ActiveFilters, FilterPanel, MarketSearch, SortField } from "./filters";
import { ListingCard, ListingCardSkeleton } from "./listing-card";

/** Number of cards likely to be visible without scrolling. */
const firstScreen = 8;
const grid = "grid grid-cols-2 gap-3 sm:grid-cols-[repeat(auto-fill,minmax(13.5rem,1fr))] sm:gap-5";

/** Calls `load` when the end of the list is near the viewport. */
function End({ load }: { load: () => void }) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = end.current;
    if (!element) return;
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && load(), { rootMargin: "800px" });
    watch.observe(element);
    return () => watch.disconnect();
  }, [load]);
  return <div ref={end} />;
}

function Listings() {
  const { filters, active, clear } = useFilters();
  const query = useInfiniteQuery(listingsQuery(filters));
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, isPending, refetch } = query;
  if (isPending) {
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
  if (error && !data) {
    return <DidNotLoad what="The market" error={error} onRetry={refetch} />;
  }
  const listings = listingsOf(data.pages);
  if (!listings.length) {
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
      <div className={grid}>
        {listings.map((listing, index) => (
          <ListingCard key={listing.listingId} listing={listing} eager={index < firstScreen} />
        ))}
      </div>
      {hasNextPage && !error && <End load={() => void (isFetchingNextPage || fetchNextPage())} />}
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
function totalText({ n, atLeast }: Total): string {
  if (!atLeast) return plural(n, "listing");
  return `${(n < 100 ? n : n - (n % 100)).toLocaleString("en")}+ listings`;
}

function Count() {
  const { filters } = useFilters();
  const { data } = useInfiniteQuery(listingsQuery(filters));
  const total = data && totalOf(data.pages);
  return (
    <p role="status" className="figures text-bone-muted">
      {total && (total.n > 0 || !total.atLeast) ? totalText(total) : "\u00a0"}
    </p>
  );
}

/**
 * The market: search, filters, and everything that is for sale, updated live. `shelf` stands above it unless the player
 * looks for something.
 */
export function Browse({ shelf }: { shelf?: ReactNode }) {
  const { filters, active } = useFilters();
  const [open, setOpen] = useState(false);
  const prices = useId();
  return (
    <div className="mx-auto grid grid-cols-1 max-w-[110rem] gap-x-10 px-4 pb-20 pt-8 sm:px-8 lg:grid-cols-[15rem_1fr] lg:pt-12">
      {/* One line, and the same whatever is chosen, so that the filters below stay where they are. */}
      <header className="mb-7 grid gap-x-10 gap-y-5 lg:col-span-2 lg:mb-10 lg:grid-cols-subgrid lg:items-center">
        <h1 className="display whitespace-nowrap text-5xl lg:text-4xl">The market</h1>
        <div className="flex flex-wrap items-center gap-3">
          <div className="min-w-0 flex-1 basis-56 lg:max-w-md">
            <MarketSearch />
          </div>
          <SortField />
          <button
            type="button"
            className="flex h-11 items-center gap-2 rounded border border-line-strong px-3.5 hover:border-bronze lg:hidden"
            onClick={() => setOpen(true)}
          >
            <FilterIcon size={18} />
            Filters
            {active && (
              <span className="size-2 rounded-full bg-ember">
                <span className="sr-only">(active)</span>
              </span>
            )}
          </button>
          <div className="ml-auto">
            <Count />
          </div>
        </div>
      </header>
      <aside aria-label="Filters" className="hidden self-start lg:sticky lg:top-24 lg:block">
        <FilterPanel />
      </aside>
      <div className="min-w-0">
        {!active && shelf}
        <section aria-labelledby="listings">
          <h2 id="listings" className={filters.collection || (!active && shelf) ? "display mb-5 text-3xl sm:text-4xl" : "sr-only"}>
            {filters.collection ? collectionName(filters.collection) : active || !shelf ? "Listings" : "Everything for sale"}
          </h2>
          <p className="mb-4 text-bone-muted">What you add to your cart is reserved for you for {holdTime}.</p>
          <ActiveFilters />
          <Listings />
        </section>
      </div>
      <Dialog open={open} onOpenChange={setOpen} title="Filters" kind="drawer">
        <div className="p-6">
          <FilterPanel formId={prices} onApplied={() => setOpen(false)} />
        </div>
        <div className="mt-auto border-t border-line p-4">
          <Button type="submit" form={prices} className="w-full">
            Show listings
          </Button>
        </div>
      </Dialog>
    </div>
  );
}
