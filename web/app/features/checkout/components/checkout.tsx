import { useQuery } from "@tanstack/react-query";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { Button, ButtonLink } from "~/components/ui/button";
import { Countdown } from "~/components/ui/countdown";
import { TextLink } from "~/components/ui/link";
import { Price } from "~/components/ui/price";
import { Spinner } from "~/components/ui/spinner";
import { DidNotLoad, Skeleton } from "~/components/ui/states";
import { takeBackHeld } from "~/components/ui/toasts";
import type { Cart } from "~/features/cart/holds";
import { cartQuery } from "~/features/cart/queries";
import { Transaction } from "~/features/config/components/transaction";
import { configQuery } from "~/features/config/config";
import { lastMarket } from "~/features/market/last-market";
import { session } from "~/features/session/store";
import { Problem } from "~/features/wallet/components/problem";
import { problemOf } from "~/features/wallet/operation";
import { messageOf } from "~/lib/api/problem";
import { cn } from "~/lib/cn";
import { isFocusLost } from "~/lib/focus-lost";
import { paths } from "~/lib/paths";
import { collections } from "~/lib/registry";
import { useStore } from "~/lib/store";
import { isSameAddress } from "~/lib/token";
import { useLines } from "../lines";
import { putAwayFinished, useCancel, useGoneToCheckout, useLiveOrder, usePay } from "../pay";
import { isBought, isOpen, isPaying, noteSeen, type Order, orderQuery } from "../queries";
import { endings, Goods } from "./order-parts";
import { Timeline } from "./order-steps";
import { PayButton, type Payment } from "./pay-button";
import { Review } from "./review";

/** What was bought, as large as possible: one item alone, a few staggered, many in rows. */
function Won({ order }: { order: Order }) {
  const items = order.items.filter((item) => item.bought > 0);
  const few = items.length < 4;
  return (
    <ul
      className={cn(
        "grid gap-4 sm:gap-8",
        items.length === 1
          ? "mx-auto w-full max-w-[min(36rem,62svh)] max-lg:max-w-[46svh]"
          : few
            ? "grid-cols-2 [&>li:nth-child(2)]:mt-12"
            : "grid-cols-3",
      )}
    >
      {items.map((item) => (
        <li key={item.listingId} className="animate-rise">
          <img
            src={item.metadata?.image}
            alt=""
            width={600}
            height={800}
            className="h-auto w-full rounded shadow-[0_0_7rem_0_color-mix(in_oklab,var(--color-bronze)_38%,transparent)]"
          />
          <p className={cn("display mt-4 leading-none", few ? "text-2xl" : "text-xl")}>{item.metadata?.name}</p>
          <p className="figures mt-1 text-sm text-bone-muted">
            {item.bought > 1 && `${item.bought} × `}
            <Price value={item.price} />
          </p>
        </li>
      ))}
    </ul>
  );
}

/** A pending payment. `problem` says why its state cannot be loaded at the moment. */
function UnderWay({ order, problem }: { order: Order; problem: string | null }) {
  return (
    <div className="grid grid-cols-1 gap-12 lg:grid-cols-[22rem_minmax(0,1fr)]">
      <div>
        <p role="status" className="mb-8 flex items-center gap-4 text-lg">
          <Spinner color="var(--color-ember)" size={28} />
          {order.state === "confirming" ? "Waiting for the chain to confirm." : "Your payment is on its way."}
        </p>
        {problem && (
          <p role="alert" className="mb-8 border-l-2 border-bad pl-4">
            Its state did not load. {problem} This page keeps trying.
          </p>
        )}
        <Timeline order={order} />
        <p className="mt-8 text-sm text-bone-muted">You can close this page. The purchase continues without it.</p>
      </div>
      <Goods order={order} />
    </div>
  );
}

/** An order that was placed but not paid, such as after a crash: pay it, or cancel it and return to the cart. */
function Unpaid({ order, pay, cancel }: { order: Order; pay: Payment; cancel: ReturnType<typeof useCancel> }) {
  // While the payment waits for another operation it can still be cancelled.
  const sending = pay.isPending && !pay.waiting;
  const failed = problemOf(pay.error) !== null;
  return (
    <div className="grid grid-cols-1 gap-12 lg:grid-cols-[22rem_minmax(0,1fr)]">
      <div className="grid content-start gap-5">
        <p className="text-lg">
          This order is waiting for its payment. It is kept for <Countdown until={Date.parse(order.expiresAt)} label="another" />.
        </p>
        <Price value={order.total} className="display text-4xl normal-case" />
        <Problem error={cancel.submittedAt > pay.submittedAt ? cancel.error : pay.error} />
        <PayButton pay={pay} shown={{ orderId: order.orderId }} disabled={cancel.isPending}>
          {failed ? "Try again" : "Pay now"}
        </PayButton>
        <Button
          kind="quiet"
          busy={cancel.isPending}
          aria-disabled={sending}
          onClick={sending ? undefined : () => cancel.mutate(order.orderId)}
        >
          Cancel this order
        </Button>
        <p className="text-sm text-bone-muted">After that you can change your cart. What you hold stays yours until its time is up.</p>
      </div>
      <Goods order={order} />
    </div>
  );
}

interface OverProps {
  order: Order;
  player: string;
  cart: Cart | undefined;
  /** The receipt's heading. */
  receipt: RefObject<HTMLHeadingElement | null>;
}

function Over({ order, player, cart, receipt }: OverProps) {
  const ending = endings[order.state];
  const won = isBought(order);
  const contracts = useQuery(configQuery).data?.collections;
  const packs = collections.filter(({ burn }) => burn === "pack").map(({ slug }) => contracts?.[slug] ?? "");
  const isPack = (contract: string) => packs.some((address) => isSameAddress(contract, address));
  const hasPacks = order.items.some(({ assetContractAddress, bought }) => bought > 0 && isPack(assetContractAddress));
  // What was bought may stay in the cart for a moment; it was held before the order was created.
  const holdsMore = cart?.items.some((item) => Date.parse(item.updatedAt) > Date.parse(order.createdAt));
  useEffect(() => noteSeen(player, order.orderId, true), [player, order.orderId]);
  return (
    <div
      className={cn(
        "grid grid-cols-1 gap-x-16 gap-y-12",
        won ? "lg:grid-cols-[1fr_1.2fr] lg:items-center" : "lg:grid-cols-[minmax(0,26rem)_minmax(0,1fr)]",
      )}
    >
      <div className="grid content-start gap-5">
        <div role="status">
          <h2
            ref={receipt}
            tabIndex={-1}
            className={cn("display outline-none", won ? "max-w-[3.4em] text-hero" : "text-[clamp(3rem,6vw,5rem)]")}
          >
            {ending?.title}
          </h2>
        </div>
        <p className="max-w-md text-lg text-bone-muted">{order.error || ending?.text}</p>
        {order.txHash && (
          <p className="text-sm text-bone-muted">
            Transaction <Transaction txHash={order.txHash} />
          </p>
        )}
        {won && (
          <TextLink to={paths.receipt(order.orderId)} className="inline-flex min-h-11 items-center self-start justify-self-start">
            Your receipt, to keep
          </TextLink>
        )}
        <p className="mt-2 flex flex-wrap gap-4">
          {won && hasPacks && <ButtonLink to={paths.packs}>Open it now</ButtonLink>}
          {won ? (
            <ButtonLink to={paths.inventory} kind={hasPacks ? "quiet" : "primary"}>
              See what I own
            </ButtonLink>
          ) : (
            <Button onClick={putAwayFinished}>Back to the cart</Button>
          )}
          <ButtonLink to={lastMarket()} kind="quiet">
            Continue shopping
          </ButtonLink>
          {won && holdsMore && (
            <Button kind="quiet" onClick={putAwayFinished}>
              Review the rest of your cart
            </Button>
          )}
        </p>
      </div>
      {won ? (
        <div className="max-lg:order-first">
          <Won order={order} />
        </div>
      ) : (
        <Timeline order={order} />
      )}
    </div>
  );
}

/** What the page shows: it decides where the focus goes when the focused control disappears. */
type View = "loading" | "failed" | "review" | "unpaid" | "under-way" | "over";

/**
 * Moves the focus to the heading when another view has removed the focused control; at the end to the receipt's, from
 * where it waited.
 */
function useFocusAfter(view: View, heading: RefObject<HTMLElement | null>, receipt: RefObject<HTMLElement | null>): void {
  const before = useRef<View>("loading");
  useEffect(() => {
    const changed = before.current !== view && before.current !== "loading";
    before.current = view;
    if (!changed) return;
    if (isFocusLost() || (view === "over" && document.activeElement === heading.current))
      (view === "over" ? receipt : heading).current?.focus();
  }, [view, heading, receipt]);
}

function CheckoutOf({ player }: { player: string }) {
  useGoneToCheckout(player);
  // Paying begins in the review and continues in the view that replaces it.
  const pay = usePay();
  const cancel = useCancel(pay.reset);
  const { data: order, error, isPending, refetch } = useQuery(orderQuery(player));
  const cart = useQuery(cartQuery);
  const { lines, dismiss, noteGone } = useLines(player, cart.data, order);
  const heading = useRef<HTMLHeadingElement>(null);
  const receipt = useRef<HTMLHeadingElement>(null);
  useLiveOrder(player, order);
  useEffect(takeBackHeld, []);
  const ended = order?.state === "expired" ? order : null;
  let view: View = "over";
  if (isPending) view = "loading";
  else if (error && order === undefined) view = "failed";
  else if (!order || ended) view = "review";
  else if (isPaying(order)) view = "under-way";
  else if (isOpen(order)) view = "unpaid";
  useFocusAfter(view, heading, receipt);
  const contents: Record<View, () => ReactNode> = {
    loading: () => <Skeleton className="h-64" />,
    failed: () => <DidNotLoad what="The checkout" error={error} onRetry={refetch} />,
    review: () => <Review pay={pay} cart={cart} lines={lines} dismiss={dismiss} noteGone={noteGone} ended={ended} heading={heading} />,
    unpaid: () => order && <Unpaid order={order} pay={pay} cancel={cancel} />,
    "under-way": () => order && <UnderWay order={order} problem={error && messageOf(error)} />,
    over: () => order && <Over order={order} player={player} cart={cart.data} receipt={receipt} />,
  };
  return (
    <div className="mx-auto max-w-[84rem] px-4 pb-20 pt-8 sm:px-8 lg:pt-14">
      {/* At the end the result is the largest text. */}
      <h1
        ref={heading}
        tabIndex={-1}
        className={cn("outline-none", view === "over" ? "caption mb-6 text-bronze" : "display mb-10 text-5xl")}
      >
        Checkout
      </h1>
      {contents[view]()}
    </div>
  );
}

/** The checkout from review to receipt. It shows the order's state, also after a reload. It is keyed by player. */
export function Checkout() {
  const player = useStore(session, (s) => s.profile?.AccountInfo.PlayFabId ?? "");
  return <CheckoutOf key={player} player={player} />;
}
