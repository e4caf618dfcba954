import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "~/lib/api/client";
import type { components } from "~/lib/api/schema.gen";

export type Game = components["schemas"]["Game"];

/** The games, with the player's holdings that each uses. */
export const gamesQuery = queryOptions({
  queryKey: ["games"],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/api/auth/games", { signal }))).items,
});

/** The player's own line on a leaderboard; null if the player is not on it. */
export const standingQuery = (board: string) =>
  queryOptions({
    queryKey: ["games", "standing", board],
    queryFn: async ({ signal }) => {
      const answer = await unwrap(
        api.GET("/api/leaderboards/{board}", { params: { path: { board }, query: { around: "me", limit: 1 } }, signal }),
      );
      return answer.items.find((line) => line.me) ?? null;
    },
  });
