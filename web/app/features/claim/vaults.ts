import { queryOptions, useMutation } from "@tanstack/react-query";
import { rewardsKey } from "~/features/reward/queries";
import { api, unwrap } from "~/lib/api/client";
import type { components } from "~/lib/api/schema.gen";
import { queryClient } from "~/lib/query";

export type Vaults = components["schemas"]["VaultGods"];
export type VaultGod = components["schemas"]["VaultGod"];
export type Season = components["schemas"]["Season"];

/** The most vaults that one request can claim. */
const most = 100;

/** The vaults of the player's gods. Refetched on messages about rewards, as its key is one of theirs. */
export const vaultsQuery = queryOptions({
  queryKey: [...rewardsKey, "vaults of gods"],
  queryFn: ({ signal }) => unwrap(api.GET("/api/auth/vault", { signal })),
});

/** Claims the vaults of the gods with these ids; of more than the server takes at once, part by part. */
async function claimVaults(tokenIds: string[]): Promise<void> {
  for (let from = 0; from < tokenIds.length; from += most) {
    await unwrap(api.POST("/api/auth/vault/claim", { body: { tokenIds: tokenIds.slice(from, from + most) } }));
  }
}

/** Claiming vaults, with the ids of the gods. It is busy until their new state is loaded, also after a refusal. */
export function useClaimVaults() {
  return useMutation({ mutationFn: claimVaults, onSettled: () => queryClient.invalidateQueries({ queryKey: rewardsKey }) });
}
