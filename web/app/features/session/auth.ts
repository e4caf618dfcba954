import { api, unwrap } from "~/lib/api/client";
import { signIn } from "./session";

/** Signs in; throws ApiError when the pair is not known. */
export async function login(body: { email: string; password: string }): Promise<void> {
  await signIn(await unwrap(api.POST("/api/auth/login", { body })));
}

/** Makes an account and signs it in; throws ApiError with the fields that are wrong or taken. */
export async function register(body: { email: string; displayName: string; password: string }): Promise<void> {
  await signIn(await unwrap(api.POST("/api/auth/register", { body })));
}
