import { playerNow } from "~/features/session/player";
import { api, unwrap } from "~/lib/api/client";
import { ApiError } from "~/lib/api/problem";
import { serverNow } from "~/lib/clock";
import { claims, expired } from "~/lib/jwt";
import { keys, read, write } from "~/lib/storage";

/**
 * The embedded wallet's token: the stored one, unless it is missing, expired or another player's, or `force` requests
 * a new one. It is obtained with the session authorization.
 */
export async function embeddedToken(force = false): Promise<string> {
  const stored = read(keys.walletToken);
  if (stored && !force && !expired(stored, serverNow()) && claims(stored)?.sub === playerNow()) return stored;
  const authorization = read(keys.sessionAuthorization);
  const answer = await unwrap(api.GET("/api/smartWallet/embedded-token", { headers: { Authorization: authorization ?? "" } }));
  const token = answer.token.replace(/^Bearer /, "");
  if (read(keys.sessionAuthorization) === authorization) write(keys.walletToken, token); // else the session has changed
  return token;
}

/** The header of calls to the signer. */
export const authorizationBy = (token: string) => ({ Authorization: `Bearer ${token}` });

/**
 * Calls the signer and returns the body of its response. If the signer rejects the token (401), the call is retried
 * once with a new token. Throws what `unwrap` throws.
 */
export async function askSigner<T>(
  call: (headers: { Authorization: string }) => Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const withToken = async (fresh: boolean) => unwrap(call(authorizationBy(await embeddedToken(fresh))));
  try {
    return await withToken(false);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    return withToken(true);
  }
}
