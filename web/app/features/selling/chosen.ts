import { useCallback, useEffect, useMemo, useRef } from "react";
import { useSearchParams } from "~/lib/navigation";
import { tokenKey } from "~/lib/token";

/** The most items that are listed in one operation: each takes gas, and an operation has a bounded amount of it. */
export const mostItems = 20;

/** Something to be sold, as the page's address names it. */
export interface Chosen {
  contract: string;
  tokenId: string;
  /** What is filled in at first; "" for nothing. */
  count: string;
  price: string;
}

/** The items that an address names: contract:tokenId, and how many at which price where they were listed before. Others are ignored. */
export function chosenIn(query: URLSearchParams): Chosen[] {
  const seen = new Set<string>();
  return query
    .getAll("item")
    .flatMap((text): Chosen[] => {
      const [, contract, tokenId, count = "", price = ""] =
        /^(0x[0-9a-fA-F]{40}):(\d{1,78})(?::(\d{1,9})(?::([\d.]{1,24}))?)?$/.exec(text) ?? [];
      return contract && tokenId ? [{ contract, tokenId, count, price }] : [];
    })
    .filter((item) => !seen.has(tokenKey(item)) && seen.add(tokenKey(item)))
    .slice(0, mostItems);
}

const textOf = ({ contract, tokenId, count, price }: Chosen) => [contract, tokenId, count, price].join(":").replace(/:+$/, "");

/** The items of the page's address, and functions to add or take out one, and to take out several. */
export function useChosenItems() {
  const [query, setQuery] = useSearchParams();
  const chosen = useMemo(() => chosenIn(query), [query]);
  const set = useCallback(
    (items: Chosen[]) =>
      setQuery(new URLSearchParams(items.map((item) => ["item", textOf(item)])), { replace: true, preventScrollReset: true }),
    [setQuery],
  );
  const toggle = useCallback(
    (item: { contract: string; tokenId: string }) => {
      const others = chosen.filter((other) => tokenKey(other) !== tokenKey(item));
      set(others.length < chosen.length ? others : [...chosen, { contract: item.contract, tokenId: item.tokenId, count: "", price: "" }]);
    },
    [chosen, set],
  );
  // Those of an operation are taken out when it is done. By then others may have been chosen.
  const latest = useRef(chosen);
  useEffect(() => {
    latest.current = chosen;
  }, [chosen]);
  const remove = useCallback(
    (gone: Chosen[]) => set(latest.current.filter((item) => !gone.some((one) => tokenKey(one) === tokenKey(item)))),
    [set],
  );
  return { chosen, toggle, remove };
}
