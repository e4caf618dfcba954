import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "~/lib/api/client";
import type { components } from "~/lib/api/schema.gen";
import { cartOf } from "./holds";

/** The part of a listing that pages show of a unit. */
export type Goods = Pick<components["schemas"]["Listing"], "listingId" | "assetContractAddress" | "tokenId" | "price"> & {
  metadata?: components["schemas"]["MetadataDocument"] | undefined;
};

/** The query key of the cart. */
export const cartKey = ["cart"] as const;

/** The signed-in player's holds, oldest first. */
export const cartQuery = queryOptions({
  queryKey: cartKey,
  queryFn: async ({ signal }) => cartOf((await unwrap(api.GET("/api/auth/marketplace/cart", { signal }))).items),
  // A wrong cart costs more than a request: refetch whenever it is shown.
  staleTime: 0,
});
