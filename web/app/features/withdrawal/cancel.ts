import { api, unwrap } from "~/lib/api/client";

/** Cancels a withdrawal by the token of the emailed link; nobody needs to be signed in. */
export async function cancelByLink(token: string): Promise<void> {
  await unwrap(api.POST("/api/withdrawals/cancel", { body: { token } }));
}
