import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ButtonLink } from "~/components/ui/button";
import { FailedLine } from "~/components/ui/failed-line";
import { TextLink } from "~/components/ui/link";
import { Spinner } from "~/components/ui/spinner";
import { DidNotLoad, EmptyState, Skeleton } from "~/components/ui/states";
import { choseNonce, nonceOf } from "~/features/packs/nonces";
import { isSealed } from "~/features/packs/openings";
import type { Reward } from "~/features/reward/queries";
import { ApiError } from "~/lib/api/problem";
import { cn } from "~/lib/cn";
import { deferred } from "~/lib/deferred";
import { paths } from "~/lib/paths";
import { type HandOff, handOffQuery, isSettled, type Order } from "../queries";
import { isRefunded, sceneHeight } from "../texts";
import { OrderCard } from "./order-card";

/** Loaded for orders with packs only. */
const Openings = deferred(() => import("./openings"), <Skeleton className={cn("mt-4", sceneHeight)} />);

/** After how long the page says that the player need not wait, in milliseconds. */
export const patience = 30_000;

const isUnknown = (error: unknown) => error instanceof ApiError && [400, 404, 422].includes(error.status);

/** Waits for the shop to confirm the payment. */
function Waiting({ handOff: { name } }: { handOff: HandOff }) {
  const [isLate, setLate] = useState(false);
  // From the time at which the player is here: how long they were in the shop says nothing.
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patience);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <h1 className="display text-[clamp(3.5rem,8vw,7rem)]">Your order</h1>
      {name && <p className="mt-4 text-lg">{name}</p>}
      <div className="mt-10 flex gap-5 border-l-2 border-bronze bg-night-1 px-6 py-6">
        <span className="mt-0.5 shrink-0">
          <Spinner color="var(--color-ember)" size={24} />
        </span>
        <div role="status" className="grid min-h-32 content-start gap-3 sm:min-h-24">
          <p className="text-lg">Waiting for the shop to confirm your payment. This usually takes a few seconds.</p>
          {isLate && (
            <p className="text-bone-muted">
              The shop has not confirmed it yet. You can close this page: what you paid for arrives by itself.
            </p>
          )}
        </div>
      </div>
      <p className="mt-6 max-w-[36rem] text-bone-muted">
        If you have ordered and not paid yet, pay in the shop: this page updates automatically. If you changed your mind, you need not do
        anything.
      </p>
    </>
  );
}

/** How far the order is. It is also read aloud. */
function progressOf(order: Order, settled: boolean): string {
  if (isRefunded(order)) return "The shop has paid you back.";
  if (!settled) return "Paid. What you bought is on its way.";
  if (order.rewards.length && order.rewards.every(({ state }) => state === "done")) return "All of it is yours.";
  return "This order is closed. See below what became of each part.";
}

/** The packs of an order that are drawn or will be; none of an order that was paid back. */
const packsOf = (order: Order | undefined): Reward[] =>
  !order || isRefunded(order)
    ? []
    : order.rewards.filter(({ opening, state }) => opening && state !== "cancelled" && (state !== "failed" || opening.drop));

/**
 * Which packs of the order the player has not seen yet: all that were drawn while the page was open, until their cards
 * are shown. What was drawn before is not new to the player, who has been here before or comes from the list of orders.
 */
function useVeil(handOff: HandOff | undefined, packs: Reward[]) {
  const [isNew, setNew] = useState(false);
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set());
  if (!isNew && handOff && (!handOff.order || packs.some(isSealed))) setNew(true);
  return {
    isVeiled: ({ id }: Reward) => isNew && !shown.has(id) && packs.some((pack) => pack.id === id),
    show: (some: Reward[]) => setShown((before) => new Set([...before, ...some.map(({ id }) => id)])),
  };
}

/** The number that this browser has chosen for the draws of the order's packs, and whether they have it. */
function Chosen({ id, packs }: { id: string; packs: Reward[] }) {
  const nonce = nonceOf(id);
  if (!nonce || !packs.length) return null;
  const found = packs.some(({ opening }) => opening?.nonce && choseNonce(opening.nonce));
  return (
    <div role="note" className={cn("mt-8 grid gap-2 border-l-2 bg-night-1 px-6 py-5", found ? "border-line-strong" : "border-bad")}>
      <p>
        Your browser chose this number before the order existed: <code className="break-all text-sm">{nonce}</code>
      </p>
      {found ? (
        <p className="text-bone-muted">The draws of your packs depend on it. Each receipt has it among “A pack was paid for”.</p>
      ) : (
        <p>
          The draws of this order have another number. If you went to the shop again, in another browser, the number that was chosen last
          counts. Otherwise please <TextLink to={paths.support}>write to support</TextLink>.
        </p>
      )}
    </div>
  );
}

/** The order for which the player went to the shop: awaited, and then with what it gives. */
export function OrderPage({ id }: { id: string }) {
  const { data: handOff, error, refetch } = useQuery(handOffQuery(id));
  const packs = packsOf(handOff?.order);
  const { isVeiled, show } = useVeil(handOff, packs);
  if (!handOff && isUnknown(error)) {
    return (
      <div className="mx-auto min-h-[80svh] max-w-3xl px-4 py-14">
        <h1 className="sr-only">Order not found</h1>
        <EmptyState title="There is no such order" action={<ButtonLink to={paths.webstoreOrders}>Your orders</ButtonLink>}>
          The address is wrong, or it is the order of another player.
        </EmptyState>
      </div>
    );
  }
  const order = handOff?.order;
  return (
    <div className="mx-auto min-h-[90svh] max-w-4xl px-4 pb-16 pt-10 sm:px-8 lg:pt-16">
      {!handOff ? (
        <>
          <h1 className="display mb-10 text-[clamp(3.5rem,8vw,7rem)]">Your order</h1>
          {error ? <DidNotLoad what="Your order" error={error} onRetry={refetch} /> : <Skeleton className="h-48" />}
        </>
      ) : order ? (
        <>
          <p role="status" className="mb-3 text-lg text-bronze">
            {progressOf(order, isSettled(handOff))}
          </p>
          <OrderCard order={order} heading="h1" isVeiled={isVeiled}>
            {packs.length > 0 && <Openings packs={packs} isVeiled={isVeiled} onShown={show} />}
          </OrderCard>
          <Chosen id={id} packs={packs} />
        </>
      ) : (
        <Waiting handOff={handOff} />
      )}
      {handOff && error && (
        <div className="mt-6">
          <FailedLine onRetry={refetch}>The server does not answer. The page tries again by itself.</FailedLine>
        </div>
      )}
      <p className="mt-10 flex flex-wrap gap-x-8">
        {order?.rewards.some(({ state }) => state === "done") && (
          <TextLink to={paths.inventory} className="inline-flex min-h-11 items-center">
            What you own
          </TextLink>
        )}
        <TextLink to={paths.webstoreOrders} className="inline-flex min-h-11 items-center">
          Your orders
        </TextLink>
        <TextLink to={paths.webstore} className="inline-flex min-h-11 items-center">
          Back to the webstore
        </TextLink>
      </p>
    </div>
  );
}
