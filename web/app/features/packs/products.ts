import { queryOptions } from "@tanstack/react-query";
import { type Rarity, rarities } from "~/components/ui/rarity";
import { onMessage } from "~/features/realtime/messages";
import { type KODPacks, userKODPacks } from "~/features/realtime/outcomes";
import { api, unwrap } from "~/lib/api/client";
import type { components } from "~/lib/api/schema.gen";
import { useStore } from "~/lib/store";

export type Product = components["schemas"]["PackProduct"];
type Table = components["schemas"]["PackTable"];

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

/** The chance of a drop of a rarity or a rarer one, 0 to 1. */
export function chanceOf({ drops, total }: Table, rarity: Rarity): number {
  const at = rarities.indexOf(rarity);
  const weights = drops.filter((drop) => (rarities as readonly string[]).indexOf(drop.rarity) >= at).map(({ weight }) => weight);
  return weights.reduce((sum, weight) => sum + weight, 0) / total;
}

/** A probability for people: "8 %". */
export function percent(chance: number): string {
  return `${(chance * 100).toLocaleString("en", { maximumSignificantDigits: 3 })} %`;
}
