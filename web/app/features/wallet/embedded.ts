import { api, unwrap } from "~/lib/api/client";
import { expired } from "~/lib/jwt";
import { keys, read, write } from "~/lib/storage";

/**
 * The embedded wallet's token: the stored one, unless it is missing, has expired or `force` asks for a fresh one. It is
 * bought with the session authorization, which serves nothing else.
 */
export async function embeddedToken(force = false): Promise<string> {
  const stored = read(keys.walletToken);
  if (stored && !force && !expired(stored, Date.now())) return stored;
  const answer = await unwrap(api.GET("/api/smartWallet/embedded-token", { headers: { Authorization: read(keys.sessionAuthorization) ?? "" } }));
  const token = answer.token.replace(/^Bearer /, "");
  write(keys.walletToken, token);
  return token;
}

/** The header of calls to the signer. */
export async function signerAuthorization(): Promise<{ Authorization: string }> {
  return { Authorization: `Bearer ${await embeddedToken()}` };
}
