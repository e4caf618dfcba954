import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
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

const refresh = () => {
  for (const queryKey of [orderKey, cartKey, balanceKey, ["holdings"]]) void queryClient.invalidateQueries({ queryKey });
};

/**
 * Buys what is in the cart for the total the player was shown: fixes the order, has the smart wallet make its calls in
 * one operation, and tells the server which operation that is. The order then goes its way without this page.
 */
async function pay(expectedTotal: string): Promise<void> {
  const playFabId = session.get().profile?.AccountInfo.PlayFabId ?? "";
  const order = await unwrap(api.POST("/api/auth/marketplace/checkout", { body: { playFabId, expectedTotal } }));
  write(keys.order, order.orderId);
  queryClient.setQueryData<Order | null>(orderKey, order);
  const wallet = await activeWallet();
  const userOpHash = await wallet.send(order.calls);
  const submitted = api.POST("/api/auth/marketplace/checkout/{orderId}/submitted", { params: { path: { orderId: order.orderId } }, body: { userOpHash } });
  // The relay tells the server too: an order does not hang on this call.
  await unwrap(submitted)
    .then((now) => queryClient.setQueryData<Order | null>(orderKey, now))
    .catch((error: unknown) => report("checkout: the server was not told of the operation", error));
  void wallet
    .settled(userOpHash)
    .catch((error: unknown) => report("checkout: no receipt", error))
    .finally(refresh);
}

/** Why paying came to nothing, for the player. */
export function paymentProblem(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ApiError || cause instanceof WalletError || cause instanceof RpcError) return cause.message;
  }
  return messageOf(error);
}

/** Pays the cart. */
export function usePay() {
  return useMutation({
    mutationFn: pay,
    onError: (error) => {
      report("checkout: not paid", error);
      refresh();
    },
  });
}

/** Follows the player's order through the realtime channel while the component is shown. */
export function useLiveOrder(): void {
  useEffect(() => onMessage("order", refresh), []);
}

/** Puts the order out of sight if it is over. */
export function putAwayFinished(): void {
  const order = queryClient.getQueryData<Order | null>(orderKey);
  if (!order || isOpen(order)) return;
  write(keys.order, null);
  queryClient.setQueryData(orderKey, null);
}
