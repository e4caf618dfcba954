import { api, unwrap } from "~/lib/api/client";
import { ApiError } from "~/lib/api/problem";
import { paths, safeReturn } from "~/lib/paths";
import { keepForTab, keys, takeFromTab } from "~/lib/storage";
import { signIn } from "./session";

/** What this tab keeps while the player is at X. */
export interface Attempt {
  /** Proves to the server that the browser that comes back is the one that left. */
  binding: string;
  /** Where to go afterwards. */
  from: string;
}

/** Sends the player to X, to come back to /auth/callback/twitter. Throws ApiError or what a call throws without an answer. */
export async function leaveForX(from: string | null): Promise<void> {
  const { url, binding } = await unwrap(api.GET("/api/auth/twitter/authorize"));
  keepForTab(keys.attempt, JSON.stringify({ binding, from: safeReturn(from, paths.market) } satisfies Attempt));
  location.assign(url);
}

/** What a player comes back from X with. */
export interface Return {
  code: string | null;
  state: string | null;
  /** Why there is no code, such as "access_denied". */
  error: string | null;
}

/** What this tab has kept since the player left; null when they left from elsewhere. It is there once. */
export function takeAttempt(): Attempt | null {
  const kept = takeFromTab(keys.attempt);
  return kept ? (JSON.parse(kept) as Attempt) : null;
}

/** Signs in whoever X says it is. Throws an Error with words for the player when X or the server says no. */
export async function comeBackFromX({ code, state, error }: Return, attempt: Attempt | null): Promise<void> {
  if (error === "access_denied") throw new ApiError("You said no at X, so nobody was signed in.", 0);
  if (!attempt || !code || !state) throw new ApiError("A sign-in with X has to begin and end in the same window. Please start again here.", 0);
  await signIn(await unwrap(api.POST("/api/auth/twitter/callback", { body: { code, state, binding: attempt.binding } })));
}
