import { infiniteQueryOptions, queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { onMessage } from "~/features/realtime/messages";
import { session } from "~/features/session/store";
import { api, unwrap } from "~/lib/api/client";
import type { components } from "~/lib/api/schema.gen";
import { queryClient } from "~/lib/query";
import { useStore } from "~/lib/store";
import { isSameAddress } from "~/lib/token";

export type Money = components["schemas"]["Money"];
export type MoneyBalance = components["schemas"]["MoneyBalance"];
export type Movement = components["schemas"]["Movement"];
export type Withdrawal = components["schemas"]["Withdrawal"];
export type WithdrawalPart = components["schemas"]["WithdrawalPart"];
export type WithdrawalAsset = components["schemas"]["WithdrawalAsset"];
export type CreatedWithdrawal = components["schemas"]["CreatedWithdrawal"];
export type NewWithdrawal = components["schemas"]["NewWithdrawal"];
export type SavedAddress = components["schemas"]["SavedAddress"];

/** The common prefix of the query keys; invalidate it when money has moved. */
export const moneyKey = ["money"] as const;
const withdrawalKey = [...moneyKey, "withdrawals"] as const;
const bookKey = ["address-book"] as const;

/** What the player has, and the rules by which it can leave. */
export const moneyQuery = queryOptions({
  queryKey: [...moneyKey, "balances"],
  queryFn: ({ signal }) => unwrap(api.GET("/api/auth/money", { signal })),
});

/** What went in and out, page by page, newest first. */
export const movementsQuery = infiniteQueryOptions({
  queryKey: [...moneyKey, "movements"],
  queryFn: ({ pageParam, signal }) =>
    unwrap(api.GET("/api/auth/money/movements", { params: { query: pageParam ? { cursor: pageParam } : {} }, signal })),
  initialPageParam: "",
  getNextPageParam: (last) => last.nextCursor || undefined,
});

/** The player's withdrawals, page by page, newest first. */
export const withdrawalsQuery = infiniteQueryOptions({
  queryKey: [...withdrawalKey, "all"],
  queryFn: ({ pageParam, signal }) =>
    unwrap(api.GET("/api/auth/withdrawals", { params: { query: pageParam ? { cursor: pageParam } : {} }, signal })),
  initialPageParam: "",
  getNextPageParam: (last) => last.nextCursor || undefined,
});

/** One withdrawal. */
export const withdrawalQuery = (id: string) =>
  queryOptions({
    queryKey: [...withdrawalKey, id],
    queryFn: ({ signal }) => unwrap(api.GET("/api/auth/withdrawals/{id}", { params: { path: { id } }, signal })),
  });

/** The addresses that the player has saved, by name. */
export const addressBookQuery = queryOptions({
  queryKey: bookKey,
  queryFn: async ({ signal }) => (await unwrap(api.GET("/api/auth/address-book", { signal }))).items,
});

/** Returns what the player calls an address; "" for unknown ones. */
export function useLabel(): (address: string) => string {
  const own = useStore(session, (s) => s.profile?.userVerifiedWallet?.walletAddress);
  const book = useQuery(addressBookQuery).data ?? [];
  return (address) =>
    own && isSameAddress(own, address) ? "your own wallet" : (book.find((saved) => isSameAddress(saved.address, address))?.label ?? "");
}

/** Refetches everything that a change of a withdrawal may concern. */
export const refreshMoney = () => queryClient.invalidateQueries({ queryKey: moneyKey });

/** Asks for a withdrawal. */
export async function createWithdrawal(body: NewWithdrawal): Promise<CreatedWithdrawal> {
  const created = await unwrap(api.POST("/api/auth/withdrawals", { body }));
  queryClient.setQueryData(withdrawalQuery(created.withdrawal.withdrawalId).queryKey, created.withdrawal);
  void refreshMoney();
  return created;
}

/** Has the server check a recipient, and throws what it says. Without assets a request is always refused, so nothing is created. */
export const checkRecipient = (to: string) => unwrap(api.POST("/api/auth/withdrawals", { body: { to, assets: [] } }));

/** Confirms a withdrawal by one of the proofs. */
export async function confirmWithdrawal(id: string, body: components["schemas"]["WithdrawalConfirmation"]): Promise<void> {
  const withdrawal = await unwrap(api.POST("/api/auth/withdrawals/{id}/confirm", { params: { path: { id } }, body }));
  queryClient.setQueryData(withdrawalQuery(id).queryKey, withdrawal);
  void refreshMoney();
}

/** Has another code emailed. */
export async function sendWithdrawalCode(id: string): Promise<void> {
  await unwrap(api.POST("/api/auth/withdrawals/{id}/code", { params: { path: { id } } }));
}

/** Cancels a withdrawal, and shows its new state. */
export async function cancelWithdrawal(id: string): Promise<void> {
  try {
    await unwrap(api.DELETE("/api/auth/withdrawals/{id}", { params: { path: { id } } }));
  } finally {
    await refreshMoney();
  }
}

/** Saves an address under a name, or renames it. */
export async function saveAddress(address: string, label: string): Promise<void> {
  await unwrap(api.PUT("/api/auth/address-book/{address}", { params: { path: { address } }, body: { label } }));
  await queryClient.invalidateQueries({ queryKey: bookKey });
}

/** Removes a saved address. */
export async function forgetAddress(address: string): Promise<void> {
  await unwrap(api.DELETE("/api/auth/address-book/{address}", { params: { path: { address } } }));
  await queryClient.invalidateQueries({ queryKey: bookKey });
}

/** Refetches money and withdrawals on messages of the realtime channel, while the component is mounted. */
export function useLiveMoney(): void {
  useEffect(() => {
    const stops = [onMessage("withdrawal", () => void refreshMoney()), onMessage("holdings", () => void refreshMoney())];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
}
