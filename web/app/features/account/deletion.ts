import { api, unwrap } from "~/lib/api/client";
import type { components } from "~/lib/api/schema.gen";

/** Requests an email with a code that confirms the account's deletion. */
export async function sendCode(): Promise<void> {
  await unwrap(api.POST("/api/auth/delete-account/code"));
}

/**
 * Deletes the player's account for good. Throws ApiError: with the field for a wrong password or code, with the
 * reason "under-way" while a payment is in progress, and "stale" if the player must sign in again first.
 */
export async function deleteAccount(proof: components["schemas"]["AccountDeletion"]): Promise<void> {
  await unwrap(api.POST("/api/auth/delete-account", { body: proof }));
}
