import { queryOptions } from "@tanstack/react-query";
import { knowBy } from "~/features/session/session";
import { api, unwrap } from "~/lib/api/client";
import { ApiError } from "~/lib/api/problem";
import type { components } from "~/lib/api/schema.gen";
import { queryClient } from "~/lib/query";

type Schemas = components["schemas"];

/** One of the player's sessions. */
export type PlayerSession = Schemas["PlayerSession"];

/** The player's sessions, newest first. */
export const sessionsQuery = queryOptions({
  queryKey: ["account", "sessions"],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/api/auth/sessions", { signal }))).items,
});

const sessionsChanged = () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });

/** Changes the display name. Throws ApiError with the field for a name that breaks a rule or is taken. */
export async function rename(displayName: string): Promise<void> {
  await knowBy(unwrap(api.PATCH("/api/auth/profile", { body: { displayName } })));
}

/**
 * Changes the password, which ends the other sessions. Returns a message for the player. Throws ApiError with the
 * fields.
 */
export async function changePassword(body: Schemas["PasswordChange"]): Promise<string> {
  const { changed, message } = await unwrap(api.POST("/api/auth/password", { body }));
  if (changed) await sessionsChanged();
  return changed ? `${message} Everywhere else you are signed out.` : message;
}

/** Ends one of the player's sessions. It is not an error if the session has already ended. */
export async function endSession(id: string): Promise<void> {
  try {
    await unwrap(api.DELETE("/api/auth/sessions/{id}", { params: { path: { id } } }));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
  await sessionsChanged();
}

/** Ends the player's other sessions; returns how many. */
export async function endOtherSessions(): Promise<number> {
  const { ended } = await unwrap(api.POST("/api/auth/sessions/end-others"));
  await sessionsChanged();
  return ended;
}
