import { loadProfile } from "~/features/session/session";
import { api, unwrap } from "~/lib/api/client";
import type { components } from "~/lib/api/schema.gen";

/**
 * Asks for a mail with a code that confirms an address: the player's own, or another one, with the password where it takes
 * the place of one. The answer is the same if somebody else has the address. Throws ApiError: with the field for what is
 * wrong, with the reason "stale" where the player must sign in anew first.
 */
export async function sendEmailCode(body: components["schemas"]["EmailAddition"]): Promise<void> {
  await unwrap(api.POST("/api/auth/email/add", { body }));
}

/** Confirms an address by the mailed code; the profile then says so. Throws ApiError with the field for a wrong code. */
export async function confirmEmail(code: string): Promise<void> {
  await unwrap(api.POST("/api/auth/email/confirm", { body: { code } }));
  await loadProfile();
}
