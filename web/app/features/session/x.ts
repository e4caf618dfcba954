import { api, unwrap } from "~/lib/api/client";
import { ApiError } from "~/lib/api/problem";
import { paths, safeReturn } from "~/lib/paths";
import { tabKeys } from "~/lib/tab-keys";
import { keepForTab, outlivesPage, takeFromTab } from "~/lib/tab-storage";
import { signIn } from "./session";

/** What this tab stores while the player is at X. */
export interface Attempt {
  /** Proves to the server that the browser that returns is the one that began the attempt. */
  binding: string;
  /** Where to go afterwards. */
  from: string;
}

/**
 * Begins a sign-in with X, and returns the address there, from which the player returns to /auth/callback/twitter. Throws
 * ApiError, or the error of a call without a response.
 */
export async function beginAtX(from: string | null): Promise<string> {
  const { url, binding } = await unwrap(api.GET("/api/auth/twitter/authorize"));
  keepForTab(tabKeys.attempt, JSON.stringify({ binding, from: safeReturn(from, paths.market) } satisfies Attempt));
  if (!outlivesPage(tabKeys.attempt)) {
    takeFromTab(tabKeys.attempt);
    throw new ApiError(
      "Your browser does not let this site store anything, which a sign-in with X needs. Sign in by e-mail, or allow storage.",
      0,
    );
  }
  return url;
}

/** The parameters with which X redirects the player back. */
export interface Return {
  code: string | null;
  state: string | null;
  /** Why there is no code, such as "access_denied". */
  error: string | null;
}

/** Removes and returns what this tab has stored; null if the player began elsewhere. */
export function takeAttempt(): Attempt | null {
  const kept = takeFromTab(tabKeys.attempt);
  return kept ? (JSON.parse(kept) as Attempt) : null;
}

/** Signs in the player of the X account. Throws an Error with a message for the player if X or the server refuses. */
export async function comeBackFromX({ code, state, error }: Return, attempt: Attempt | null): Promise<void> {
  if (error === "access_denied") throw new ApiError("You said no at X, so nobody was signed in.", 0);
  if (!attempt || !code || !state)
    throw new ApiError("A sign-in with X has to begin and end in the same window. Please start again here.", 0);
  await signIn(await unwrap(api.POST("/api/auth/twitter/callback", { body: { code, state, binding: attempt.binding } })));
}
