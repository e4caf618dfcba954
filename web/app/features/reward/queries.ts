import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { onMessage } from "~/features/realtime/messages";
import { api, unwrap } from "~/lib/api/client";
import type { components } from "~/lib/api/schema.gen";
import { queryClient } from "~/lib/query";

export type Reward = components["schemas"]["Reward"];
export type Grant = components["schemas"]["RewardGrant"];
export type Step = components["schemas"]["RewardStep"];

/** The prefix of the rewards' query keys. */
export const rewardsKey = ["rewards"] as const;

/** How often the rewards of a transaction are polled until all are final, in milliseconds, in case a message is late. */
const askEvery = 2_000;

/** The most rewards that a page shows. */
const most = 100;

/** Which rewards: those of an origin, and of one transaction. */
export interface Which {
  origin: Reward["origin"];
  txId?: string | undefined;
}

/** Whether the player has the reward, or will not get it. */
export const isOver = ({ state }: Pick<Reward, "state">): boolean => state === "done" || state === "failed" || state === "cancelled";

/** The player's newest rewards; of a transaction all. Refetched when the realtime channel announces a change. */
export const rewardsQuery = ({ origin, txId }: Which) =>
  queryOptions({
    queryKey: [...rewardsKey, origin, txId ?? ""],
    queryFn: async ({ signal }) =>
      (
        await unwrap(
          api.GET("/api/auth/rewards", {
            params: { query: { origin, limit: most, ...(txId ? { txId: txId.toLowerCase() } : {}) } },
            signal,
          }),
        )
      ).items,
    // The indexer may not have seen the transaction yet.
    refetchInterval: ({ state: { data } }) => (txId && !(data?.length && data.every(isOver)) ? askEvery : false),
  });

/** The same for a component. Without a transaction they are loaded as long as `enabled`. */
export function useRewards(which: Which, enabled = true) {
  return useQuery({ ...rewardsQuery(which), enabled });
}

/** Refetches rewards, and the currencies that they consist of, on messages while the component is mounted. */
export function useLiveRewards(): void {
  useEffect(
    () =>
      onMessage("reward", ({ payload: { state } }) => {
        void queryClient.invalidateQueries({ queryKey: rewardsKey });
        if (state === "done") void queryClient.invalidateQueries({ queryKey: ["holdings", "currencies"] });
      }),
    [],
  );
}
