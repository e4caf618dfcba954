import { queryOptions } from "@tanstack/react-query";
import { signIn } from "~/features/session/session";
import { api, unwrap } from "~/lib/api/client";
import { ApiError } from "~/lib/api/problem";
import type { components } from "~/lib/api/schema.gen";
import { answerByPasskey, listsPasskeys, makePasskey, offerPasskeys, stopPasskey } from "~/lib/passkey";
import { queryClient } from "~/lib/query";

export type Passkey = components["schemas"]["Passkey"];

/** The player's passkeys, the oldest first. */
export const passkeysQuery = queryOptions({
  queryKey: ["account", "passkeys"],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/api/auth/passkeys", { signal }))).items,
});

const changed = () => queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey });

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** A secret of this page: the approval of a new passkey is good for whoever knows it. */
export const newSecret = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

/** Makes a passkey on this device and adds it. Throws ApiError, first for the approval that it needs, which is for the secret. */
export async function addPasskey(name: string, secret: string): Promise<Passkey> {
  const { sha256 } = await import("@noble/hashes/sha2");
  const commitment = base64url(sha256(secret));
  const { options } = await unwrap(api.POST("/api/auth/passkeys/options", { body: { commitment } }));
  const added = await unwrap(api.POST("/api/auth/passkeys", { body: { name, secret, response: await makePasskey(options) } }));
  await changed();
  return added;
}

/** Gives a passkey another name. Throws ApiError with the field. */
export async function renamePasskey(id: string, name: string): Promise<void> {
  await unwrap(api.PATCH("/api/auth/passkeys/{id}", { params: { path: { id } }, body: { name } }));
  await changed();
}

/** Removes a passkey. It is not an error if there is none any more. Throws ApiError, first for the approval that it needs. */
export async function removePasskey(id: string): Promise<void> {
  try {
    await unwrap(api.DELETE("/api/auth/passkeys/{id}", { params: { path: { id } } }));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
  await changed();
}

const begin = async () => (await unwrap(api.GET("/api/auth/login/passkey"))).options;

const finish = async (response: unknown) => signIn(await unwrap(api.POST("/api/auth/login/passkey", { body: { response } })));

/**
 * Signs in by a passkey that the player chooses, unless `isOver` says before the device asks or after it has answered that the page
 * was left. Throws ApiError.
 */
export async function signInByPasskey(isOver: () => boolean): Promise<void> {
  const options = await begin();
  if (isOver()) return;
  const response = await answerByPasskey(options);
  if (!isOver()) await finish(response);
}

/** How often the offer is renewed, in milliseconds: a challenge expires after five minutes. */
const offerFor = 240_000;

/**
 * Offers to sign in by a passkey in the list of the e-mail field, until one is chosen or the returned function is called.
 * `onRefused` is called with the ApiError for one that was chosen and refused.
 */
export function offerSignIn(onRefused: (error: unknown) => void): () => void {
  let over = false;
  let renewal: ReturnType<typeof setTimeout>;
  const offer = async () => {
    renewal = setTimeout(() => void offer(), offerFor); // which ends this offer
    const options = await begin().catch(() => undefined);
    const response = !over && options && (await offerPasskeys(options));
    if (over || !response) return;
    clearTimeout(renewal);
    await finish(response).catch(onRefused);
  };
  listsPasskeys().then(
    (does) => {
      if (does && !over) void offer();
    },
    () => {}, // the button says so
  );
  return () => {
    over = true;
    clearTimeout(renewal);
    stopPasskey();
  };
}
