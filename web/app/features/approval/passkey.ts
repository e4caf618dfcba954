import { api, unwrap } from "~/lib/api/client";
import { answerByPasskey } from "~/lib/passkey";

/** Has one of the player's passkeys answer a challenge of this session. The answer proves the player once. Throws ApiError. */
export async function proveByPasskey(): Promise<unknown> {
  const { options } = await unwrap(api.GET("/api/auth/passkeys/challenge"));
  return answerByPasskey(options);
}
