import { decimals, type Fees, splitOf } from "~/features/market/fees";
import { toBaseUnits } from "~/lib/amount";
import { fromBaseUnits } from "~/lib/format";
import { listedTokenKey } from "~/lib/token";

/** A unit that is about to be bought. */
interface Unit {
  listingId: string;
  listing: { assetContractAddress: string; tokenId: string; price: string };
}

/**
 * The fees that are deducted from the price of the units, as decimals; undefined while the fees of a token are unknown.
 * `fees` is by {@link listedTokenKey}. Units of one listing are bought in one call: fees are rounded once for their sum.
 */
export function feeParts(units: Unit[], fees: ReadonlyMap<string, Fees>): { platform: string; royalty: string } | undefined {
  const sums = new Map<string, { price: bigint; token: string }>();
  for (const { listingId, listing } of units) {
    const price = toBaseUnits(listing.price, decimals) + (sums.get(listingId)?.price ?? 0n);
    sums.set(listingId, { price, token: listedTokenKey(listing) });
  }
  let [platform, royalty] = [0n, 0n];
  for (const { price, token } of sums.values()) {
    const of = fees.get(token);
    if (!of) return undefined;
    const split = splitOf(price, of);
    platform += split.platform;
    royalty += split.royalty;
  }
  return { platform: fromBaseUnits(platform.toString(), decimals), royalty: fromBaseUnits(royalty.toString(), decimals) };
}
