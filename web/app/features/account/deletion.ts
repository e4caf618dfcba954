import { api, unwrap } from "~/lib/api/client";
import type { components } from "~/lib/api/schema.gen";

/** Asks for a mail with a code that proves that the player means to delete the account. */
export async function sendCode(): Promise<void> {
  await unwrap(api.POST("/api/auth/delete-account/code"));
}

/**
 * Deletes the player's account for good. Throws ApiError: with the field for a wrong password or code, with the reason
 * "under-way" while a payment is, and "stale" where the player must sign in anew first.
 */
export async function deleteAccount(proof: components["schemas"]["AccountDeletion"]): Promise<void> {
  await unwrap(api.POST("/api/auth/delete-account", { body: proof }));
}
