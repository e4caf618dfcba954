import { queryOptions, useMutation } from "@tanstack/react-query";
import { notifyAnywhere } from "~/components/ui/toasts";
import { api, unwrap } from "~/lib/api/client";
import type { components } from "~/lib/api/schema.gen";
import { queryClient } from "~/lib/query";
import { claimedText } from "./texts";

export type Move = components["schemas"]["Move"];
export type Reconciliation = components["schemas"]["Reconciliation"];
export type MovedToken = components["schemas"]["MovedToken"];
export type Holding = components["schemas"]["MovedHolding"];

/** The prefix of the keys of all queries about moves. */
const movesKey = ["moves"] as const;

/** How often the server is asked how far a move is, in milliseconds. */
const stateEvery = 30_000;

/** The same for items that are on their way to a player. */
export const holdingsEvery = 4_000;

/** The chains that the portal leaves or has left. Polled until it has left them all. */
export const movesQuery = queryOptions({
  queryKey: [...movesKey, "all"],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/api/moves", { signal }))).moves,
  refetchInterval: ({ state: { data } }) => (data?.every(({ state }) => state === "moved") ? false : stateEvery),
});

/** A chain's tokens, compared with those on the new one. */
export const reconciliationQuery = (chainId: number) =>
  queryOptions({
    queryKey: [...movesKey, "compared", chainId],
    queryFn: ({ signal }) => unwrap(api.GET("/api/moves/{chainId}", { params: { path: { chainId } }, signal })),
  });

/** Whether a holding is claimed, and not with the player yet. */
export const isOnItsWay = ({ state }: Pick<Holding, "state">): boolean => state === "drawn" || state === "sending";

/** What the player held on a chain that the portal has left. Polled while something is on its way. */
export const holdingsQuery = (chainId: number, playFabId: string) =>
  queryOptions({
    queryKey: [...movesKey, "held", chainId, playFabId],
    queryFn: ({ signal }) => unwrap(api.GET("/api/auth/moves/{chainId}", { params: { path: { chainId } }, signal })),
    refetchInterval: ({ state: { data } }) => (data?.items.some(isOnItsWay) ? holdingsEvery : false),
  });

/** Claiming all that the player held on a chain. It is busy until the new state is loaded, also after a refusal. */
export function useClaim(chainId: number) {
  return useMutation({
    mutationFn: () => unwrap(api.POST("/api/auth/moves/{chainId}/claim", { params: { path: { chainId } } })),
    onSuccess: ({ claimed }) => notifyAnywhere("success", claimedText(claimed)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: movesKey }),
  });
}
