import { queryOptions, useQuery } from "@tanstack/react-query";
import { type Rarity, rarities } from "~/components/ui/rarity";
import { onMessage } from "~/features/realtime/messages";
import { type KODPacks, userKODPacks } from "~/features/realtime/outcomes";
import { api, unwrap } from "~/lib/api/client";
import type { components } from "~/lib/api/schema.gen";
import { useStore } from "~/lib/store";
import { shopPicture } from "./draw/kinds";
import { oddsQuery } from "./draw/queries";
import type { Shares } from "./draw/shares";
import type { Pack } from "./opening/pull";

export type Product = components["schemas"]["PackProduct"];

/** The most packs that are opened at once. */
export const mostAtOnce = 20;

type Counter = "generalPacksAvailable" | "avatarPacksAvailable" | "godPacksAvailable";
const counterOf = (kind: Product["kind"]): Counter => `${kind}PacksAvailable`;

/**
 * The kinds of pack: the specification's kodProducts. A load sets the counters of what is available, except to more than
 * a message says that arrives while it lasts; messages only ever lower them.
 */
export const kodProductsQuery = queryOptions({
  queryKey: ["kodProducts"],
  queryFn: async ({ signal }) => {
    const told: Partial<KODPacks> = {};
    const stop = onMessage("kod-pack", ({ type, payload }) => {
      if (type !== "inventory-change") return;
      told.generalPacksAvailable = payload.generalPacksRemaining;
      told.avatarPacksAvailable = payload.avatarPacksRemaining;
      told.godPacksAvailable = payload.godPacksRemaining;
    });
    try {
      const { products } = await unwrap(api.GET("/api/marketplace/getProducts", { signal }));
      const counters = products.map(({ kind, available }) => [counterOf(kind), Math.min(available, told[counterOf(kind)] ?? available)]);
      userKODPacks.set(Object.fromEntries(counters));
      return products;
    } finally {
      stop();
    }
  },
});

/** How many packs of the product are for sale, updated live. */
export function useAvailable({ kind, available }: Product): number {
  return useStore(userKODPacks, (packs) => packs[counterOf(kind)]) ?? available;
}

/** The kind of pack that a token is of, if packs of it are on sale. */
export function productOf(products: Product[] | undefined, tokenId: string): Product | undefined {
  return products?.find(({ productId, editions }) => productId === tokenId || editions.some((edition) => edition.tokenId === tokenId));
}

/** The edition of the packs of a token, if it is on sale or else the newest. */
export function editionOf({ productId, editions, odds }: Product, tokenId: string): number | undefined {
  return editions.find((edition) => edition.tokenId === tokenId)?.edition ?? (productId === tokenId ? odds?.edition : undefined);
}

/** A pack of which nothing is known but that it is one. */
const anyPack: Pack = { kind: "general", name: "KOD pack", image: shopPicture("") };

/**
 * What a pack looks like, by its kind or its token. The odds are asked only for a token that is not on sale. `pack` is
 * undefined while nothing is known.
 */
export function usePack(tokenId: string | undefined, kind: string | undefined) {
  const products = useQuery(kodProductsQuery);
  const byKind = (kind: string | undefined) => products.data?.find((product) => product.kind === kind);
  const found = byKind(kind) ?? (tokenId === undefined ? undefined : productOf(products.data, tokenId));
  const odds = useQuery({ ...oddsQuery, enabled: products.data !== undefined && tokenId !== undefined && !found });
  const old = odds.data?.tables.find(({ token }) => token === tokenId);
  const pack: Pack | undefined = found ?? byKind(old?.kind) ?? (odds.data && tokenId !== undefined ? anyPack : undefined);
  const error = (products.data ? undefined : products.error) ?? (odds.data ? undefined : odds.error);
  return { pack, error, refetch: products.data ? odds.refetch : products.refetch };
}

/** The chances to get something of a rarity or a rarer one in one pack; see Shares. */
export function chancesOf({ rarities: chances }: Pick<Product, "rarities">, rarity: Rarity): Shares {
  const least = rarities.indexOf(rarity);
  const rare = chances.filter((one) => (rarities as readonly string[]).indexOf(one.rarity) >= least);
  const sum = (of: keyof Shares) => rare.reduce((sum, shares) => sum + shares[of], 0);
  return { promised: sum("promised"), effective: sum("effective"), now: sum("now") };
}
