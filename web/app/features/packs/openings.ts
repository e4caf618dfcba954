import { infiniteQueryOptions, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { isRarity, rarityOf } from "~/components/ui/rarity";
import { holdingsQuery } from "~/features/holdings/queries";
import { type Grant, isOver, type Reward, rewardsKey, useRewards } from "~/features/reward/queries";
import { api, unwrap } from "~/lib/api/client";
import { currencyName } from "~/lib/currencies";
import { paths } from "~/lib/paths";
import { tokenKey } from "~/lib/token";
import type { Given, Pull } from "./opening/pull";

/** The player's openings, newest first, page by page. They are refetched when a reward changes. */
export const openingsQuery = infiniteQueryOptions({
  queryKey: [...rewardsKey, "openings"],
  queryFn: ({ pageParam, signal }) =>
    unwrap(api.GET("/api/auth/packs/openings", { params: { query: pageParam ? { cursor: pageParam } : {} }, signal })),
  initialPageParam: "",
  getNextPageParam: (last) => last.nextCursor || undefined,
});

/** The address of the packs that a transaction opened. */
export const openedPath = (txId: string) => `${paths.packs}?tx=${txId}`;

/** What a failed opening says without a reason, and the level of a pack without one. */
export const unopened = { message: "Could not open KOD pack.", level: "KOD" };

/** Whether its outcome is not known yet. */
export const isSealed = ({ state }: Reward): boolean => state === "burned" || state === "settled";

/** Amounts by token. */
export type Amounts = ReadonlyMap<string, number>;

/** A part of a reward, or a holding. */
interface Part {
  contract?: string | undefined;
  tokenId?: string | undefined;
  amount: string;
}

const keyOf = ({ contract = "", tokenId = "" }: Part) => tokenKey({ contract, tokenId });

function amountsOf(parts: Part[]): Amounts {
  const sum = new Map<string, number>();
  for (const part of parts) sum.set(keyOf(part), (sum.get(keyOf(part)) ?? 0) + Number(part.amount));
  return sum;
}

/** How many the player owns of the tokens that packs give repeatedly; undefined until all are loaded. */
export function useOwned(): Amounts | undefined {
  // Every other drop is a new token.
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = useInfiniteQuery(holdingsQuery("listGameItems"));
  const more = hasNextPage && !isFetchingNextPage && !isFetchNextPageError;
  const pages = data?.pages.length;
  useEffect(() => {
    if (more && pages) void fetchNextPage();
  }, [more, pages, fetchNextPage]);
  return useMemo(() => (data && !hasNextPage ? amountsOf(data.pages.flatMap((page) => page.items)) : undefined), [data, hasNextPage]);
}

const tokensIn = (rewards: Reward[], state?: Grant["state"]) =>
  rewards.flatMap(({ grants }) => grants.filter((grant) => grant.kind === "token" && (!state || grant.state === state)));

/** "25 fate": the currencies of an opening. */
function currenciesIn({ grants }: Reward): string | undefined {
  const parts = grants.flatMap(({ kind, currency, amount }) =>
    kind === "currency" && currency ? [`${Number(amount).toLocaleString("en")} ${currencyName(currency, Number(amount))}`] : [],
  );
  return parts.join(", ") || undefined;
}

/**
 * The cards of drawn openings: one for each token, or for a drop without one. A token has its own name and rarity, which of
 * a new token a second draw decides. `before` is what the player owned before.
 */
export function pullsOf(openings: Reward[], before: Amounts | undefined): Pull[] {
  const drawn = amountsOf(tokensIn(openings));
  const seen = new Set<string>();
  return openings.flatMap((reward) => {
    const { opening } = reward;
    if (!opening?.drop) return [];
    const rarity = rarityOf(opening.rarity);
    const alsoGiven = currenciesIn(reward);
    const tokens = tokensIn([reward]);
    if (!tokens.length) {
      const { openingId, name = "", drop } = opening;
      const currency = reward.grants.find((grant) => grant.kind === "currency")?.currency;
      // Most drops of one currency are named by it.
      const more = alsoGiven === name ? undefined : alsoGiven;
      return [{ openingId, contract: "", tokenId: drop, name, image: "", currency, rarity, isNew: false, owned: 0, alsoGiven: more }];
    }
    return tokens.map((token, index): Pull => {
      const id = keyOf(token);
      const had = before?.get(id) ?? 0;
      const isNew = before !== undefined && had === 0 && !seen.has(id);
      seen.add(id);
      return {
        openingId: opening.openingId,
        contract: token.contract ?? "",
        tokenId: token.tokenId ?? "",
        name: token.name ?? opening.name ?? "",
        image: token.image ?? "",
        rarity: isRarity(token.rarity) ? token.rarity : rarity,
        isNew,
        owned: had + (drawn.get(id) ?? 0),
        ...(index === 0 && alsoGiven ? { alsoGiven } : {}),
      };
    });
  });
}

/**
 * What the player owned before the openings: what they own now, less what the openings gave. Undefined until everything is
 * given, because what is on its way may be counted already.
 */
function withoutGiven(owned: Amounts, openings: Reward[]): Amounts | undefined {
  if (!openings.every(isOver)) return undefined;
  const given = amountsOf(tokensIn(openings, "done"));
  return new Map([...owned].map(([id, amount]) => [id, Math.max(0, amount - (given.get(id) ?? 0))]));
}

/** What is known of an opening from its burn on this page. It is in the page's history, so that a reload finds it. */
export interface Known {
  /** Which packs were burned, and how many. */
  tokenId: string;
  count: number;
  /** What the player owned before. */
  before?: [token: string, amount: number][] | undefined;
}

const none: Reward[] = [];

/** The cards of openings; null until all of them are `drawn`. `known` is what the player owned before, if the page saw it. */
export function usePulls(openings: Reward[], drawn: boolean, known: Amounts | undefined): Pull[] | null {
  const owned = useOwned();
  const before = known ?? (owned && withoutGiven(owned, openings));
  // As text: an unchanged result is the same array, whatever is refetched.
  const text = drawn ? JSON.stringify(pullsOf(openings, before)) : "";
  return useMemo(() => (text ? (JSON.parse(text) as Pull[]) : null), [text]);
}

/** The openings of a transaction, live; `pulls` is null until all of them are drawn. */
export function useOpenings(txId: string | undefined, known: Known | null) {
  const query = useRewards({ origin: "pack", txId }, txId !== undefined);
  const openings = (txId && query.data) || none;
  const sealed = openings.length === 0 || openings.some(isSealed) || (known !== null && openings.length < known.count);
  const pulls = usePulls(openings, !sealed, known?.before && new Map(known.before));
  return { query, openings, pulls };
}

/** Where what the drawn openings gave is. */
export function givenOf(openings: Reward[]): Given {
  const drawn = openings.filter(({ opening }) => opening?.drop);
  if (drawn.some(({ state }) => state === "failed")) return "failed";
  return drawn.every(({ state }) => state === "done") ? "all" : "coming";
}

/** How many packs the openings are of. */
export function countOf(openings: Reward[]): number {
  return openings.reduce((sum, { state, amount }) => sum + (state === "burned" ? amount : 1), 0);
}
