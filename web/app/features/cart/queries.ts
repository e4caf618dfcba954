import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "~/lib/api/client";
import type { components } from "~/lib/api/schema.gen";
import { cartOf } from "./holds";

/** What a page shows of a unit: what it is and what it costs. */
export type Goods = Pick<components["schemas"]["Listing"], "listingId" | "assetContractAddress" | "tokenId" | "price"> & {
  metadata?: components["schemas"]["MetadataDocument"] | undefined;
};

/** The name under which the cart is kept. */
export const cartKey = ["cart"] as const;

/** What the signed-in player holds, oldest hold first. */
export const cartQuery = queryOptions({
  queryKey: cartKey,
  queryFn: async ({ signal }) => cartOf((await unwrap(api.GET("/api/auth/marketplace/cart", { signal }))).items),
  // A cart that goes wrong costs more than a request: ask whenever it comes into view.
  staleTime: 0,
});
