import { userArks } from "~/features/realtime/outcomes";
import { amountsIn } from "~/features/reward/amounts";
import { isOver, type Reward } from "~/features/reward/queries";
import type { components } from "~/lib/api/schema.gen";
import { type Currencies, followerCodes, type Holding, sumOf, tokenCodes } from "./queries";

export type ArksConfig = components["schemas"]["ArksConfig"];
export type Load = ArksConfig["arks"][number];

/** What one ark adds to a purse, all kinds together. */
export const sumOfLoad = (load: Load, of: "followers" | "tokens"): number =>
  of === "followers" ? sumOf(load.followers as Currencies, followerCodes) : sumOf(load.tokens as Currencies, tokenCodes);

/** Records the results of transactions whose rewards are all over, also those of which no message came to this page. */
export function keepArkResults(rewards: Reward[]): void {
  const known = userArks.get().processedTransactions;
  const found: typeof known = {};
  for (const txId of new Set(rewards.map((reward) => reward.txId))) {
    const own = rewards.filter((reward) => reward.txId === txId);
    if (txId && !known[txId] && own.every(isOver))
      found[txId] = { success: own.some(({ state }) => state === "done"), rewards: amountsIn(own) };
  }
  if (Object.keys(found).length) userArks.set({ processedTransactions: { ...known, ...found } });
}

/** What the held arks would add to a purse. An ark that is not in the tariff adds nothing. */
export function aboard(arks: Holding[], { arks: loads }: ArksConfig, of: "followers" | "tokens"): number {
  return arks.reduce((sum, ark) => {
    const load = loads.find(({ tokenId }) => tokenId === ark.tokenId);
    return sum + (load ? Number(ark.amount) * sumOfLoad(load, of) : 0);
  }, 0);
}
