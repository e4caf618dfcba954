import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import { notify } from "~/components/ui/toasts";
import { cartKey } from "~/features/cart/queries";
import { onMessage } from "~/features/realtime/messages";
import { session } from "~/features/session/store";
import { balanceKey } from "~/features/wallet/balance";
import { activeWallet, WalletError } from "~/features/wallet/machine";
import { api, unwrap } from "~/lib/api/client";
import { ApiError, messageOf } from "~/lib/api/problem";
import { queryClient } from "~/lib/query";
import { report } from "~/lib/report";
import { RpcError } from "~/lib/rpc";
import { keys, write } from "~/lib/storage";
import { isOpen, type Order, orderKey } from "./queries";

const again = (...queryKeys: (readonly string[])[]) => {
  for (const queryKey of queryKeys) void queryClient.invalidateQueries({ queryKey });
};

/** Loads what a purchase changes: cart, money and holdings. */
function refreshAfterPurchase(): void {
  again(cartKey, balanceKey, ["holdings"]);
}

/** Everything that is needed to send an operation but its calls. */
async function readyWallet() {
  const wallet = await activeWallet();
  return { wallet, prepared: await wallet.prepare() };
}

/**
 * Buys what is in the cart for the total the player was shown: fixes the order, has the smart wallet make its calls in
 * one operation, and tells the server which operation that is. The order then goes its way without this page.
 */
async function pay(expectedTotal: string): Promise<void> {
  const playFabId = session.get().profile?.AccountInfo.PlayFabId ?? "";
  const readying = readyWallet();
  readying.catch(() => {}); // awaited below, unless the order is refused first
  const order = await unwrap(api.POST("/api/auth/marketplace/checkout", { body: { playFabId, expectedTotal } }));
  write(keys.order, order.orderId);
  queryClient.setQueryData<Order | null>(orderKey, order);
  const { wallet, prepared } = await readying;
  const userOpHash = await wallet.send(order.calls, prepared);
  // The relay tells the server too, so the order does not hang on the page's word or on its patience.
  const submitted = api.POST("/api/auth/marketplace/checkout/{orderId}/submitted", { params: { path: { orderId: order.orderId } }, body: { userOpHash } });
  unwrap(submitted).catch((error: unknown) => report("checkout: the server was not told of the operation", error));
  wallet
    .settled(userOpHash)
    .catch((error: unknown) => report("checkout: no receipt", error))
    .finally(() => again(orderKey));
  queryClient.setQueryData<Order | null>(orderKey, (now) =>
    now?.orderId === order.orderId && now.state === "awaiting-payment" ? { ...now, state: "submitted" } : now,
  );
}

/** Why paying came to nothing, for the player. */
export function paymentProblem(error: unknown): string {
  const causes: unknown[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) causes.push(cause);
  for (const cause of causes) {
    if (cause instanceof ApiError || cause instanceof WalletError || cause instanceof RpcError) return cause.message;
  }
  // The innermost is what happened; the wallet's library wraps it.
  return messageOf(causes.at(-1) ?? error);
}

/** Pays the cart. */
export function usePay() {
  return useMutation({
    mutationFn: pay,
    onError: (error) => {
      report("checkout: not paid", error);
      again(orderKey, cartKey, balanceKey);
    },
  });
}

/**
 * Follows the player's order through the realtime channel while the component is shown, and loads what it changed when
 * it is over. Makes the wallet ready meanwhile, so that paying takes no longer than it must.
 */
export function useLiveOrder(order: Order | null | undefined): void {
  useEffect(() => {
    activeWallet().catch(() => {}); // shown through the wallet's own state
    return onMessage("order", () => again(orderKey));
  }, []);
  const over = order ? !isOpen(order) && order.orderId : false;
  useEffect(() => {
    if (over) refreshAfterPurchase();
  }, [over]);
}

/** Puts the order out of sight if it is over. */
export function putAwayFinished(): void {
  const order = queryClient.getQueryData<Order | null>(orderKey);
  if (order && isOpen(order)) return;
  write(keys.order, null);
  if (order) queryClient.setQueryData(orderKey, null);
}

/** How a purchase ended, for a player who has moved on to another page. */
const news: Record<string, string> = {
  complete: "Your purchase is complete. It is yours.",
  "partly-complete": "Your purchase is partly complete. You paid only for what you got.",
  failed: "Your purchase did not happen. You were not charged.",
};

/** While the player is elsewhere: puts a finished order away, and says how one ends that is under way. */
export function useOrderNews(elsewhere: boolean): void {
  useEffect(() => {
    if (!elsewhere) return;
    putAwayFinished();
    return onMessage("order", ({ payload: { state } }) => {
      notify(state === "failed" ? "error" : "success", news[state]);
      if (state in news) refreshAfterPurchase();
    });
  }, [elsewhere]);
}
