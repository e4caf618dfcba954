import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import { Button } from "~/components/ui/button";
import { WindowedGrid } from "~/components/ui/windowed-grid";
import { plural } from "~/lib/format";
import { figuresIn, type Listing, type ListingPage } from "../queries";
import { asItIs, steady } from "../steady";
import { ListingCard } from "./listing-card";

/** Number of cards likely to be visible without scrolling. */
const firstScreen = 8;

interface ListingsGridProps {
  listings: Listing[];
  /** The pages that contain them. */
  pages: ListingPage[];
  /** Whether each listing stands for its item. */
  perItem: boolean;
  /** Called when the last listing comes near the viewport. */
  onEnd: () => void;
  /** Called with the range of listings that are rendered, exclusive of `to`. */
  onRange: (from: number, to: number) => void;
}

const itemOf = ({ assetContractAddress, tokenId }: Listing) => `${assetContractAddress} ${tokenId}`;
const listingIdOf = ({ listingId }: Listing) => listingId;

/**
 * The listings of a list that may be long. While the first row is out of sight, cards keep their places: new listings before them wait
 * for the reader, and those that are gone say so. In a chunk of its own, which loads beside the first page of the list.
 */
export default function ListingsGrid({ listings, pages, perItem, onEnd, onRange }: ListingsGridProps) {
  const figures = useMemo(() => figuresIn(pages), [pages]);
  const keyOf = perItem ? itemOf : listingIdOf;
  const range = useRef({ from: 0, to: 0 });
  const before = useRef<Listing[]>([]);
  const [returns, setReturns] = useState(0); // of the reader to the first row
  // biome-ignore lint/correctness/useExhaustiveDependencies: the range matters when the list changes or the reader returns
  const shown = useMemo(
    () => (range.current.from > 0 ? steady(before.current, listings, range.current.to, keyOf) : asItIs(listings)),
    [listings, keyOf, returns],
  );
  const { items, gone, waiting } = shown;
  useLayoutEffect(() => {
    before.current = items;
  }, [items]);
  const isHeld = gone.size > 0 || waiting > 0;
  const follow = useCallback(
    (from: number, to: number) => {
      range.current = { from, to };
      if (from === 0 && isHeld) setReturns((n) => n + 1);
      onRange(from, to);
    },
    [isHeld, onRange],
  );
  const top = useRef<HTMLDivElement>(null);
  const showNew = () => {
    top.current?.scrollIntoView();
    document.getElementById("main")?.focus({ preventScroll: true });
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
      <WindowedGrid label="Listings" items={items} keyOf={keyOf} onEnd={onEnd} onRange={follow}>
        {(listing, index) => (
          <ListingCard listing={listing} figures={figures(listing)} perItem={perItem} eager={index < firstScreen} gone={gone.has(keyOf(listing))} />
        )}
      </WindowedGrid>
    </div>
  );
}
