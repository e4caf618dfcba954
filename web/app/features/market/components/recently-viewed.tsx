import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { FailedLine } from "~/components/ui/failed-line";
import { ItemCard } from "~/components/ui/item-card";
import { Price } from "~/components/ui/price";
import { rarityOf } from "~/components/ui/rarity";
import { ScrollArea } from "~/components/ui/scroll-area";
import { onSessionEnd } from "~/features/session/session";
import { paths } from "~/lib/paths";
import { tokenKey } from "~/lib/token";
import { noteViewed, offersQuery, viewedItems } from "../viewed";

interface RecentlyViewedProps {
  /** The item on whose page the row is: it is remembered, and not in the row. */
  current?: { contract: string; tokenId: string };
  className?: string;
}

/** The items that were viewed last, with their lowest price. Nothing for who has viewed none. */
export function RecentlyViewed({ current, className }: RecentlyViewedProps) {
  const key = current && tokenKey(current);
  const [items, setItems] = useState(() => viewedItems().filter((other) => other !== key));
  useEffect(() => {
    if (key) noteViewed(key);
  }, [key]);
  // Signing out in another tab leaves this page open.
  useEffect(() => onSessionEnd(() => setItems([])), []);
  const { data, error, refetch } = useQuery(offersQuery(items));
  if (items.length === 0 || data?.length === 0) return null;
  return (
    <section aria-labelledby="viewed" className={className}>
      <h2 id="viewed" className="display mb-5 text-3xl">
        Recently viewed
      </h2>
      {!data && error ? (
        <FailedLine onRetry={refetch}>The items you viewed did not load.</FailedLine>
      ) : (
        <ScrollArea aria-label="Recently viewed, in a row" className="pb-3 pt-1">
          <ul className="grid auto-cols-[9rem] grid-flow-col justify-start gap-3 sm:auto-cols-[11rem] sm:gap-5" aria-busy={!data}>
            {data
              ? data.map(({ contract, tokenId, metadata, cheapest }) => (
                  <li key={tokenKey({ contract, tokenId })} className="grid">
                    <ItemCard
                      to={paths.item(contract, tokenId)}
                      image={metadata.image}
                      name={metadata.name}
                      rarity={rarityOf(metadata.rarity)}
                    >
                      {cheapest ? (
                        <Price value={cheapest.price} className="text-lg font-bold" />
                      ) : (
                        <span className="text-bone-muted">Not for sale</span>
                      )}
                    </ItemCard>
                  </li>
                ))
              : items.map((key) => (
                  <li key={key} className="rounded border border-line">
                    <div className="aspect-[600/640]" />
                    <div className="h-[8.25rem] sm:h-[8.5rem]" />
                  </li>
                ))}
          </ul>
        </ScrollArea>
      )}
    </section>
  );
}
