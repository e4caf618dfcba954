import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "~/lib/api/client";

/** Protected data is valid for an hour; after this time it is renewed on the next use, in milliseconds. */
const protectedFor = 30 * 60_000;

/** The lists that the player is on, such as the one for early access. */
export const whitelistQuery = queryOptions({
  queryKey: ["profile", "whitelist"],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/api/auth/whitelist", { signal }))).items,
});

/** The player's id for the shop: encrypted, valid for an hour. */
export const encryptedFabIdQuery = (playFabId: string) =>
  queryOptions({
    queryKey: ["profile", "encryptedFabId", playFabId],
    enabled: playFabId !== "",
    staleTime: protectedFor,
    gcTime: protectedFor,
    queryFn: async ({ signal }) =>
      (await unwrap(api.POST("/api/auth/protectedData", { body: { value: playFabId, action: "encrypt" }, signal }))).value,
  });
