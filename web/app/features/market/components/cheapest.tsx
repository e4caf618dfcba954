import { useEffect, useState } from "react";
import { Link } from "react-router";
import { Price } from "~/components/ui/price";
import { paths } from "~/lib/paths";
import type { ListingPage } from "../queries";
import { readSample } from "../sample";

interface CheapestProps {
  /** The image of the card when nothing is for sale. */
  picture: string;
}

/**
 * The cheapest listing, for a page that must stay light. While it loads, and if there is none, the card has the same
 * size and links to the market.
 */
export function Cheapest({ picture }: CheapestProps) {
  const [listing, setListing] = useState<ListingPage["items"][number] | null>();
  useEffect(() => {
    readSample("sort=price-asc&limit=1").then(
      (page) => setListing(page?.items[0] ?? null),
      () => setListing(null),
    );
  }, []);
  const image = listing ? listing.metadata.image : listing === null ? picture : undefined;
  return (
    <Link
      to={listing ? paths.item(listing.assetContractAddress, listing.tokenId) : paths.market}
      className="group flex h-32 max-w-[30rem] overflow-hidden rounded border border-line-strong bg-night-1 hover:border-bronze lg:h-40"
    >
      <span className="h-full w-28 shrink-0 bg-night-2 lg:w-36">
        {image && <img src={image} alt="" width={600} height={800} className="size-full object-cover object-top" />}
      </span>
      <span className="flex min-w-0 flex-1 flex-col justify-center gap-1 px-4 sm:px-5">
        <span className="caption text-bronze">{listing ? "For sale now" : "The market"}</span>
        <span className="line-clamp-2 font-bold leading-tight group-hover:text-ember-bright">
          {listing ? listing.metadata.name : "Items for sale by players"}
        </span>
        {listing ? (
          <Price value={listing.price} className="text-xl font-bold" />
        ) : (
          <span className="text-bone-muted">See what is for sale</span>
        )}
      </span>
    </Link>
  );
}
