import { api, unwrap } from "~/lib/api/client";
import { answerByPasskey } from "~/lib/passkey";

/**
 * Has one of the player's passkeys answer a challenge of this session. The answer proves the player once. Resolves to undefined if
 * `isOver` says so before the device asks or after it has answered: the player has left the question. Throws ApiError.
 */
export async function proveByPasskey(isOver: () => boolean): Promise<unknown> {
  const { options } = await unwrap(api.GET("/api/auth/passkeys/challenge"));
  const answer = isOver() ? undefined : await answerByPasskey(options);
  return isOver() ? undefined : answer;
}
