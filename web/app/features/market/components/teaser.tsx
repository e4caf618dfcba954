import { useCallback, useEffect, useState } from "react";
import { ButtonLink } from "~/components/ui/button";
import { ItemCard } from "~/components/ui/item-card";
import { Price } from "~/components/ui/price";
import { rarityOf } from "~/components/ui/rarity";
import { paths } from "~/lib/paths";
import type { ListingPage } from "../queries";
import { readSample } from "../sample";

const shown = 5;
/** The interval between retries, in milliseconds. */
const retryEvery = 10_000;
/** How many listings to choose from: enough that the rarest are not all of one kind. */
const asked = 40;
/** Placeholders for the cards until they load. */
const places = Array.from({ length: shown }, (_, index) => index);

/** Reorders the listings: the first of each collection before the second of any; of two equal ones only the first. */
export function assorted(listings: ListingPage["items"]): ListingPage["items"] {
  const seen = new Map<string, number>();
  const names = new Set<string>();
  return listings
    .flatMap((listing) => {
      const { collection, name } = listing.metadata;
      if (names.has(name)) return [];
      names.add(name);
      const turn = seen.get(collection) ?? 0;
      seen.set(collection, turn + 1);
      return { listing, turn };
    })
    .sort((a, b) => a.turn - b.turn)
    .map(({ listing }) => listing);
}

/**
 * A sample of what is for sale, for a page that must stay light. If the market is unreachable, or closed to visitors, it says so
 * and links to it.
 */
export function Teaser() {
  const [page, setPage] = useState<ListingPage | "failed" | "closed">();
  const load = useCallback(() => {
    readSample(`sort=rarity&limit=${asked}`).then(
      (page) => setPage(page ?? "closed"),
      () => setPage("failed"),
    );
  }, []);
  useEffect(load, [load]);
  useEffect(() => {
    if (page !== "failed") return;
    const timer = setInterval(load, retryEvery);
    return () => clearInterval(timer);
  }, [page, load]);
  const items = typeof page === "object" ? assorted(page.items) : [];
  return (
    <section className="mx-auto max-w-[100rem] px-4 pt-20 sm:px-8 lg:pt-28">
      <div className="mb-9 flex flex-wrap items-end justify-between gap-4">
        <h2 className="display text-5xl">On the market now</h2>
        <ButtonLink to={paths.market} kind="quiet" size="small">
          See everything
        </ButtonLink>
      </div>
      {page && !items.length ? (
        <p role="status" className="border-l-2 border-bronze-dim py-2 pl-5 text-bone-muted">
          {page === "failed"
            ? "The market can't be reached right now. "
            : page === "closed"
              ? "Sign in to see what players sell. "
              : "Nothing is for sale right now."}
          {page === "failed" && (
            <button type="button" onClick={load} className="underline decoration-bronze underline-offset-4 hover:text-bone">
              Try again
            </button>
          )}
        </p>
      ) : (
        <ul
          className={
            "-mx-4 flex snap-x scroll-px-4 gap-4 overflow-x-auto px-4 pb-2 [scrollbar-width:none] sm:mx-0 sm:grid " +
            "sm:grid-cols-3 sm:px-0 lg:grid-cols-5"
          }
        >
          {(page ? places.slice(0, items.length) : places).map((index) => {
            const item = items[index];
            return (
              <li key={index} className="w-56 shrink-0 snap-start sm:w-auto sm:max-lg:nth-[n+4]:hidden">
                {item ? (
                  <ItemCard
                    to={paths.item(item.assetContractAddress, item.tokenId)}
                    image={item.metadata.image}
                    name={item.metadata.name}
                    rarity={rarityOf(item.metadata.rarity)}
                  >
                    <Price value={item.price} className="text-lg font-bold" />
                  </ItemCard>
                ) : (
                  <div aria-hidden="true" className="rounded border border-line">
                    <div className="aspect-[600/640] bg-night-1" />
                    <div className="h-[8.5rem]" />
                  </div>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
