import { useMemo } from "react";
import { type Location, NavigationType, useLocation, useNavigationType } from "react-router";
import { rarities } from "~/components/ui/rarity";
import { compare } from "~/lib/amount";
import { useSearchParams } from "~/lib/navigation";
import { marketCurrency } from "~/lib/registry";
import { type Filters, type Sort, sorts } from "./queries";

const limitDecimals = marketCurrency.decimals;

/** A price as entered; anything else counts as not given. */
const pricePattern = new RegExp(`^\\d{1,12}([.,]\\d{1,${limitDecimals}})?$`);

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
  if (given && !pricePattern.test(given)) return `Enter a number with at most ${limitDecimals} decimals, such as 12.50.`;
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

/** Query strings of changes that are not rendered yet, oldest first, and the location rendered when they were made. */
export interface Pending {
  rendered: Location;
  queries: string[];
}

/** Returns the changes still pending once a location is rendered. React may render changes one at a time or several at once. */
export function stillPending(pending: Pending | undefined, rendered: Location, isPop: boolean): Pending | undefined {
  if (!pending || pending.rendered === rendered) return pending;
  const at = isPop ? -1 : pending.queries.indexOf(rendered.search);
  const queries = at < 0 ? [] : pending.queries.slice(at + 1);
  return queries.length ? { rendered, queries } : undefined;
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
  const rendered = useLocation();
  const isPop = useNavigationType() === NavigationType.Pop;
  const filters = useMemo(() => readFilters(query), [query]);
  const queued = () => stillPending(pending, rendered, isPop)?.queries ?? [];
  const go = (next: URLSearchParams, replace = false) => {
    pending = { rendered, queries: [...queued(), next.size ? `?${next}` : ""] };
    setQuery(next, { replace, preventScrollReset: true });
  };
  return {
    filters,
    active: isActive(filters),
    change(some) {
      // The address follows a change with a delay; a change made before that builds on the pending one.
      const from = new URLSearchParams(queued().at(-1) ?? query);
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
