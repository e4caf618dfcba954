import { useMutation } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { useLocation, useNavigationType } from "react-router";
import { notify } from "~/components/ui/toasts";
import { cartKey } from "~/features/cart/queries";
import { onMessage } from "~/features/realtime/messages";
import { playerNow } from "~/features/session/player";
import { balanceKey } from "~/features/wallet/balance";
import { activeWallet } from "~/features/wallet/connection";
import { assertStill, readyWallet, receiptOf, Superseded, sendInTurn } from "~/features/wallet/operation";
import { api, unwrap } from "~/lib/api/client";
import type { components } from "~/lib/api/schema.gen";
import { queryClient } from "~/lib/query";
import { report } from "~/lib/report";
import { dropOrder, isOpen, keepOrder, keptOrder, newestOf, noteSeen, type Order, orderKey, ordersKey } from "./queries";
import { beginTrace, endTrace } from "./trace";

/** What the page displays when the player confirms the payment: an unpaid order, or units with their prices. */
export type Shown = { orderId: string } | { items: components["schemas"]["ShownItem"][]; expectedTotal: string };

const again = (...queryKeys: (readonly string[])[]) =>
  Promise.all(queryKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));

/** Refetches what a purchase changes: cart, money and holdings. With that, its trace ends. */
function refreshAfterPurchase(): void {
  void again(cartKey, balanceKey, ["holdings"]).finally(endTrace);
}

/** Shows the order of a response, unless a newer state is known. */
function show(player: string, order: Order): void {
  queryClient.setQueryData<Order | null>(orderKey(player), (known) => newestOf(known, order));
}

/** Throws if the order has ended. */
function assertUnpaid(player: string, { orderId }: Order): void {
  const now = queryClient.getQueryData<Order | null>(orderKey(player));
  if (now?.orderId !== orderId || now.state !== "awaiting-payment") throw new Superseded("The order is over.");
}

/**
 * Buys exactly what the page displays: creates the order and sends its calls as one operation of the smart wallet.
 * The order then proceeds without this page.
 */
async function pay(shown: Shown, onOrder: (orderId: string) => void, onWait: () => void, onLate: () => void): Promise<void> {
  const player = playerNow();
  const readying = readyWallet();
  readying.catch(() => {}); // awaited below, unless the order is refused first
  const order = await unwrap(api.POST("/api/auth/marketplace/checkout", { body: { playFabId: player, ...shown } }));
  assertStill(player);
  keepOrder(player, order.orderId);
  onOrder(order.orderId);
  show(player, order);
  const operation = await sendInTurn({
    player,
    onLate,
    calls: order.calls,
    readying,
    onWait,
    assertWanted: () => assertUnpaid(player, order),
  });
  receiptOf({ player, onLate: () => {}, operation, unknown: "" }) // the order's own state is shown
    .catch((error: unknown) => report("checkout: no receipt", error))
    .finally(() => void again(orderKey(player)));
  queryClient.patchQueries<Order | null>({ queryKey: orderKey(player) }, (now) =>
    now?.orderId === order.orderId && now.state === "awaiting-payment" ? { ...now, state: "submitted" } : now,
  );
}

/** Refetches everything that a payment depends on, after a refusal. */
function refused(what: string) {
  return (error: Error) => {
    if (error instanceof Superseded) return;
    report(what, error);
    void again(ordersKey, cartKey, balanceKey);
  };
}

/**
 * Pays what is displayed. `orderId` is the order of the last attempt, "" for none; `waiting` is true while the
 * payment waits for another operation of the account, `late` while the relay does not answer. Clicks while a payment runs are
 * ignored.
 */
export function usePay() {
  const [orderId, setOrderId] = useState("");
  const [waiting, setWaiting] = useState(false);
  const [late, setLate] = useState(false);
  const running = useRef<Shown>(null);
  const payment = useMutation({
    mutationFn: (shown: Shown) =>
      pay(
        shown,
        setOrderId,
        () => setWaiting(true),
        () => setLate(true),
      ),
    onMutate: () => {
      beginTrace();
      setOrderId("");
    },
    onError: (error: Error) => {
      endTrace();
      refused("checkout: not paid")(error);
    },
    onSettled: (_order, _error, shown) => {
      if (running.current === shown) running.current = null;
      setWaiting(false);
      setLate(false);
    },
  });
  // A second click may come before the button is disabled.
  const mutate = (shown: Shown) => {
    if (running.current) return;
    running.current = shown;
    payment.mutate(shown);
  };
  const forget = payment.reset;
  const reset = useCallback(() => {
    running.current = null;
    forget();
  }, [forget]);
  return { ...payment, mutate, reset, orderId, waiting: waiting && payment.isPending, late: late && payment.isPending };
}

/** Cancels an unpaid order, and then calls back. Its units stay in the cart. */
export function useCancel(onSuccess: () => void) {
  return useMutation({
    mutationFn: async (orderId: string) => {
      const player = playerNow();
      const order = await unwrap(api.DELETE("/api/auth/marketplace/checkout/{orderId}", { params: { path: { orderId } } }));
      assertStill(player);
      show(player, order);
    },
    onSuccess,
    onError: refused("checkout: not cancelled"),
  });
}

/**
 * Follows the player's order while the component is mounted: through the realtime channel, and on window focus. When
 * the order ends, refetches what it changed. Connects the wallet in advance, so that paying is fast.
 */
export function useLiveOrder(player: string, order: Order | null | undefined): void {
  useEffect(() => {
    activeWallet().catch(() => {}); // the wallet's own state shows errors
    const look = () => void again(ordersKey, cartKey);
    addEventListener("focus", look);
    const off = onMessage("order", ({ payload: { orderId, state } }) => {
      const shown = queryClient.getQueryData<Order | null>(orderKey(player));
      // An order of another tab or device, which may end before it can be fetched.
      if (!shown || !isOpen(shown)) keepOrder(player, orderId);
      // Needless requests delay the payment: the page knows from the response that its own order was placed, and the cart does
      // not change between the payment and its end.
      const placed = shown?.orderId === orderId && shown.state === "awaiting-payment" && state === "awaiting-payment";
      if (!placed) void again(ordersKey);
      if (state !== "submitted" && state !== "confirming") void again(cartKey);
    });
    return () => {
      removeEventListener("focus", look);
      off();
    };
  }, [player]);
  const over = order ? !isOpen(order) && order.orderId : false;
  useEffect(() => {
    if (over) refreshAfterPurchase();
  }, [over]);
}

/**
 * Dismisses the order if it is known to have ended. One that this page has not fetched may be another tab's, and
 * open.
 */
export function putAwayFinished(): void {
  const player = playerNow();
  const order = queryClient.getQueryData<Order | null>(orderKey(player));
  if (!order || isOpen(order)) return;
  dropOrder(player, order.orderId);
  queryClient.setQueryData(orderKey(player), null);
}

/**
 * Dismisses the order if it has ended, each time the player follows a link to the checkout for what they hold now. A
 * page that is reloaded, or reached by going back, shows its former order.
 */
export function useGoneToCheckout(player: string): void {
  const { key } = useLocation();
  const type = useNavigationType();
  const before = useRef("");
  useEffect(() => {
    if (before.current === key) return;
    const isOpened = before.current === "";
    before.current = key;
    if (isOpened && type !== "PUSH") return;
    putAwayFinished();
    const kept = isOpened && keptOrder(player);
    if (kept) noteSeen(player, kept.orderId, true); // this tab may not know yet that it has ended
  }, [key, type, player]);
}

/** Notifications of how a purchase ended, on other pages. */
const news: Record<string, string> = {
  complete: "Your purchase is complete. It is yours.",
  "partly-complete": "Your purchase is partly complete. You paid only for what you got.",
  failed: "Your purchase did not happen. You were not charged.",
};

/** While the player is on another page: dismisses an ended order, and notifies how a pending one ends. */
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
