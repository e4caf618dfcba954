import { useMemo } from "react";
import { WindowedGrid } from "~/components/ui/windowed-grid";
import { figuresIn, type Listing, type ListingPage } from "../queries";
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

/** The listings of a list that may be long. In a chunk of its own, which loads beside the first page of the list. */
export default function ListingsGrid({ listings, pages, perItem, onEnd, onRange }: ListingsGridProps) {
  const figures = useMemo(() => figuresIn(pages), [pages]);
  return (
    <WindowedGrid label="Listings" items={listings} keyOf={({ listingId }) => listingId} onEnd={onEnd} onRange={onRange}>
      {(listing, index) => <ListingCard listing={listing} figures={figures(listing)} perItem={perItem} eager={index < firstScreen} />}
    </WindowedGrid>
  );
}
