import { queryOptions, useMutation } from "@tanstack/react-query";
import { rewardsKey, rewardsQuery } from "~/features/reward/queries";
import { api, unwrap } from "~/lib/api/client";
import { queryClient } from "~/lib/query";

/**
 * Whether the season avatar of a smart wallet is claimed or can be, and how far the claim is. Any answer with status
 * 200 is a check.
 */
export const avatarQuery = (walletAddress: string) =>
  queryOptions({
    queryKey: [...rewardsKey, "season avatar", walletAddress],
    enabled: walletAddress !== "",
    queryFn: async ({ signal }) => {
      const check = (await unwrap(api.POST("/api/auth/marketplace/avatar/avatarClaimCheck", { body: { walletAddress }, signal }))) ?? {};
      const { claimed = false, claimable = false }: { claimed?: boolean; claimable?: boolean } = check;
      if (!claimed) return { claimed, claimable, reward: undefined };
      const [reward] = await queryClient.fetchQuery(rewardsQuery({ origin: "avatar" }));
      return { claimed, claimable, reward };
    },
  });

/** Claiming the season avatar. */
export function useClaimAvatar() {
  return useMutation({
    mutationFn: () => unwrap(api.POST("/api/auth/marketplace/avatar/claim")),
    onSettled: () => queryClient.invalidateQueries({ queryKey: rewardsKey }),
  });
}
