import { useMemo } from "react";
import { type Location, NavigationType, useLocation, useNavigationType, useSearchParams } from "react-router";
import { rarities } from "~/components/ui/rarity";
import { compare } from "~/lib/amount";
import { type Filters, type Sort, sorts } from "./queries";

/** A price as entered; anything else counts as not given. */
const pricePattern = /^\d{1,12}([.,]\d{1,6})?$/;

const addressPattern = /^0x[0-9a-f]{40}$/i;

/** The most values of traits that are chosen at once. */
export const mostTraits = 10;

const isSort = (value: string | null): value is Sort => (sorts as readonly (string | null)[]).includes(value);

/** A price with a comma that may group thousands or begin the decimals. */
const ambiguousPattern = /^\d+,\d{3}$/;

/** Converts a price as entered to a decimal string; "" for none. */
const priceOf = (text: string) => text.trim().replace(",", ".");

/** Why a price as entered cannot be a limit; undefined if it can. Empty is no limit. */
function priceProblem(text: string): string | undefined {
  const given = text.trim();
  if (given.startsWith("-")) return "A price is 0 or more.";
  if (ambiguousPattern.test(given)) return "Write it without a comma: 1000, or 12.50.";
  if (given && !pricePattern.test(given)) return "Enter a number with at most 6 decimals, such as 12.50.";
}

/** Why a price range as entered is refused, by field. */
export function rangeProblems(min: string, max: string): { min?: string | undefined; max?: string | undefined } {
  const problems = { min: priceProblem(min), max: priceProblem(max) };
  if (problems.min || problems.max || !min.trim() || !max.trim() || compare(priceOf(min), priceOf(max)) <= 0) return problems;
  return { max: "The highest price is below the lowest." };
}

/**
 * Parses the filters from a query string. Invalid values are ignored, and so is a highest price below the
 * lowest.
 */
export function readFilters(query: URLSearchParams): Filters {
  const text = (name: string) => query.get(name)?.trim().slice(0, 100) ?? "";
  const problems = rangeProblems(text("min"), text("max"));
  const price = (name: "min" | "max") => (problems[name] ? "" : priceOf(text(name)));
  const named = query.getAll("rarity").flatMap((value) => value.split(","));
  const sort = query.get("sort");
  return {
    collection: text("collection"),
    q: text("q"),
    rarity: rarities.filter((rarity) => named.includes(rarity)),
    trait: [...new Set(query.getAll("trait").filter((trait) => /^[^:]+:./.test(trait) && trait.length <= 100))].slice(0, mostTraits),
    seller: addressPattern.test(text("seller")) ? text("seller") : "",
    free: query.get("free") === "true",
    cheapest: query.get("cheapest") === "true",
    min: price("min"),
    max: price("max"),
    sort: isSort(sort) ? sort : "newest",
  };
}

/** Whether the filters exclude any item. */
const isActive = ({ collection, q, rarity, trait, seller, free, min, max }: Filters) =>
  Boolean(collection || q || rarity.length || trait.length || seller || free || min || max);

/** Changes that are not drawn yet: the location drawn when they were made, and their query strings, the last one last. */
export interface Pending {
  drawn: Location;
  queries: string[];
}

/** What is still pending when a location is drawn. Each change may be drawn on its own, or together with later ones. */
export function stillPending(pending: Pending | undefined, drawn: Location, isPop: boolean): Pending | undefined {
  if (!pending || pending.drawn === drawn) return pending;
  const at = isPop ? -1 : pending.queries.indexOf(drawn.search);
  const queries = at < 0 ? [] : pending.queries.slice(at + 1);
  return queries.length ? { drawn, queries } : undefined;
}

let pending: Pending | undefined;

/** Some filters, or a function from those in use to some. */
type Change = Partial<Filters> | ((now: Filters) => Partial<Filters>);

/**
 * The filters in the page's address, and functions to change some of them and to clear them. Each change is an entry of
 * the history, so that Back undoes it; a search that is typed on, and one that is deleted, replaces its entry.
 */
export function useFilters(): { filters: Filters; change: (some: Change) => void; clear: () => void; active: boolean } {
  const [query, setQuery] = useSearchParams();
  const drawn = useLocation();
  const isPop = useNavigationType() === NavigationType.Pop;
  const filters = useMemo(() => readFilters(query), [query]);
  const go = (next: URLSearchParams, replace = false) => {
    const search = next.size ? `?${next}` : "";
    pending = { drawn, queries: [...(stillPending(pending, drawn, isPop)?.queries ?? []), search] };
    setQuery(next, { replace, preventScrollReset: true });
  };
  return {
    filters,
    active: isActive(filters),
    change(some) {
      // A change is drawn a moment later: one that is made before that starts from it.
      const from = new URLSearchParams(stillPending(pending, drawn, isPop)?.queries.at(-1) ?? query);
      const now = readFilters(from);
      const changed = typeof some === "function" ? some(now) : some;
      const next = new URLSearchParams(from);
      for (const [name, value] of Object.entries(changed)) {
        next.delete(name);
        if (name === "sort" && value === "newest") continue;
        for (const one of [value].flat()) if (one) next.append(name, String(one));
      }
      go(next, changed.q !== undefined && now.q !== "");
    },
    clear: () => go(new URLSearchParams()),
  };
}
