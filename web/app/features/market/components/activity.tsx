import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { More } from "~/components/ui/more";
import { Price } from "~/components/ui/price";
import { DidNotLoad, Skeleton } from "~/components/ui/states";
import { Transaction } from "~/features/config/components/transaction";
import { dateTime } from "~/lib/time";
import { activityQuery, type ItemEvent, type Names } from "../queries";
import { Who } from "./who";

const titles: Record<ItemEvent["kind"], string> = {
  listed: "Listed",
  repriced: "Price changed",
  changed: "Listing changed",
  cancelled: "Listing cancelled",
  sold: "Sold",
  minted: "Minted",
  transferred: "Transferred",
  burned: "Burned",
};

const colours: Partial<Record<ItemEvent["kind"], string>> = { sold: "text-good", burned: "text-bad", cancelled: "text-bone-muted" };

/** How much, and for what price. */
function Terms({ event: { price, before, quantity } }: { event: ItemEvent }) {
  return (
    <span className="figures">
      {before && (
        <>
          <s className="text-bone-muted">
            <span className="sr-only">from </span>
            <Price value={before} />
          </s>{" "}
          <span className="sr-only">to </span>
        </>
      )}
      {price && <Price value={price} className="font-bold" />}
      {quantity && quantity !== "1" && <span className="text-bone-muted"> × {BigInt(quantity).toLocaleString("en")}</span>}
    </span>
  );
}

function Parties({ event: { from, to }, names }: { event: ItemEvent; names: Names }) {
  const who = (word: string, address: string | undefined): ReactNode =>
    address && (
      <span className="inline-flex min-w-0 items-center gap-1.5">
        {word} <Who address={address} names={names} />
      </span>
    );
  return (
    <span className="flex min-w-0 flex-wrap gap-x-3 text-bone-muted">
      {who(from && to ? "from" : "by", from)}
      {who("to", to)}
    </span>
  );
}

/** What happened to an item, newest first. */
export function Activity({ contract, tokenId }: { contract: string; tokenId: string }) {
  const query = useInfiniteQuery(activityQuery(contract, tokenId));
  const { data, error, refetch } = query;
  if (!data && error) return <DidNotLoad what="The activity" error={error} onRetry={refetch} />;
  if (!data) return <Skeleton className="h-96" />;
  const seen = new Set<string>();
  // While a page was loaded, another event may have moved all others down by one.
  const events = data.pages
    .flatMap((page) => page.items.map((event) => ({ event, names: page.names })))
    .filter(({ event }) => !seen.has(event.id) && seen.add(event.id));
  if (!events.length) return <p className="text-bone-muted">Nothing has happened to it yet.</p>;
  return (
    <>
      <ol aria-label="Activity" className="border-t border-line">
        {events.map(({ event, names }) => (
          <li key={event.id} className="grid grid-cols-[1fr_auto] gap-x-4 border-b border-line py-2.5">
            <span className="flex flex-wrap items-baseline gap-x-3">
              <span className={`font-bold ${colours[event.kind] ?? ""}`}>{titles[event.kind]}</span>
              <Terms event={event} />
            </span>
            <time dateTime={event.time} className="figures text-right text-sm text-bone-muted">
              {dateTime(event.time)}
            </time>
            <Parties event={event} names={names} />
            <Transaction txHash={event.txHash} contract={contract} className="-my-2.5 justify-self-end text-sm" />
          </li>
        ))}
      </ol>
      <More query={query} />
    </>
  );
}
