import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useLocation } from "react-router";
import { Button } from "~/components/ui/button";
import { cardsInView, WindowedGrid } from "~/components/ui/windowed-grid";
import { focusMain } from "~/lib/focus";
import { plural } from "~/lib/format";
import { listedTokenKey } from "~/lib/token";
import { keepPlace } from "../place";
import { figuresIn, type Listing, type ListingPage, listingsOf } from "../queries";
import { asItIs, steady } from "../steady";
import { ListingCard } from "./listing-card";

/** Number of cards likely to be visible without scrolling. */
const firstScreen = 8;

interface ListingsGridProps {
  pages: ListingPage[];
  /** Whether each listing stands for its item. */
  perItem: boolean;
  /** Called when the last listing comes near the viewport. */
  onEnd: () => void;
  /** Called with the range of listings that are rendered, exclusive of `to`. */
  onRange: (from: number, to: number) => void;
  /** The keys of cards: the page scrolls initially to the first of them that is listed. */
  startAt?: string[] | undefined;
}

/** How many of the pages have the first `n` cards. */
function pagesTo(pages: ListingPage[], perItem: boolean, n: number): number {
  const last = pages.findIndex((_, index) => listingsOf(pages.slice(0, index + 1), perItem).length >= n);
  return last < 0 ? pages.length : last + 1;
}

const listingIdOf = ({ listingId }: Listing) => listingId;

/**
 * The listings of a list that may be long. While the first row is out of sight, cards keep their places: new listings before them wait
 * for the reader, and those that are gone say so. In a chunk of its own, which loads beside the first page of the list.
 */
export default function ListingsGrid({ pages, perItem, onEnd, onRange, startAt }: ListingsGridProps) {
  const figures = useMemo(() => figuresIn(pages), [pages]);
  const keyOf = perItem ? listedTokenKey : listingIdOf;
  const range = useRef({ from: 0, to: 0 });
  const [state, setState] = useState(() => ({ pages, shown: asItIs(listingsOf(pages, perItem)) }));
  if (state.pages !== pages) {
    const listings = listingsOf(pages, perItem);
    const { from, to } = range.current;
    setState({ pages, shown: from > 0 ? steady(state.shown.items, listings, to, keyOf) : asItIs(listings) });
  }
  const { items, gone, waiting } = state.shown;
  const follow = useCallback(
    (from: number, to: number) => {
      range.current = { from, to };
      if (from === 0)
        setState((now) => (now.shown.gone.size || now.shown.waiting ? { ...now, shown: asItIs(listingsOf(now.pages, perItem)) } : now));
      onRange(from, to);
    },
    [perItem, onRange],
  );
  const top = useRef<HTMLDivElement>(null);
  const { key: entry } = useLocation();
  const latest = useRef(pages);
  useLayoutEffect(() => {
    latest.current = pages;
  }, [pages]);
  useLayoutEffect(() => {
    const { current: grid } = top;
    const keep = () => {
      const { from, to } = range.current;
      if (grid) keepPlace({ entry, pages: pagesTo(latest.current, perItem, to), cards: from > 0 ? cardsInView(grid) : [] });
    };
    document.addEventListener("visibilitychange", keep); // also before a reload
    return () => {
      document.removeEventListener("visibilitychange", keep);
      keep();
    };
  }, [entry, perItem]);
  const showNew = () => {
    top.current?.scrollIntoView();
    focusMain();
  };
  return (
    <div ref={top} className="scroll-mt-40">
      <div aria-live="polite" className="pointer-events-none sticky top-20 z-20 flex h-0 justify-center lg:top-24">
        {waiting > 0 && (
          <Button kind="quiet" size="small" className="pointer-events-auto border-bronze bg-night-2 shadow-lg" onClick={showNew}>
            {plural(waiting, "new listing")}
          </Button>
        )}
      </div>
      <WindowedGrid label="Listings" items={items} keyOf={keyOf} onEnd={onEnd} onRange={follow} startAt={startAt}>
        {(listing, index) => (
          <ListingCard
            listing={listing}
            figures={figures(listing)}
            perItem={perItem}
            eager={index < firstScreen}
            gone={gone.has(keyOf(listing))}
          />
        )}
      </WindowedGrid>
    </div>
  );
}
