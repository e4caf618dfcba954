import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Button } from "~/components/ui/button";
import { ExternalLink, linkLook } from "~/components/ui/link";
import { Price } from "~/components/ui/price";
import { DidNotLoad, EmptyState, Skeleton } from "~/components/ui/states";
import { configQuery } from "~/features/config/config";
import { short } from "~/lib/format";
import { type Movement, movementsQuery, useLabel } from "../queries";
import { moment } from "../words";

const words: Record<Movement["purpose"], string> = {
  purchase: "Bought on the market",
  sale: "Sold on the market",
  withdrawal: "Sent from your wallet",
  reward: "Gift or reward",
  received: "Received",
  sent: "Sent by other means",
};

/** A transaction, with a link where the chain has an explorer. */
export function Transaction({ chainId, txHash }: { chainId: number; txHash: string }) {
  const { data: config } = useQuery(configQuery);
  const explorer = [config?.gameChain, config?.mainChain].find((chain) => chain?.id === chainId)?.explorerUrl;
  if (!explorer) {
    return (
      <span title={txHash} className="figures">
        Transaction {short(txHash)}
      </span>
    );
  }
  return (
    <ExternalLink href={`${explorer}/tx/${txHash}`} className={`${linkLook} figures inline-flex min-h-11 items-center`}>
      Transaction {short(txHash)}
    </ExternalLink>
  );
}

function Line({ movement: { at, in: isIn, purpose, amount, symbol, other, chainId, txHash } }: { movement: Movement }) {
  const label = useLabel()(other ?? "");
  return (
    <li className="grid grid-cols-[1fr_auto] items-baseline gap-x-5 gap-y-1 border-t border-line py-3.5 lg:grid-cols-[14rem_1fr_auto]">
      <time dateTime={at} className="figures text-bone-muted max-lg:order-last max-lg:col-span-2 max-lg:text-sm">
        {moment(at)}
      </time>
      <div className="min-w-0">
        <p>
          {words[purpose]}
          {other && (
            <span className="text-bone-muted" title={other}>
              {" "}
              {isIn ? "from" : "to"} {label || short(other)}
            </span>
          )}
        </p>
        <p className="text-sm text-bone-muted">
          <Transaction chainId={chainId} txHash={txHash} />
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
  const { data, error, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, refetch } = useInfiniteQuery(movementsQuery);
  const items = data?.pages.flatMap((page) => page.items);
  return (
    <section>
      <h2 className="display mb-6 text-4xl">In and out</h2>
      {!items && error && <DidNotLoad what="What went in and out" error={error} onRetry={refetch} />}
      {!items && !error && <Skeleton className="h-64" />}
      {items?.length === 0 && <EmptyState title="Nothing has moved yet">What comes into your wallet and what leaves it is listed here.</EmptyState>}
      {items && items.length > 0 && (
        <ul className="border-b border-line">
          {items.map((movement) => (
            <Line key={movement.id} movement={movement} />
          ))}
        </ul>
      )}
      {isFetchNextPageError && (
        <div className="mt-6">
          <DidNotLoad what="Earlier entries" error={error} onRetry={fetchNextPage} />
        </div>
      )}
      {hasNextPage && !isFetchNextPageError && (
        <Button kind="quiet" className="mt-6" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Load more
        </Button>
      )}
    </section>
  );
}
