import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { OwnPage } from "~/components/site/own-page";
import { ButtonLink } from "~/components/ui/button";
import { TextLink } from "~/components/ui/link";
import { Price } from "~/components/ui/price";
import { DidNotLoad, Skeleton } from "~/components/ui/states";
import { Transaction } from "~/features/config/components/transaction";
import { lastMarket } from "~/features/market/last-market";
import { onMessage } from "~/features/realtime/messages";
import { session } from "~/features/session/store";
import { add, less } from "~/lib/amount";
import { paths } from "~/lib/paths";
import { queryClient } from "~/lib/query";
import { useStore } from "~/lib/store";
import { dateTime } from "~/lib/time";
import { isBought, isOpen, type Order, ordersKey, receiptQuery } from "../queries";
import { endings } from "./order-parts";
import { Timeline } from "./order-steps";

/** The sum of the prices of the bought units. */
function paid(order: Order): string {
  return order.items.flatMap(({ price, bought }) => Array<string>(bought).fill(price)).reduce(add, "0");
}

function Lines({ order }: { order: Order }) {
  return (
    <ul className="divide-y divide-line border-y border-line">
      {order.items.map(({ listingId, assetContractAddress, tokenId, metadata, price, quantity, bought }) => (
        <li key={listingId} className="flex items-center gap-4 py-3">
          <img src={metadata?.image} alt="" width={60} height={80} className="h-20 w-15 shrink-0 rounded border border-line object-cover" />
          <div className="min-w-0 flex-1">
            <TextLink to={paths.item(assetContractAddress, tokenId)} className="inline-flex min-h-11 items-center font-bold">
              {metadata?.name ?? `Token ${tokenId}`}
            </TextLink>
            {!isOpen(order) && bought < quantity && (
              <p className="text-sm text-bone-muted">{bought ? `${bought} of ${quantity} bought` : "Not bought, and not paid"}</p>
            )}
          </div>
          <span className="figures shrink-0">
            {quantity > 1 && `${quantity} × `}
            <Price value={price} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Part({ label, children }: { label: string; children: ReactNode }) {
  return (
    <p className="flex justify-between gap-4">
      <span>{label}</span>
      <span>{children}</span>
    </p>
  );
}

interface ReceiptProps {
  orderId: string;
  /** Shown for an order that does not exist or is another player's. */
  notFound: ReactNode;
}

/** The receipt of one of the player's orders. Its link works as long as the account exists. */
export function Receipt({ orderId, notFound }: ReceiptProps) {
  const player = useStore(session, (s) => s.profile?.AccountInfo.PlayFabId ?? "");
  const { data: order, error, refetch } = useQuery(receiptQuery(player, orderId));
  useEffect(
    () =>
      onMessage("order", ({ payload }) => {
        if (payload.orderId === orderId) void queryClient.invalidateQueries({ queryKey: ordersKey });
      }),
    [orderId],
  );
  if (order === null) return notFound;
  if (!order) {
    return (
      <OwnPage heading="Receipt">
        {error ? <DidNotLoad what="The receipt" error={error} onRetry={refetch} /> : <Skeleton className="h-80" />}
      </OwnPage>
    );
  }
  const open = isOpen(order);
  return (
    <OwnPage
      heading="Receipt"
      lead={
        order.error ||
        endings[order.state]?.text ||
        (open ? "This purchase is not over yet." : "This order ended without a purchase. You were not charged.")
      }
    >
      <div className="grid grid-cols-1 gap-x-16 gap-y-10 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div>
          <Lines order={order} />
          {(open || isBought(order)) && (
            <>
              <p className="mt-5 flex items-baseline justify-between gap-4">
                <span className="caption">{open ? "To pay" : "You paid"}</span>
                <Price value={open ? order.total : paid(order)} className="display text-4xl normal-case" />
              </p>
              <div className="mt-2 grid gap-1 text-sm text-bone-muted">
                {order.received && (
                  <>
                    <Part label="Of this, to the sellers">
                      <Price value={order.received} />
                    </Part>
                    <Part label="Market fee and royalties">
                      <Price value={less(paid(order), order.received)} />
                    </Part>
                  </>
                )}
                <Part label="Network fee">0, paid by us</Part>
              </div>
            </>
          )}
          <dl className="mt-8 grid gap-3 text-sm [&_dt]:text-bone-muted">
            <div>
              <dt>Ordered</dt>
              <dd className="figures">
                <time dateTime={order.createdAt}>{dateTime(order.createdAt)}</time>
              </dd>
            </div>
            <div>
              <dt>Order</dt>
              <dd className="figures select-all break-all">{order.orderId}</dd>
            </div>
            {order.txHash && (
              <div>
                <dt>Transaction</dt>
                <dd>
                  <Transaction txHash={order.txHash} />
                </dd>
              </div>
            )}
          </dl>
        </div>
        {(open || isBought(order)) && <Timeline order={order} />}
      </div>
      <p className="mt-10 flex flex-wrap gap-4">
        {open && <ButtonLink to={paths.checkout}>To the checkout</ButtonLink>}
        <ButtonLink to={paths.inventory} kind="quiet">
          See what I own
        </ButtonLink>
        <ButtonLink to={lastMarket()} kind="quiet">
          Continue shopping
        </ButtonLink>
      </p>
    </OwnPage>
  );
}
