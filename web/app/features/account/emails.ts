import { loadProfile } from "~/features/session/session";
import { api, unwrap } from "~/lib/api/client";
import type { components } from "~/lib/api/schema.gen";

/**
 * Requests an email with a code that confirms an address: the player's own, or another one, which the player has to
 * approve. The response is the same if another player has the address. Throws ApiError: with the field for an error,
 * with the approval that is needed, with the reason "stale" if the player must sign in again first.
 */
export async function sendEmailCode(body: components["schemas"]["EmailAddition"]): Promise<void> {
  await unwrap(api.POST("/api/auth/email/add", { body }));
}

/**
 * Confirms an address by the emailed code, and updates the profile. Throws ApiError with the field for a wrong code.
 */
export async function confirmEmail(code: string): Promise<void> {
  await unwrap(api.POST("/api/auth/email/confirm", { body: { code } }));
  await loadProfile();
}
