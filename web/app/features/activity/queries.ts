import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "~/lib/api/client";
import type { components } from "~/lib/api/schema.gen";

export type Entry = components["schemas"]["ActivityEntry"];
export type Achievement = components["schemas"]["Achievement"];

/** What happened on the player's account, page by page, newest first. */
export const activityQuery = infiniteQueryOptions({
  queryKey: ["activity", "entries"],
  queryFn: ({ pageParam, signal }) =>
    unwrap(api.GET("/api/auth/activity", { params: { query: pageParam ? { cursor: pageParam } : {} }, signal })),
  initialPageParam: "",
  getNextPageParam: (last) => last.nextCursor || undefined,
});

/** The player's achievements and what is still to be reached. */
export const achievementsQuery = queryOptions({
  queryKey: ["activity", "achievements"],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/api/auth/achievements", { signal }))).items,
});
