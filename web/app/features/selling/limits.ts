import { useQuery } from "@tanstack/react-query";
import { configQuery } from "~/features/config/config";
import { decimals } from "~/features/market/fees";
import { toBaseUnits } from "~/lib/amount";
import { priceRange } from "./entry";

/** The lowest price of one that can be asked, in base units. */
export function useLeastPrice(): bigint {
  const { data } = useQuery(configQuery);
  return data ? toBaseUnits(data.listings.minPrice, decimals) : priceRange.least;
}
