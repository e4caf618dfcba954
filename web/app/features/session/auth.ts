import { api, unwrap } from "~/lib/api/client";
import { signIn } from "./session";

/** Signs in; throws ApiError if the credentials are wrong. */
export async function login(body: { email: string; password: string }): Promise<void> {
  await signIn(await unwrap(api.POST("/api/auth/login", { body })));
}

/** Creates an account and signs it in; throws ApiError with the fields that are invalid or taken. */
export async function register(body: { email: string; displayName: string; password: string }): Promise<void> {
  await signIn(await unwrap(api.POST("/api/auth/register", { body })));
}
