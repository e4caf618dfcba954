import { useCallback, useMemo } from "react";
import { isRarity, type Rarity } from "~/components/ui/rarity";
import { kinds } from "~/lib/collections.gen";
import { useSearchParams } from "~/lib/navigation";
import type { Holding, List } from "./queries";

/** The inventory's filters; they are stored in the page's address. */
export interface Chosen {
  q: string;
  list: List | "";
  rarity: Rarity | "";
}

const isList = (value: string): value is List => kinds.some((kind) => kind.list === value);

/** Parses the filters from an address; invalid values are ignored. */
export function chosenIn(query: URLSearchParams): Chosen {
  const [list, rarity] = [query.get("kind") ?? "", query.get("rarity") ?? ""];
  return { q: query.get("q") ?? "", list: isList(list) ? list : "", rarity: isRarity(rarity) ? rarity : "" };
}

/** Whether any filter is set. */
export const isNarrowed = ({ q, list, rarity }: Chosen) => q.trim() !== "" || list !== "" || rarity !== "";

/** Whether a token matches the filters. Every word must occur in its name, kind, collection or traits. */
export function fits({ metadata }: Holding, { q, rarity }: Chosen): boolean {
  if (rarity && metadata.rarity !== rarity) return false;
  const text = [metadata.name, metadata.kind, metadata.collection, ...metadata.attributes.map((a) => a.value)].join(" ").toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** The inventory's filters, and a function to change them. */
export function useChosen(): { chosen: Chosen; change: (some: Partial<Chosen>) => void; clear: () => void } {
  const [query, setQuery] = useSearchParams();
  const chosen = useMemo(() => chosenIn(query), [query]);
  const change = useCallback(
    (some: Partial<Chosen>) => {
      const next = { ...chosen, ...some };
      const entries = { q: next.q, kind: next.list, rarity: next.rarity };
      setQuery(Object.fromEntries(Object.entries(entries).filter(([, value]) => value)), { replace: true, preventScrollReset: true });
    },
    [chosen, setQuery],
  );
  const clear = useCallback(() => change({ q: "", list: "", rarity: "" }), [change]);
  return { chosen, change, clear };
}
