import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "~/lib/api/client";

/** Protected data can be opened for an hour; older than this it is made anew when it is asked for again, in milliseconds. */
const protectedFor = 30 * 60_000;

/** The lists that the player is on, such as that of those who are let in early. */
export const whitelistQuery = queryOptions({
  queryKey: ["profile", "whitelist"],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/api/auth/whitelist", { signal }))).items,
});

/** The player's id as it is shown to the shop: encrypted, good for an hour. */
export const encryptedFabIdQuery = (playFabId: string) =>
  queryOptions({
    queryKey: ["profile", "encryptedFabId", playFabId],
    enabled: playFabId !== "",
    staleTime: protectedFor,
    gcTime: protectedFor,
    queryFn: async ({ signal }) => (await unwrap(api.POST("/api/auth/protectedData", { body: { value: playFabId, action: "encrypt" }, signal }))).value,
  });
