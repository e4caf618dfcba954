import { useCallback, useMemo } from "react";
import { isRarity, type Rarity } from "~/components/ui/rarity";
import { useSearchParams } from "~/lib/navigation";
import { kinds } from "~/lib/registry";
import type { Holding, List } from "./queries";

/** The inventory's filters; they are stored in the page's address. */
export interface Filters {
  q: string;
  list: List | "";
  rarity: Rarity | "";
}

const isList = (value: string) => kinds.some((kind) => kind.list === value);

/** Parses the filters from an address; invalid values are ignored. */
export function readFilters(query: URLSearchParams): Filters {
  const [list, rarity] = [query.get("kind") ?? "", query.get("rarity") ?? ""];
  return { q: query.get("q") ?? "", list: isList(list) ? list : "", rarity: isRarity(rarity) ? rarity : "" };
}

/** Whether any filter is set. */
export const isNarrowed = ({ q, list, rarity }: Filters) => q.trim() !== "" || list !== "" || rarity !== "";

/** Whether a token matches the filters. Every word must occur in its name, kind, collection or traits. */
export function fits({ metadata }: Holding, { q, rarity }: Filters): boolean {
  if (rarity && metadata.rarity !== rarity) return false;
  const text = [metadata.name, metadata.kind, metadata.collection, ...metadata.attributes.map((a) => a.value)].join(" ").toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** The inventory's filters, and a function to change them. */
export function useFilters(): { filters: Filters; change: (some: Partial<Filters>) => void; clear: () => void } {
  const [query, setQuery] = useSearchParams();
  const filters = useMemo(() => readFilters(query), [query]);
  const change = useCallback(
    (some: Partial<Filters>) => {
      const next = { ...filters, ...some };
      const entries = { q: next.q, kind: next.list, rarity: next.rarity };
      setQuery(Object.fromEntries(Object.entries(entries).filter(([, value]) => value)), { replace: true, preventScrollReset: true });
    },
    [filters, setQuery],
  );
  const clear = useCallback(() => change({ q: "", list: "", rarity: "" }), [change]);
  return { filters, change, clear };
}
