import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FailedLine } from "~/components/ui/failed-line";
import { TextLink } from "~/components/ui/link";
import { ScrollArea } from "~/components/ui/scroll-area";
import { paths } from "~/lib/paths";
import { listedTokenKey, tokenKey } from "~/lib/token";
import { collectionName } from "../collections";
import { figuresIn, type Item, kindOf, type Listing, ofKindQuery } from "../queries";
import { ListingCard, ListingCardSkeleton } from "./listing-card";

/** Cards in the row. */
const most = 8;

/** The cheapest listing of each of other items of the kind. */
function others(listings: Listing[], item: Item): Listing[] {
  const seen = new Set([tokenKey(item)]);
  return listings.filter((listing) => !seen.has(listedTokenKey(listing)) && seen.add(listedTokenKey(listing))).slice(0, most);
}

/** Other items of the same kind that are for sale, cheapest first. */
export function Similar({ item }: { item: Item }) {
  const { data, error, refetch } = useQuery(ofKindQuery(kindOf(item.metadata)));
  // A row that was shown keeps its place when its last item is sold.
  const [shown, setShown] = useState(false);
  const listings = data && others(data.items, item);
  if (!shown && listings?.length) setShown(true);
  if (listings?.length === 0 && !shown) return null;
  const all = `${paths.market}?collection=${encodeURIComponent(item.metadata.collection)}&sort=price-asc`;
  return (
    <section aria-labelledby="similar" className="border-t border-line pt-10 lg:col-span-2">
      <div className="mb-5 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id="similar" className="display text-3xl">
          Similar items
        </h2>
        <TextLink to={all} className="inline-flex min-h-11 items-center">
          All of {collectionName(item.metadata.collection)}
        </TextLink>
      </div>
      {!data && error ? (
        <FailedLine onRetry={refetch}>Similar items did not load.</FailedLine>
      ) : listings?.length === 0 ? (
        <p className="text-bone-muted">No other one is for sale right now.</p>
      ) : (
        <ScrollArea aria-label="Similar items, in a row" className="pb-3 pt-1">
          <ul className="grid auto-cols-[11rem] grid-flow-col justify-start gap-3 sm:auto-cols-[14.5rem] sm:gap-5" aria-busy={!listings}>
            {data && listings
              ? listings.map((listing) => (
                  <li key={listing.listingId} className="grid">
                    <ListingCard listing={listing} figures={figuresIn([data])(listing)} />
                  </li>
                ))
              : Array.from({ length: most }, (_, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
                  <li key={i}>
                    <ListingCardSkeleton />
                  </li>
                ))}
          </ul>
        </ScrollArea>
      )}
    </section>
  );
}
