import { json } from "~/lib/api/json";
import type { components } from "~/lib/api/schema.gen";

type Schemas = components["schemas"];

const post = (body: object) => ({ method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

/** Requests a password reset link by email. The response is the same whether or not the address has an account. */
export const askForLink = (email: string) =>
  json<Schemas["Success"]>("/api/auth/forgot-password", post({ email } satisfies Schemas["ForgottenPassword"]));

/**
 * Sets a new password using the token of an emailed link; every session of the account ends. Throws ApiError: with
 * the field for a password that breaks a rule, without one (400) for a link that has expired or was used.
 */
export const setPassword = (body: Schemas["PasswordReset"]) => json<Schemas["Success"]>("/api/auth/reset-password", post(body));

/** The recipient and time of the last email: passed between the pages of a password reset (history state). */
export interface Asked {
  email: string;
  /** In milliseconds since 1970. */
  at: number;
}

/** Returns the history state if it has this form. */
export function askedIn(state: unknown): Asked | undefined {
  const { email, at } = (state ?? {}) as Partial<Asked>;
  return typeof email === "string" && typeof at === "number" ? { email, at } : undefined;
}
