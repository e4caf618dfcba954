import { useQuery } from "@tanstack/react-query";
import { configQuery } from "~/features/config/config";
import { decimals } from "~/features/market/fees";
import { toBaseUnits } from "~/lib/amount";
import { mostItems } from "./chosen";
import { priceRange } from "./entry";

/** The lowest price of one that can be asked, in base units. */
export function useLeastPrice(): bigint {
  const { data } = useQuery(configQuery);
  return data ? toBaseUnits(data.listings.minPrice, decimals) : priceRange.least;
}

/** How many items can be listed in one operation: as many as an address of the page can name, or fewer where the operator says so. */
export function useMostItems(): number {
  return Math.min(mostItems, useQuery(configQuery).data?.listings.atOnce ?? mostItems);
}
