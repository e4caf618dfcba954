import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "~/lib/api/client";
import type { components } from "~/lib/api/schema.gen";

export type Game = components["schemas"]["Game"];

/** The games, and what of the player's counts in each. */
export const gamesQuery = queryOptions({
  queryKey: ["games"],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/api/auth/games", { signal }))).items,
});

/** The player's own line on a leaderboard; null for who is not on it. */
export const standingQuery = (board: string) =>
  queryOptions({
    queryKey: ["games", "standing", board],
    queryFn: async ({ signal }) => {
      const answer = await unwrap(api.GET("/api/leaderboards/{board}", { params: { path: { board }, query: { around: "me", limit: 1 } }, signal }));
      return answer.items.find((line) => line.me) ?? null;
    },
  });
