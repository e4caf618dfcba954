import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "~/lib/api/client";
import { ApiError } from "~/lib/api/problem";
import type { components } from "~/lib/api/schema.gen";
import { serverNow } from "~/lib/clock";
import { check } from "./check";

export type Proof = components["schemas"]["OpeningProof"];
export type Odds = components["schemas"]["PackOdds"];
export type TableOdds = components["schemas"]["PackTableOdds"];
export type Table = components["schemas"]["PackTable"];
export type Product = components["schemas"]["PackProduct"];

/** How long after a round's publication an opening counts as late, in milliseconds. */
export const grace = 10_000;

/**
 * In how many milliseconds a waiting opening is asked for again: until its round is known every few seconds, then when the
 * round is out, then often, and seldom if it is late.
 */
function askAgain({ state, roundAt }: Proof): number | false {
  if (state !== "waiting") return false;
  if (!roundAt) return 5_000;
  const late = serverNow() - Date.parse(roundAt);
  if (late < 0) return Math.min(-late + 500, 30_000);
  return late < 6 * grace ? 2_000 : 10_000;
}

/** The public proof of an opening, asked for until it is drawn. */
export const openingQuery = (id: string) =>
  queryOptions({
    queryKey: ["packs", "opening", id],
    queryFn: ({ signal }) => unwrap(api.GET("/api/packs/openings/{id}", { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => (state.data ? askAgain(state.data) : false),
  });

/** Whether the server said that there is no such opening, or that this is no opening's id. */
export const isUnknown = (error: unknown) => error instanceof ApiError && [400, 404, 422].includes(error.status);

/** All drop tables with what was drawn by them. */
export const oddsQuery = queryOptions({
  queryKey: ["packs", "odds"],
  queryFn: ({ signal }) => unwrap(api.GET("/api/packs/odds", { signal })),
});

/** The kinds of pack. */
export const productsQuery = queryOptions({
  queryKey: ["packs", "products"],
  queryFn: async ({ signal }) => (await unwrap(api.GET("/api/marketplace/getProducts", { signal }))).products,
});

/** What the browser itself finds out about a receipt. */
export const checkQuery = (receipt: string) =>
  queryOptions({ queryKey: ["packs", "check", receipt], queryFn: () => check(receipt), staleTime: Number.POSITIVE_INFINITY, retry: false });
