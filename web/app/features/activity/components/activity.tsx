import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { OwnPage } from "~/components/site/own-page";
import { ButtonLink } from "~/components/ui/button";
import { TextLink } from "~/components/ui/link";
import { More } from "~/components/ui/more";
import { Price } from "~/components/ui/price";
import { DidNotLoad, EmptyState, Skeleton } from "~/components/ui/states";
import { Transaction } from "~/features/config/components/transaction";
import { currencyName } from "~/lib/currencies";
import { short } from "~/lib/format";
import { has } from "~/lib/has";
import { paths } from "~/lib/paths";
import { timeOfDay, weekday } from "~/lib/time";
import { activityQuery, type Entry } from "../queries";

/** The text of each type of entry. */
const texts: Record<Entry["type"], string> = {
  purchase: "Bought",
  sale: "Sold",
  listing: "Put up for sale",
  unlisting: "Taken off the market",
  opening: "Opened",
  burn: "Burned",
  reward: "Received",
  withdrawal: "Sent",
  login: "Signed in",
};

/** The mark of each type of entry: in, out, up, down, broken, given, arrived. */
const marks: Record<Entry["type"], string> = {
  purchase: "M10 3v11m-4-4 4 4 4-4M4 17h12",
  sale: "M10 14V3M6 7l4-4 4 4M4 17h12",
  listing: "M4 16V5l6-2 6 2v11M4 9h12M8 16v-4h4v4",
  unlisting: "M4 16V5l6-2 6 2v11M4 9h12M7 12l6 4m0-4-6 4",
  opening: "M4 9h12v7H4zM4 9l3-5m9 5-3-5M10 9v3",
  burn: "M10 17c-3 0-5-2-5-5 0-4 4-4 4-9 4 2 6 6 6 9s-2 5-5 5Zm0 0c-1-2 0-4 1-5",
  reward: "M4 9h12v8H4zM10 9v8M4 9V7h12v2M10 7c-4 0-4-4-2-4s2 4 2 4 0-4 2-4 2 4-2 4",
  withdrawal: "M3 10h11m-4-4 4 4-4 4M17 4v12",
  login: "M8 4h8v13H8M3 10h9m-3-3 3 3-3 3",
};

/** What an entry concerns, as text. */
function Subject({ entry: { item, quantity, code, price, type } }: { entry: Entry }): ReactNode {
  if (code) return `${Number(quantity).toLocaleString("en")} ${currencyName(code, Number(quantity))}`;
  if (!item) return (type === "reward" || type === "withdrawal") && price ? <Price value={price.amount} currency={price.currency} /> : null;
  const name = item.metadata.name || `Token ${short(item.tokenId)}`;
  return (
    <>
      {quantity && quantity !== "1" && `${Number(quantity).toLocaleString("en")} × `}
      <Link
        to={paths.item(item.contract, item.tokenId)}
        className="underline decoration-bronze-dim underline-offset-4 hover:decoration-ember"
      >
        {name}
      </Link>
    </>
  );
}

function Line({ entry }: { entry: Entry }) {
  const { type, at, price, item, to, txHash, orderId } = entry;
  return (
    <li
      className={
        "grid grid-cols-[2.25rem_1fr_auto] items-baseline gap-x-3 border-t border-line py-3.5 " +
        "sm:grid-cols-[2.25rem_4rem_1fr_auto] sm:gap-x-5"
      }
    >
      <svg
        viewBox="0 0 20 20"
        width="22"
        height="22"
        fill="none"
        stroke="var(--color-bronze)"
        strokeWidth="1.4"
        aria-hidden="true"
        className="self-center"
      >
        <path d={marks[type]} />
      </svg>
      <time dateTime={at} className="figures text-bone-muted max-sm:order-last max-sm:col-span-2 max-sm:col-start-2 max-sm:text-sm">
        {timeOfDay(at)}
      </time>
      <p className="min-w-0 break-words">
        <span className="text-bone-muted">{texts[type]}</span> <Subject entry={entry} />
        {to && <span className="text-bone-muted"> to {short(to)}</span>}
        {txHash && (
          <span className="block text-sm text-bone-muted lg:ml-3 lg:inline">
            <Transaction txHash={txHash} contract={item?.contract} className="-my-2.5" />
          </span>
        )}
        {orderId && (
          <TextLink
            to={paths.receipt(orderId)}
            aria-label={`Receipt: ${item?.metadata.name ?? "this purchase"}`}
            className="-my-2.5 inline-flex min-h-11 items-center text-sm lg:ml-3"
          >
            Receipt
          </TextLink>
        )}
      </p>
      <span className="text-right">
        {price && item && (
          <>
            <Price value={price.amount} currency={price.currency} className="font-bold" />
            {type === "listing" && <span className="text-sm text-bone-muted"> each</span>}
          </>
        )}
      </span>
    </li>
  );
}

/** Groups consecutive entries by day. */
function byDay(entries: Entry[]): [day: string, entries: Entry[]][] {
  const days: [string, Entry[]][] = [];
  for (const entry of entries) {
    const day = weekday(entry.at);
    const last = days.at(-1);
    if (last?.[0] === day) last[1].push(entry);
    else days.push([day, [entry]]);
  }
  return days;
}

function Book() {
  const query = useInfiniteQuery(activityQuery);
  const { data, error, refetch } = query;
  if (!data && error) {
    return <DidNotLoad what="Your activity" error={error} onRetry={refetch} />;
  }
  if (!data) {
    return (
      <Skeleton className="bg-transparent">
        {[0, 1, 2, 3, 4, 5].map((index) => (
          <div key={index} className="border-t border-line py-3.5">
            <div className="my-1 h-4 w-2/3 rounded-sm bg-night-2 sm:w-80" />
          </div>
        ))}
      </Skeleton>
    );
  }
  const entries = data.pages.flatMap((page) => page.items);
  if (!entries.length) {
    return (
      <EmptyState title="No activity yet" action={<ButtonLink to={paths.market}>To the market</ButtonLink>}>
        What you buy, sell, open and receive is listed here by itself.
      </EmptyState>
    );
  }
  return (
    <>
      {byDay(entries).map(([day, lines]) => (
        <section key={day} className="mb-12 grid grid-cols-1 gap-x-10 lg:grid-cols-[1fr_3fr]">
          <h2 className="display mb-3 text-2xl text-bone-muted">{day}</h2>
          <ul className="border-b border-line">
            {lines.map((entry) => (
              <Line key={entry.id} entry={entry} />
            ))}
          </ul>
        </section>
      ))}
      <More query={query} className="" />
    </>
  );
}

/** The ledger of a player's account. */
export function Activity() {
  return (
    <OwnPage
      caption="All in the book"
      heading="Activity"
      lead="What you bought, sold, listed, opened and received, and when you signed in. Taken from the chain and our own records."
      aside={
        has.webstore && (
          <TextLink to={paths.webstoreOrders} className="mt-3 inline-flex min-h-11 items-center">
            Webstore orders
          </TextLink>
        )
      }
    >
      <Book />
    </OwnPage>
  );
}
