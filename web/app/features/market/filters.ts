import { useMemo } from "react";
import { useSearchParams } from "react-router";
import { isRarity } from "~/components/ui/rarity";
import { type Filters, type Sort, sorts } from "./queries";

/** A price as entered; anything else counts as not given. */
const pricePattern = /^\d{1,12}([.,]\d{1,6})?$/;

const isSort = (value: string | null): value is Sort => (sorts as readonly (string | null)[]).includes(value);

/** Parses the filters from a query string. Invalid values are ignored. */
export function readFilters(query: URLSearchParams): Filters {
  const text = (name: string) => query.get(name)?.trim().slice(0, 100) ?? "";
  const price = (name: string) => (pricePattern.test(text(name)) ? text(name).replace(",", ".") : "");
  const rarity = text("rarity");
  const sort = query.get("sort");
  return {
    collection: text("collection"),
    q: text("q"),
    rarity: isRarity(rarity) ? rarity : "",
    min: price("min"),
    max: price("max"),
    sort: isSort(sort) ? sort : "newest",
  };
}

/** The filters in the page's address, and a function to change some of them. */
export function useFilters(): { filters: Filters; change: (some: Partial<Filters>) => void; clear: () => void; active: boolean } {
  const [query, setQuery] = useSearchParams();
  const filters = useMemo(() => readFilters(query), [query]);
  return {
    filters,
    active: Boolean(filters.collection || filters.q || filters.rarity || filters.min || filters.max),
    change(some) {
      setQuery(
        (now) => {
          const next = new URLSearchParams(now);
          for (const [name, value] of Object.entries(some)) {
            if (value && !(name === "sort" && value === "newest")) next.set(name, value);
            else next.delete(name);
          }
          return next;
        },
        { replace: true, preventScrollReset: true },
      );
    },
    clear: () => setQuery({}, { replace: true, preventScrollReset: true }),
  };
}
