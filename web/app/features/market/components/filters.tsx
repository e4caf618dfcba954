import { useQuery } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { FailedLine } from "~/components/ui/failed-line";
import { inputLook } from "~/components/ui/field";
import { RightIcon } from "~/components/ui/market-icons";
import { RarityBadge, rarities } from "~/components/ui/rarity";
import { SearchField } from "~/components/ui/search-field";
import { CompactSelect } from "~/components/ui/select";
import { cn } from "~/lib/cn";
import { amount, plural } from "~/lib/format";
import { collectionName } from "../collections";
import { useFilters } from "../filters";
import { collectionsQuery, type Sort } from "../queries";

const sorts: { value: Sort; label: string }[] = [
  { value: "newest", label: "Newest first" },
  { value: "price-asc", label: "Lowest price" },
  { value: "price-desc", label: "Highest price" },
  { value: "rarity", label: "Rarest first" },
];

/** The search field. */
export function MarketSearch() {
  const { filters, change } = useFilters();
  return <SearchField label="Search the market" placeholder="Blades, gods, traits…" value={filters.q} onChange={(q) => change({ q })} />;
}

/** The sort order of the listings. */
export function SortField() {
  const { filters, change } = useFilters();
  return <CompactSelect label="Order" value={filters.sort} options={sorts} onChange={(sort) => change({ sort })} className="flex items-center gap-2" />;
}

/** Placeholders for the collections until they load: the market's usual number. */
const places = Array.from({ length: 5 }, (_, index) => index);

function Collections() {
  const { filters, change } = useFilters();
  const { data, error, refetch } = useQuery(collectionsQuery);
  const entry = "flex w-full items-baseline justify-between gap-3 border-l py-1.5 pl-4 text-left transition-colors hover:text-bone";
  const on = "border-ember text-bone";
  const off = "border-line text-bone-muted hover:border-bronze";
  return (
    <fieldset>
      <legend className="caption mb-3 text-bronze">Collections</legend>
      <button type="button" aria-pressed={!filters.collection} className={cn(entry, filters.collection ? off : on)} onClick={() => change({ collection: "" })}>
        All collections
      </button>
      {error && !data && (
        <div className="border-l border-line py-1.5 pl-4">
          <FailedLine onRetry={refetch}>They did not load.</FailedLine>
        </div>
      )}
      {!data &&
        !error &&
        places.map((index) => (
          <div key={index} aria-hidden="true" className={cn(entry, off)}>
            &nbsp;
          </div>
        ))}
      {data
        ?.filter((c) => c.listed > 0 || c.slug === filters.collection)
        .map((c) => (
          <button
            key={c.contract}
            type="button"
            aria-pressed={filters.collection === c.slug}
            className={cn(entry, filters.collection === c.slug ? on : off)}
            onClick={() => change({ collection: filters.collection === c.slug ? "" : c.slug })}
          >
            <span>{collectionName(c.slug)}</span>
            <span className="figures text-sm text-bone-muted" title={c.floor && `From ${amount(c.floor)} USDC`}>
              {c.listed}
              <span className="sr-only"> {plural(c.listed, "listing").replace(/^\d+ /, "")}</span>
            </span>
          </button>
        ))}
    </fieldset>
  );
}

function Rarities() {
  const { filters, change } = useFilters();
  return (
    <fieldset>
      <legend className="caption mb-3 text-bronze">Rarity</legend>
      <div className="flex flex-wrap gap-1.5">
        {rarities.map((rarity) => (
          <button
            key={rarity}
            type="button"
            aria-pressed={filters.rarity === rarity}
            onClick={() => change({ rarity: filters.rarity === rarity ? "" : rarity })}
            className="rounded border border-line px-2.5 py-1.5 hover:border-bronze aria-pressed:border-current aria-pressed:bg-night-3"
          >
            <RarityBadge rarity={rarity} className="text-[0.75rem]" />
          </button>
        ))}
      </div>
    </fieldset>
  );
}

function Prices() {
  const { filters, change } = useFilters();
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    change({ min: String(data.get("min")), max: String(data.get("max")) });
  };
  const input = cn(inputLook, "figures h-11 min-w-0 px-3");
  return (
    <form onSubmit={apply} key={`${filters.min} ${filters.max}`}>
      <fieldset>
        <legend className="caption mb-3 text-bronze">Price in USDC</legend>
        <div className="flex items-center gap-2">
          <input name="min" aria-label="Lowest price" inputMode="decimal" placeholder="from" defaultValue={filters.min} className={input} />
          <input name="max" aria-label="Highest price" inputMode="decimal" placeholder="to" defaultValue={filters.max} className={input} />
          <button
            type="submit"
            aria-label="Apply prices"
            className="grid size-11 shrink-0 place-items-center rounded border border-line-strong hover:border-bronze"
          >
            <RightIcon size={16} />
          </button>
        </div>
      </fieldset>
    </form>
  );
}

/** All filters of the market. */
export function FilterPanel() {
  const { active, clear } = useFilters();
  return (
    <div className="grid gap-8">
      <Collections />
      <Rarities />
      <Prices />
      {active && (
        <button type="button" onClick={clear} className="justify-self-start text-bone-muted underline decoration-bronze underline-offset-4 hover:text-bone">
          Clear all
        </button>
      )}
    </div>
  );
}
