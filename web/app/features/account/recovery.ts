import { json } from "~/lib/api/json";
import type { components } from "~/lib/api/schema.gen";

type Schemas = components["schemas"];

const post = (body: object) => ({ method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

/** How long after a mail the next one can be asked for, in milliseconds: mail takes its time. */
export const resendAfter = 60_000;

/** Asks for a mail with the way to a new password. The answer is the same whether or not somebody has the address. */
export const askForLink = (email: string) => json<Schemas["Success"]>("/api/auth/forgot-password", post({ email } satisfies Schemas["ForgottenPassword"]));

/**
 * Sets a new password by the token of a mailed link; every session of the account ends with it. Throws ApiError: with the
 * field for a password that breaks a rule, without one (400) for a link that has expired or was used.
 */
export const setPassword = (body: Schemas["PasswordReset"]) => json<Schemas["Success"]>("/api/auth/reset-password", post(body));

/** Whom the last mail was sent to and when: what the pages on the way to a new password tell each other (history state). */
export interface Asked {
  email: string;
  /** In milliseconds since 1970. */
  at: number;
}

/** What stands in the history, if it is that. */
export function askedIn(state: unknown): Asked | undefined {
  const { email, at } = (state ?? {}) as Partial<Asked>;
  return typeof email === "string" && typeof at === "number" ? { email, at } : undefined;
}
