import { json } from "~/lib/api/json";
import type { components } from "~/lib/api/schema.gen";

type Schemas = components["schemas"];

/** Freezes the account by the token of a notice's link. Throws ApiError: 404 for a link that has expired. */
export const notMe = (token: string) =>
  json<Schemas["NotMe"]>("/api/auth/not-me", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ token }),
  });
