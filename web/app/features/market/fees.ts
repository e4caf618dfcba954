import { marketCurrency } from "~/lib/registry";
/**
 * What a sale gives its seller, in base units of the currency, as the marketplace pays it out: the total less the
 * platform's fee and less the collection's royalty (ERC-2981), each rounded down.
 */

import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "~/lib/api/client";
import type { components } from "~/lib/api/schema.gen";

/** What is deducted from a sale, in basis points. */
export type Fees = components["schemas"]["SaleFees"];

/** The decimals of the market's currency. */
export const decimals = marketCurrency.decimals;

/** How long the fees of a token are good, in milliseconds: as long as the server keeps them. */
const feesFor = 30_000;

/** What is deducted from a sale of a token. */
export const feesQuery = (contract: string, tokenId: string) =>
  queryOptions({
    queryKey: ["fees", contract.toLowerCase(), tokenId],
    queryFn: ({ signal }) => unwrap(api.GET("/api/marketplace/fees", { params: { query: { contract, tokenId } }, signal })),
    staleTime: feesFor,
  });

const whole = 10_000n;

/** How a price is divided, in base units. */
export interface Split {
  platform: bigint;
  royalty: bigint;
  /** What the seller gets. */
  receive: bigint;
}

/** How the marketplace divides a price. */
export function splitOf(price: bigint, { platformBps, royaltyBps }: Fees): Split {
  const platform = (price * BigInt(platformBps)) / whole;
  const royalty = (price * BigInt(royaltyBps)) / whole;
  return { platform, royalty, receive: price - platform - royalty };
}

/**
 * The lowest price that gives the seller at least `receive`; undefined if none does, because the fees take everything.
 * What a seller gets may fall by a base unit when the price rises by one, so it is searched for from below.
 */
export function priceFor(receive: bigint, fees: Fees): bigint | undefined {
  const kept = whole - BigInt(fees.platformBps) - BigInt(fees.royaltyBps);
  if (kept <= 0n) return undefined;
  // The fees are rounded down: the seller gets less than two base units more than the exact share.
  let price = ((receive - 2n) * whole) / kept;
  if (price < receive) price = receive;
  while (splitOf(price, fees).receive < receive) price++;
  return price;
}
