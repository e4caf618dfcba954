import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "~/lib/api/client";
import { collectionOf } from "~/lib/registry";

/** The prefix of the query keys of what the player has of tokens. */
export const ownKey = ["own"] as const;

/** How many of a token the player has in the smart wallet, and has listed. */
export const ownQuery = (contract: string, tokenId: string) =>
  queryOptions({
    queryKey: [...ownKey, contract.toLowerCase(), tokenId],
    queryFn: async ({ signal }) => {
      const { owned, offered } = await unwrap(
        api.GET("/api/auth/marketplace/own/{contract}/{tokenId}", { params: { path: { contract, tokenId } }, signal }),
      );
      return { owned: BigInt(owned), offered: BigInt(offered) };
    },
  });

/** Why tokens of a collection cannot be sold on the market; "" if they can. */
export function unsellable(slug: string): string {
  const collection = collectionOf(slug);
  if (collection?.tradable) return "";
  return collection?.soulbound ? "It is bound to your wallet and cannot be sold." : "It is not traded on this market.";
}
