import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { More } from "~/components/ui/more";
import { Price } from "~/components/ui/price";
import { isRarity, RarityBadge } from "~/components/ui/rarity";
import { DidNotLoad, EmptyState, Skeleton } from "~/components/ui/states";
import { paths } from "~/lib/paths";
import { dateTime } from "~/lib/time";
import { salesQuery } from "../queries";

/** What was sold last, in a collection or in all (""). */
export default function SoldItems({ collection }: { collection: string }) {
  const query = useInfiniteQuery(salesQuery(collection));
  const { data, error, refetch } = query;
  if (!data) {
    if (error) return <DidNotLoad what="The sales" error={error} onRetry={refetch} />;
    return (
      <div className="grid gap-3" aria-busy="true">
        {[0, 1, 2, 3, 4].map((line) => (
          <Skeleton key={line} className="h-20" />
        ))}
      </div>
    );
  }
  const sales = data.pages.flatMap((page) => page.items);
  if (!sales.length) return <EmptyState title="Nothing was sold yet">What players buy appears here by itself.</EmptyState>;
  return (
    <>
      <ul>
        {sales.map(({ txHash, listingId, contract, tokenId, metadata, unitPrice, quantity, time }) => (
          <li key={`${txHash} ${listingId}`} className="relative flex items-center gap-4 border-t border-line py-3 hover:bg-night-1">
            <img
              src={metadata.image}
              alt=""
              width={600}
              height={800}
              loading="lazy"
              className="h-20 w-[3.75rem] shrink-0 rounded-sm object-cover object-top"
            />
            <div className="min-w-0 flex-1">
              {isRarity(metadata.rarity) && <RarityBadge rarity={metadata.rarity} className="text-[0.75rem]" />}
              <h3 className="break-words font-bold leading-tight">
                <Link to={paths.item(contract, tokenId)} className="after:absolute after:inset-0">
                  {metadata.name}
                </Link>
              </h3>
              <time dateTime={time} className="figures text-sm text-bone-muted">
                {dateTime(time)}
              </time>
            </div>
            <p className="figures shrink-0 text-right font-bold">
              <Price value={unitPrice} />
              {quantity > 1 && <span className="block text-sm font-normal text-bone-muted">× {quantity}</span>}
            </p>
          </li>
        ))}
      </ul>
      <More query={query} />
    </>
  );
}
