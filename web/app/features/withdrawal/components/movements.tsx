import { useInfiniteQuery } from "@tanstack/react-query";
import { Copyable } from "~/components/ui/copyable";
import { More } from "~/components/ui/more";
import { Price } from "~/components/ui/price";
import { DidNotLoad, EmptyState, Skeleton } from "~/components/ui/states";
import { Transaction } from "~/features/config/components/transaction";
import { zonedDateTime } from "~/lib/time";
import { type Movement, movementsQuery, useLabel } from "../queries";

const texts: Record<Movement["purpose"], string> = {
  purchase: "Bought on the market",
  sale: "Sold on the market",
  withdrawal: "Sent from your wallet",
  reward: "Gift or reward",
  received: "Received",
  sent: "Sent by other means",
};

function Line({ movement: { at, in: isIn, purpose, amount, symbol, other, chainId, txHash } }: { movement: Movement }) {
  const label = useLabel()(other ?? "");
  return (
    <li className="grid grid-cols-[1fr_auto] items-baseline gap-x-5 gap-y-1 border-t border-line py-3.5 lg:grid-cols-[14rem_1fr_auto]">
      <time dateTime={at} className="figures text-bone-muted max-lg:order-last max-lg:col-span-2 max-lg:text-sm">
        {zonedDateTime(at)}
      </time>
      <div className="min-w-0">
        <p>
          {texts[purpose]}
          {other && (
            <span className="text-bone-muted" title={other}>
              {" "}
              {isIn ? "from" : "to"} {label || <Copyable text={other} what="address" />}
            </span>
          )}
        </p>
        <p className="text-sm text-bone-muted">
          Transaction <Transaction chainId={chainId} txHash={txHash} />
        </p>
      </div>
      <span className="text-right text-lg font-bold">
        <span className="sr-only">{isIn ? "In:" : "Out:"}</span>
        <span aria-hidden="true">{isIn ? "+" : "−"}</span> <Price value={amount} currency={symbol} />
      </span>
    </li>
  );
}

/** What went in and out, newest first. */
export function Movements() {
  const query = useInfiniteQuery(movementsQuery);
  const { data, error, refetch } = query;
  const items = data?.pages.flatMap((page) => page.items);
  return (
    <section>
      <h2 className="display mb-6 text-4xl">In and out</h2>
      {!items && error && <DidNotLoad what="What went in and out" error={error} onRetry={refetch} />}
      {!items && !error && <Skeleton className="h-64" />}
      {items?.length === 0 && (
        <EmptyState title="Nothing has moved yet">What comes into your wallet and what leaves it is listed here.</EmptyState>
      )}
      {items && items.length > 0 && (
        <ul className="border-b border-line">
          {items.map((movement) => (
            <Line key={movement.id} movement={movement} />
          ))}
        </ul>
      )}
      <More query={query} />
    </section>
  );
}
