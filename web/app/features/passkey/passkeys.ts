import { queryOptions } from "@tanstack/react-query";
import { signIn } from "~/features/session/session";
import { api, unwrap } from "~/lib/api/client";
import { ApiError } from "~/lib/api/problem";
import type { components } from "~/lib/api/schema.gen";
import { answerByPasskey, makePasskey, offerPasskeys } from "~/lib/passkey";
import { queryClient } from "~/lib/query";

export type Passkey = components["schemas"]["Passkey"];

/** The player's passkeys, the oldest first. */
export const passkeysQuery = queryOptions({
  queryKey: ["account", "passkeys"],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/api/auth/passkeys", { signal }))).items,
});

const changed = () => queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey });

/** Makes a passkey on this device and adds it. Throws ApiError, first for the approval that it needs. */
export async function addPasskey(name: string): Promise<void> {
  const { options } = await unwrap(api.POST("/api/auth/passkeys/options"));
  await unwrap(api.POST("/api/auth/passkeys", { body: { name, response: await makePasskey(options) } }));
  await changed();
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

/** Signs in by a passkey that the player chooses. Throws ApiError. */
export async function signInByPasskey(): Promise<void> {
  await finish(await answerByPasskey(await begin()));
}

/** Signs in by a passkey if the player chooses one in the list of the e-mail field. Throws ApiError if that one is refused. */
export async function signInByAutofill(): Promise<void> {
  const options = await begin().catch(() => undefined);
  const response = options && (await offerPasskeys(options));
  if (response) await finish(response);
}
