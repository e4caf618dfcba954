import { loadProfile } from "~/features/session/session";
import { api, unwrap } from "~/lib/api/client";
import type { ApiError } from "~/lib/api/problem";
import type { components } from "~/lib/api/schema.gen";

/** Requests an email with a code that confirms the account's deletion. */
export async function sendCode(): Promise<void> {
  await unwrap(api.POST("/api/auth/delete-account/code"));
}

/** What is in an account that prevents its deletion, in words, by its kind. */
export type Left = ApiError["details"];

/** What a player types to give up what is in the account. */
export const giveUp = "I give all this up";

/**
 * Deletes the player's account for good, or returns when it is deleted if something was given up. Throws ApiError: with
 * the field for a wrong password or code, with the reason "not-empty" and what is left as its details, "under-way"
 * while a payment is in progress, and "stale" if the player must sign in again first.
 */
export async function deleteAccount(proof: components["schemas"]["AccountDeletion"]): Promise<string | undefined> {
  return (await unwrap(api.POST("/api/auth/delete-account", { body: proof }))).deletesAt;
}

/** Keeps the player's account, which is about to be deleted. */
export async function keepAccount(): Promise<void> {
  await unwrap(api.POST("/api/auth/delete-account/cancel"));
  await loadProfile();
}

/** Keeps an account by the token of the emailed link. */
export async function keepByLink(token: string): Promise<void> {
  await unwrap(api.POST("/api/account/keep", { body: { token } }));
}
