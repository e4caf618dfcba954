import { useQueries } from "@tanstack/react-query";
import { decimals, type Fees, feesQuery } from "~/features/market/fees";
import { ownQuery, unsellable } from "~/features/market/own";
import { type Item, itemQuery } from "~/features/market/queries";
import { useWalletAddress } from "~/features/wallet/balance";
import { toBaseUnits } from "~/lib/amount";
import { isSameAddress } from "~/lib/token";
import type { Chosen } from "./chosen";
import { countIn, type Entry, farFrom, type Priced, priced } from "./entry";
import { useLeastPrice } from "./limits";

/** What the player has typed for an item. */
export interface Draft extends Entry {
  count: string;
}

/** An item on the page where it is priced. */
export interface Line {
  chosen: Chosen;
  draft: Draft;
  /** Undefined while loading, and if it did not load. */
  item: Item | undefined;
  /** Why it did not load; null for nothing. */
  error: Error | null;
  /** Asks again for what did not load. */
  retry: () => Promise<unknown>;
  fees: Fees | undefined;
  feesFailed: boolean;
  /** Why it cannot be sold; "" if it can, and while that is unknown. */
  refusal: string;
  /** How many can be listed; undefined while unknown. */
  free: bigint | undefined;
  /** Undefined unless the price can be asked. */
  priced: Priced | undefined;
  count: number | undefined;
  /** What is wrong with what was typed. */
  wrong: { price?: string; count?: string };
  warning: string;
  /** The lowest price of others on the market, decimal. */
  floor: string | undefined;
}

function refusalOf(item: Item | undefined, own: { owned: bigint; offered: bigint } | undefined, free: bigint | undefined): string {
  const why = item && unsellable(item.metadata.collection);
  if (why || !own) return why ?? "";
  if (own.owned === 0n) return "You have none in your smart wallet.";
  if (free === 0n) return own.owned === 1n ? "It is listed already." : `All ${own.owned} of yours are listed already.`;
  return "";
}

/** What the page knows of the chosen items, with what is typed for each. */
export function useLines(chosen: Chosen[], draftOf: (chosen: Chosen) => Draft): Line[] {
  const me = useWalletAddress();
  const least = useLeastPrice();
  const items = useQueries({ queries: chosen.map((c) => itemQuery(c.contract, c.tokenId)) });
  const owns = useQueries({ queries: chosen.map((c) => ownQuery(c.contract, c.tokenId)) });
  const shares = useQueries({ queries: chosen.map((c) => feesQuery(c.contract, c.tokenId)) });
  return chosen.map((c, i) => {
    const [asked, own, share] = [items[i], owns[i], shares[i]];
    const draft = draftOf(c);
    const fees = share?.data;
    const free = own?.data && (own.data.owned > own.data.offered ? own.data.owned - own.data.offered : 0n);
    const price = fees && priced(draft, fees, least);
    const count = own?.data && free !== undefined ? countIn(draft.count, free, own.data) : undefined;
    const floor = asked?.data?.listings.find((listing) => !isSameAddress(listing.seller, me) && !listing.isInvalid)?.price;
    const lowest = floor === undefined ? undefined : toBaseUnits(floor, decimals);
    return {
      chosen: c,
      draft,
      item: asked?.data,
      error: (!asked?.data && asked?.error) || (!own?.data && own?.error) || null,
      retry: () => Promise.all([asked?.refetch(), own?.refetch(), share?.refetch()]),
      fees,
      feesFailed: !fees && Boolean(share?.error),
      refusal: refusalOf(asked?.data, own?.data, free),
      free,
      priced: typeof price === "object" ? price : undefined,
      count: typeof count === "number" ? count : undefined,
      wrong: {
        ...(typeof price === "string" ? { price } : {}),
        ...(typeof count === "string" ? { count } : {}),
      },
      warning: typeof price === "object" ? farFrom(lowest, price.price) : "",
      floor,
    };
  });
}

/** Whether something of a line that decides whether it can be listed is still loading. */
export const isLoading = ({ item, free, fees, error, feesFailed, refusal }: Line) =>
  !error && !refusal && (!item || free === undefined || (!fees && !feesFailed));

/** Whether a line can be listed as it is. */
export const isReady = (line: Line) => !line.refusal && line.priced !== undefined && line.count !== undefined;
