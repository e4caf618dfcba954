import { json } from "~/lib/api/json";
import type { components } from "~/lib/api/schema.gen";
import { keys, read } from "~/lib/storage";

export type BoardPage = components["schemas"]["Board"];
/** The id of one of the brand's leaderboards. */
export type BoardId = string;

/** How many lines are shown per page. */
export const lines = 15;

/**
 * The part of a leaderboard to show: the lines from a cursor on, "" for the top; null for those around the player's
 * own.
 */
export type Part = string | null;

/** Loads a part of a leaderboard. The stored token is sent, so that the player's own line is marked. */
export function loadBoard(board: BoardId, part: Part, signal: AbortSignal): Promise<BoardPage> {
  const query = new URLSearchParams({ limit: String(lines) });
  if (part === null) query.set("around", "me");
  else if (part) query.set("cursor", part);
  const token = read(keys.token);
  return json<BoardPage>(`/api/leaderboards/${board}?${query}`, { signal, headers: token ? { Authorization: token } : {} });
}
