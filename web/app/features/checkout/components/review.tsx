import { type UseQueryResult, useMutation, useQueries, useQuery } from "@tanstack/react-query";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { Button, ButtonLink } from "~/components/ui/button";
import { FailedLine } from "~/components/ui/failed-line";
import { TextLink } from "~/components/ui/link";
import { Price } from "~/components/ui/price";
import { DidNotLoad, EmptyState, Skeleton } from "~/components/ui/states";
import { notify } from "~/components/ui/toasts";
import { Tooltip } from "~/components/ui/tooltip";
import { addToCart, takeOut, useRemoveFromCart } from "~/features/cart/actions";
import { Changed, HeldFor } from "~/features/cart/components/cart-drawer";
import { UnitLine } from "~/features/cart/components/unit-line";
import type { Cart, CartItem } from "~/features/cart/holds";
import { cartKey } from "~/features/cart/queries";
import { configQuery } from "~/features/config/config";
import { useFlag } from "~/features/flags/store";
import { feesQuery } from "~/features/market/fees";
import { balanceKey, balanceQuery, useWalletAddress } from "~/features/wallet/balance";
import { Problem } from "~/features/wallet/components/problem";
import { problemOf } from "~/features/wallet/operation";
import { compare, less } from "~/lib/amount";
import { api, unwrap } from "~/lib/api/client";
import { ApiError, messageOf } from "~/lib/api/problem";
import { cn } from "~/lib/cn";
import { plural } from "~/lib/format";
import { has } from "~/lib/has";
import { paths } from "~/lib/paths";
import { queryClient } from "~/lib/query";
import { marketCurrency } from "~/lib/registry";
import { report } from "~/lib/report";
import { payTime, rules } from "~/lib/rules";
import { listedTokenKey } from "~/lib/token";
import { feeParts } from "../fees";
import { type Line, payable, type useLines } from "../lines";
import type { Order } from "../queries";
import { PayButton, type Payment } from "./pay-button";

/** Gives test money on a development server, if there is a faucet. */
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
      Get {rules.faucetUsdc} test {marketCurrency.symbol}
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

/** The fees that are deducted from the price. The lines are shown before the amounts are known, so that nothing moves. */
function Included({ items }: { items: CartItem[] }) {
  const tokens = [...new Map(items.map(({ listing }) => [listedTokenKey(listing), listing])).values()];
  const answers = useQueries({ queries: tokens.map(({ assetContractAddress, tokenId }) => feesQuery(assetContractAddress, tokenId)) });
  const fees = new Map(tokens.flatMap((token, i) => (answers[i]?.data ? [[listedTokenKey(token), answers[i].data] as const] : [])));
  const parts = feeParts(items, fees);
  const failed = answers.filter(({ data, error }) => !data && error);
  const unknown = <span className="text-bone-muted">{failed.length ? "–" : "…"}</span>;
  return (
    <div className="grid gap-1 border-l border-line-strong pl-4 text-sm">
      {/* Two lines high, as the message is on a phone. */}
      <div className="flex min-h-10 items-end">
        {failed.length ? (
          <FailedLine onRetry={() => Promise.all(failed.map(({ refetch }) => refetch()))}>
            The fees in the price are not known just now.
          </FailedLine>
        ) : (
          <p className="text-bone-muted">Included in the price, paid by the seller:</p>
        )}
      </div>
      <Row label="Market fee">{parts ? <Price value={parts.platform} /> : unknown}</Row>
      <Row label="Royalty">{parts ? <Price value={parts.royalty} /> : unknown}</Row>
    </div>
  );
}

/** How much money is missing, and the ways to get it. */
function Short({ missing, faucet }: { missing: string; faucet: boolean }) {
  const hasShop = useFlag("webstore") === true;
  const ways = [
    { to: paths.money, text: "Add money to your wallet" },
    { to: paths.sell, text: "Sell something you own" },
    ...(hasShop && has.webstore ? [{ to: paths.webstore, text: `Buy ${marketCurrency.symbol} in the webstore` }] : []),
  ];
  return (
    <div className="grid gap-2 border-l-2 border-bad pl-4">
      <p>You do not have enough {marketCurrency.symbol} for this.</p>
      <p className="font-bold">
        You need <Price value={missing} /> more.
      </p>
      <ul>
        {ways.map(({ to, text }) => (
          <li key={to}>
            <TextLink to={to} className="inline-flex min-h-11 items-center">
              {text}
            </TextLink>
          </li>
        ))}
      </ul>
      {faucet && <Faucet />}
    </div>
  );
}

const losses = { "ran-out": "Its time in your cart is up.", released: "No longer in your cart.", gone: "No longer for sale." };

/** Holds a unit of a listing again, and waits until the cart shows it. */
function useHoldAgain({ goods }: Line, onGone: () => void) {
  return useMutation({
    mutationFn: async () => {
      await addToCart(goods);
      await queryClient.invalidateQueries({ queryKey: cartKey });
    },
    onError: (error) => {
      report("checkout: not held again", error);
      notify("error", "Could not add item to cart", messageOf(error));
      if (error instanceof ApiError && error.reason === "gone") onGone();
      void queryClient.invalidateQueries({ queryKey: cartKey });
    },
  });
}

interface UnitProps {
  line: Line;
  large: boolean;
  /** Removes the line from the page only. */
  onDismiss: () => void;
  /** Called when the server reports that it is no longer for sale. */
  onGone: () => void;
  /** Called before the player's action may remove the focused control. */
  onAct: () => void;
}

/** A unit on the page, held or not. Its information has a fixed place, so that nothing moves when it changes. */
function Unit({ line, large, onDismiss, onGone, onAct }: UnitProps) {
  const remove = useRemoveFromCart();
  const again = useHoldAgain(line, onGone);
  const { goods, item, lost } = line;
  const held = item && !lost;
  const onRemove = () => {
    onAct();
    if (held) remove.mutate(item);
    else if (item) takeOut([item]);
    else onDismiss();
  };
  return (
    <UnitLine
      goods={goods}
      large={large}
      dimmed={!held}
      removeLabel={(name) => (held ? `Remove ${name} from the cart` : `Remove ${name} from this page`)}
      onRemove={onRemove}
    >
      <div
        className={cn(
          "flex",
          large ? "min-h-16 flex-col gap-1 sm:min-h-9 sm:flex-row sm:items-center sm:gap-4" : "min-h-9 items-center gap-3",
        )}
      >
        <p role="status" className="text-sm leading-tight empty:hidden">
          {lost && losses[lost]}
        </p>
        {held && (item.changed ? <Changed item={item} /> : <HeldFor item={item} />)}
        {!held && lost !== "gone" && (
          <Button
            kind="quiet"
            size="small"
            busy={again.isPending}
            className="shrink-0 self-start"
            aria-label={`Add again: ${goods.metadata?.name ?? "this item"}`}
            onClick={() => {
              onAct();
              again.mutate();
            }}
          >
            Add again
          </Button>
        )}
      </div>
      {!held && lost !== "gone" && <Problem error={again.error} />}
    </UnitLine>
  );
}

/**
 * Keeps the focus near its place when the player's action removes the focused control: on the line that takes the
 * place, or else on the heading. Returns a function to call with the line's index before the action.
 */
function useFocusNear(list: RefObject<HTMLElement | null>, heading: RefObject<HTMLElement | null>): (at: number) => void {
  const place = useRef(-1);
  useEffect(() => {
    if (place.current < 0 || document.activeElement !== document.body) return;
    const lines = list.current?.children ?? [];
    const near = lines[Math.min(place.current, lines.length - 1)]?.querySelector("a") ?? heading.current;
    place.current = -1;
    near?.focus();
  });
  return (at) => {
    place.current = at;
  };
}

/** What prevents the payment, or should be known before it. */
function Advice({ gone, changed, nothing }: { gone: number; changed: number; nothing: boolean }) {
  if (gone > 0) {
    const [are, them] = gone === 1 ? ["is", "it"] : ["are", "them"];
    return `${plural(gone, "item")} in your cart ${are} no longer for sale. Remove ${them} to go on.`;
  }
  if (nothing) return "Nothing here is reserved for you any more. Add something again to buy it.";
  if (changed > 0) return `${plural(changed, "price")} changed since you chose.`;
  return `Starting to pay keeps everything ${payTime} longer, once.`;
}

interface ReviewProps {
  pay: Payment;
  cart: UseQueryResult<Cart>;
  lines: Line[];
  dismiss: ReturnType<typeof useLines>["dismiss"];
  noteGone: ReturnType<typeof useLines>["noteGone"];
  /** The unpaid order that ended and brought the player here, if any. */
  ended: Order | null;
  heading: RefObject<HTMLElement | null>;
}

/** What is about to be bought, what changed since it was added, and the pay button. */
export function Review({ pay, cart, lines, dismiss, noteGone, ended, heading }: ReviewProps) {
  const money = useQuery(balanceQuery(useWalletAddress()));
  const config = useQuery(configQuery).data;
  const list = useRef<HTMLUListElement>(null);
  const keepFocus = useFocusNear(list, heading);
  // The error of a payment is not shown once the order has ended: the notice says why.
  const problem = problemOf(pay.error);
  const isOver = Boolean(problem && ended?.error && (ended.orderId === pay.orderId || problem.reason === "order-over"));
  const { reset } = pay;
  useEffect(() => {
    if (isOver) reset();
  }, [isOver, reset]);
  if (!cart.data && cart.error) return <DidNotLoad what="Your cart" error={cart.error} onRetry={cart.refetch} />;
  if (!cart.data) return <Skeleton className="h-64" />;
  if (!lines.length) {
    return (
      <EmptyState title="Your cart is empty" action={<ButtonLink to={paths.market}>To the market</ButtonLink>}>
        Add something to your cart first. It is reserved for you while you pay.
      </EmptyState>
    );
  }
  const act = (at: number) => {
    keepFocus(at);
    if (pay.isError) pay.reset(); // it was about other lines
  };
  const balance = money.data?.usdc;
  const { items, total } = payable(lines);
  const changedTo = (change: string) => lines.filter(({ item, lost }) => !lost && item?.changed === change).length;
  const gone = changedTo("gone");
  const changed = changedTo("price");
  const short = balance !== undefined && compare(balance, total) < 0;
  const shown = {
    items: items.map(({ listingId, assetContractAddress, index, listing }) => ({
      listingId,
      assetContractAddress,
      index,
      price: listing.price,
    })),
    expectedTotal: total,
  };
  return (
    <div className="grid grid-cols-1 gap-10 lg:grid-cols-[minmax(0,1fr)_24rem]">
      <div>
        {ended?.error && (
          <p role="status" className="mb-4 border-l-2 border-ember bg-night-1 px-5 py-4">
            {ended.error}
          </p>
        )}
        <ul ref={list} className="divide-y divide-line border-y border-line">
          {lines.map((line, at) => (
            <Unit
              key={line.key}
              line={line}
              large={lines.length < 3}
              onDismiss={() => dismiss(line.goods.listingId)}
              onGone={() => noteGone(line.goods.listingId)}
              onAct={() => act(at)}
            />
          ))}
        </ul>
      </div>
      <aside className="grid grid-cols-[minmax(0,1fr)] gap-4 self-start border border-line-strong bg-night-1 p-6">
        <Row label={plural(items.length, "item")}>
          <Price value={total} />
        </Row>
        <Row label="Network fee">
          <Tooltip text="The chain's fee for your purchase, called gas. You do not pay it.">
            {(describedBy) => (
              <button
                type="button"
                aria-describedby={describedBy}
                className="-my-2.5 min-h-11 underline decoration-dotted decoration-bronze underline-offset-4"
              >
                0, paid by us
              </button>
            )}
          </Tooltip>
        </Row>
        {items.length > 0 && <Included items={items} />}
        <div className="meander my-1 text-bronze-dim" />
        <p className="flex items-baseline justify-between gap-4">
          <span className="caption">Total</span>
          <Price value={total} className="display text-4xl normal-case" />
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
        {short && <Short missing={less(total, balance)} faucet={config?.faucet === true} />}
        <Problem error={isOver ? null : pay.error} />
        <PayButton pay={pay} shown={shown} disabled={gone > 0 || short || !items.length}>
          Pay <Price value={total} className="[&>span]:text-current" />
        </PayButton>
        {/* Below the button, so that its own changes do not move the button. */}
        <p role="status" className="text-sm text-bone-muted">
          <Advice gone={gone} changed={changed} nothing={!items.length} />
        </p>
        <p className="text-sm text-bone-muted">
          A purchase is final: it happens on a public chain, where nobody can take it back. The{" "}
          <TextLink to={paths.terms} className="py-3">
            terms of use
          </TextLink>{" "}
          apply.
        </p>
      </aside>
    </div>
  );
}
