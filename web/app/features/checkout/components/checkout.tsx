import { useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { Button, ButtonLink } from "~/components/ui/button";
import { Countdown } from "~/components/ui/countdown";
import { FailedLine } from "~/components/ui/failed-line";
import { Price } from "~/components/ui/price";
import { Spinner } from "~/components/ui/spinner";
import { DidNotLoad, EmptyState, Skeleton } from "~/components/ui/states";
import { notify, takeBackHeld } from "~/components/ui/toasts";
import { Tooltip } from "~/components/ui/tooltip";
import { CartLine } from "~/features/cart/components/cart-drawer";
import { cartQuery } from "~/features/cart/queries";
import { configQuery } from "~/features/config/config";
import { balanceKey, balanceQuery, useWalletAddress } from "~/features/wallet/balance";
import { compare } from "~/lib/amount";
import { api, unwrap } from "~/lib/api/client";
import { messageOf } from "~/lib/api/problem";
import { cn } from "~/lib/cn";
import { plural, short } from "~/lib/format";
import { paths } from "~/lib/paths";
import { queryClient } from "~/lib/query";
import { paymentProblem, putAwayFinished, useLiveOrder, usePay } from "../pay";
import { isOpen, isPaying, type Order, orderQuery } from "../queries";

type Payment = ReturnType<typeof usePay>;

/** Gives test money on a development server, where there is a faucet. */
function Faucet() {
  const faucet = useMutation({
    mutationFn: () => unwrap(api.POST("/api/dev/faucet")),
    onSuccess: ({ message }) => {
      notify("success", message);
      void queryClient.invalidateQueries({ queryKey: balanceKey });
    },
    onError: (error) => notify("error", messageOf(error)),
  });
  return (
    <Button kind="quiet" size="small" busy={faucet.isPending} onClick={() => faucet.mutate()}>
      Get 100 test USDC
    </Button>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <p className="flex items-baseline justify-between gap-4">
      <span className="text-bone-muted">{label}</span>
      {children}
    </p>
  );
}

/** What is about to be bought, what changed since it was chosen, and the button that pays. */
function Review({ pay }: { pay: Payment }) {
  const { data: cart, error, refetch } = useQuery(cartQuery);
  const money = useQuery(balanceQuery(useWalletAddress()));
  const balance = money.data?.usdc;
  const config = useQuery(configQuery).data;
  if (!cart && error) {
    return <DidNotLoad what="Your cart" error={error} onRetry={refetch} />;
  }
  if (!cart) return <Skeleton className="h-64" />;
  if (!cart.items.length) {
    return (
      <EmptyState title="Your cart is empty" action={<ButtonLink to={paths.market}>To the market</ButtonLink>}>
        Hold something first; it waits for you here.
      </EmptyState>
    );
  }
  const gone = cart.items.filter((item) => item.changed === "gone").length;
  const changed = cart.items.filter((item) => item.changed === "price").length;
  const short = balance !== undefined && compare(balance, cart.total) < 0;
  const first = Math.min(...cart.items.map((item) => Date.parse(item.expiresAt)));
  return (
    <div className="grid grid-cols-1 gap-10 lg:grid-cols-[minmax(0,1fr)_24rem]">
      <div>
        {(gone > 0 || changed > 0) && (
          <p role="status" className="mb-4 border-l-2 border-ember bg-night-1 px-5 py-4">
            {gone > 0 && `${plural(gone, "item")} in your cart ${gone === 1 ? "is" : "are"} no longer for sale. `}
            {changed > 0 && `${plural(changed, "price")} changed since you chose.`}
          </p>
        )}
        <ul className="divide-y divide-line border-y border-line">
          {cart.items.map((item) => (
            <CartLine key={`${item.listingId}-${item.index}`} item={item} timed={false} large={cart.items.length < 3} />
          ))}
        </ul>
      </div>
      <aside className="grid gap-4 self-start border border-line-strong bg-night-1 p-6">
        <Row label={plural(cart.totalItems, "item")}>
          <Price value={cart.total} />
        </Row>
        <Row label="Gas">
          <Tooltip text="What the network asks for writing the purchase down. It never comes out of your wallet.">
            {(describedBy) => (
              <button type="button" aria-describedby={describedBy} className="underline decoration-dotted decoration-bronze underline-offset-4">
                We pay it
              </button>
            )}
          </Tooltip>
        </Row>
        <div className="meander my-1 text-bronze-dim" />
        <p className="flex items-baseline justify-between">
          <span className="caption">Total</span>
          <Price value={cart.total} className="display text-4xl normal-case" />
        </p>
        <Row label="You have">
          {balance !== undefined ? (
            <Price value={balance} />
          ) : money.error ? (
            <FailedLine onRetry={money.refetch}>Not known.</FailedLine>
          ) : (
            <span className="text-bone-muted">…</span>
          )}
        </Row>
        {short && (
          <div className="grid gap-3 border-l-2 border-bad pl-4">
            <p>You do not have enough USDC for this.</p>
            {config?.faucet && <Faucet />}
          </div>
        )}
        <p role="alert" className="text-bad empty:hidden">
          {pay.error && paymentProblem(pay.error)}
        </p>
        <Button size="large" busy={pay.isPending} disabled={gone > 0 || short} onClick={() => pay.mutate(cart.total)}>
          Pay <Price value={cart.total} className="[&>span]:text-current" />
        </Button>
        <p className="text-sm text-bone-muted">
          Held for <Countdown until={first} label="another" className="text-bone" />. When you start to pay you get five more minutes.
        </p>
      </aside>
    </div>
  );
}

const steps: { state: Order["state"]; title: string }[] = [
  { state: "awaiting-payment", title: "Order placed" },
  { state: "submitted", title: "Payment sent" },
  { state: "confirming", title: "Written on the chain" },
  { state: "complete", title: "Yours" },
];

/** How far an order has come, in plain words. */
function Timeline({ order }: { order: Order }) {
  const reached = Math.max(...steps.map((step, index) => (order.timeline.some((event) => event.state === step.state) ? index : 0)));
  return (
    <ol className="grid gap-0">
      {steps.map((step, index) => {
        const event = order.timeline.findLast((e) => e.state === step.state);
        const done = event !== undefined && (index < reached || !isOpen(order));
        const now = index === reached && isOpen(order);
        return (
          <li key={step.state} aria-current={now ? "step" : undefined} className="relative flex gap-5 pb-8 last:pb-0">
            {index < steps.length - 1 && (
              <span className={cn("absolute bottom-0 left-[9px] top-5 border-l border-dashed", done ? "border-bronze" : "border-line-strong")} />
            )}
            <span
              className={cn(
                "relative mt-1 grid size-5 shrink-0 rotate-45 place-items-center border",
                done ? "border-bronze bg-bronze" : now ? "border-ember bg-night" : "border-line-strong bg-night",
              )}
            >
              {now && <span className="size-2 animate-pulse bg-ember" />}
            </span>
            <span className={done || now ? "" : "text-bone-muted"}>
              <span className="display block text-2xl">{step.title}</span>
              {event && (
                <time dateTime={event.at} className="figures text-sm text-bone-muted">
                  {new Date(event.at).toLocaleTimeString("en")}
                </time>
              )}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function Goods({ order }: { order: Order }) {
  return (
    <ul className="grid grid-cols-2 gap-4 sm:grid-cols-[repeat(auto-fill,minmax(10rem,1fr))]">
      {order.items.map((item) => (
        <li key={item.listingId}>
          <img src={item.metadata?.image} alt="" width={600} height={800} className="w-full rounded border border-line" />
          <p className="mt-2 font-bold leading-tight">{item.metadata?.name}</p>
          <p className="figures text-sm text-bone-muted">
            {item.quantity > 1 && `${item.quantity} × `}
            <Price value={item.price} />
          </p>
        </li>
      ))}
    </ul>
  );
}

/** What was bought, as large as there is room: one thing alone, few in a stair, many in rows. */
function Won({ order }: { order: Order }) {
  const items = order.items.filter((item) => item.bought > 0);
  const few = items.length < 4;
  return (
    <ul
      className={cn(
        "grid gap-4 sm:gap-8",
        items.length === 1 ? "mx-auto w-full max-w-[min(36rem,62svh)] max-lg:max-w-[46svh]" : few ? "grid-cols-2 [&>li:nth-child(2)]:mt-12" : "grid-cols-3",
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

/** A payment that is on its way. `problem` says why its news cannot be had just now. */
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
            No news of it just now. {problem} This page goes on asking.
          </p>
        )}
        <Timeline order={order} />
        <p className="mt-8 text-sm text-bone-muted">You can close this page. The purchase goes on without it.</p>
      </div>
      <Goods order={order} />
    </div>
  );
}

/** An order that was fixed but not paid, such as after a crash: pay it, or go back to the cart. */
function Unpaid({ order, pay }: { order: Order; pay: Payment }) {
  return (
    <div className="grid grid-cols-1 gap-12 lg:grid-cols-[22rem_minmax(0,1fr)]">
      <div className="grid content-start gap-5">
        <p className="text-lg">
          This order is waiting for its payment. It is kept for <Countdown until={Date.parse(order.expiresAt)} label="another" />.
        </p>
        <Price value={order.total} className="display text-4xl normal-case" />
        <p role="alert" className="text-bad empty:hidden">
          {pay.error && paymentProblem(pay.error)}
        </p>
        <Button size="large" busy={pay.isPending} onClick={() => pay.mutate(order.total)}>
          {pay.error ? "Try again" : "Pay now"}
        </Button>
      </div>
      <Goods order={order} />
    </div>
  );
}

const endings: Partial<Record<Order["state"], { title: string; text: string }>> = {
  complete: { title: "It is yours", text: "The chain has written it down. It is in your wallet now." },
  "partly-complete": { title: "Partly yours", text: "Some of it had gone. You paid only for what you got." },
  failed: { title: "Nothing was bought", text: "The purchase did not happen and you were not charged." },
  expired: { title: "Time ran out", text: "The order was not paid in time. Nothing was charged, and the items went back to the market." },
};

function Over({ order }: { order: Order }) {
  const ending = endings[order.state];
  const won = order.state === "complete" || order.state === "partly-complete";
  return (
    <div
      className={cn("grid grid-cols-1 gap-x-16 gap-y-12", won ? "lg:grid-cols-[1fr_1.2fr] lg:items-center" : "lg:grid-cols-[minmax(0,26rem)_minmax(0,1fr)]")}
    >
      <div className="grid content-start gap-5">
        <p role="status" className={cn("display", won ? "max-w-[3.4em] text-hero" : "text-[clamp(3rem,6vw,5rem)]")}>
          {ending?.title}
        </p>
        <p className="max-w-md text-lg text-bone-muted">{order.error || ending?.text}</p>
        {order.txHash && (
          <p className="figures text-sm text-bone-muted">
            Transaction <span title={order.txHash}>{short(order.txHash)}</span>
          </p>
        )}
        <p className="mt-2 flex flex-wrap gap-4">
          {won ? <ButtonLink to={paths.inventory}>See what I own</ButtonLink> : <Button onClick={putAwayFinished}>Back to the cart</Button>}
          <ButtonLink to={paths.market} kind="quiet">
            To the market
          </ButtonLink>
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

/** Checkout from review to receipt. It shows where the order stands, also after a reload. */
export function Checkout() {
  // Paying begins in the review and goes on in what takes its place.
  const pay = usePay();
  const { data: order, error, isPending, refetch } = useQuery(orderQuery);
  useLiveOrder(order);
  useEffect(takeBackHeld, []);
  let content: ReactNode;
  if (isPending) content = <Skeleton className="h-64" />;
  else if (error && order === undefined) {
    content = <DidNotLoad what="The checkout" error={error} onRetry={refetch} />;
  } else if (!order) content = <Review pay={pay} />;
  else if (isPaying(order)) content = <UnderWay order={order} problem={error && messageOf(error)} />;
  else if (isOpen(order)) content = <Unpaid order={order} pay={pay} />;
  else content = <Over order={order} />;
  return (
    <div className="mx-auto max-w-[84rem] px-4 pb-20 pt-8 sm:px-8 lg:pt-14">
      {/* At its end what has happened is the largest thing to be read. */}
      <h1 className={order && !isOpen(order) ? "caption mb-6 text-bronze" : "display mb-10 text-5xl"}>Checkout</h1>
      {content}
    </div>
  );
}
