import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { linkLook } from "~/components/ui/link";
import { More } from "~/components/ui/more";
import { DidNotLoad, EmptyState, Skeleton } from "~/components/ui/states";
import { useNow } from "~/lib/clock";
import { short } from "~/lib/format";
import { zonedDateTime } from "~/lib/time";
import { useLabel, type Withdrawal, withdrawalsQuery } from "../queries";
import { canCancel, phaseOf, summary, titleOf } from "../texts";
import { CancelButton } from "./withdrawal";

/** One withdrawal in a list, with a link to the rest of it. */
export function WithdrawalLine({ withdrawal, to }: { withdrawal: Withdrawal; to: string }) {
  const now = useNow();
  const label = useLabel()(withdrawal.to) || short(withdrawal.to);
  const what = summary(withdrawal);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 border-t border-line py-4">
      <div className="min-w-0">
        <Link to={to} preventScrollReset className={`${linkLook} figures inline-flex min-h-11 items-center text-lg`}>
          {what} to {label}
        </Link>
        <p className="text-bone-muted">
          <span className="text-bone">{titleOf(withdrawal, phaseOf(withdrawal, now))}</span> · asked for{" "}
          <time dateTime={withdrawal.createdAt}>{zonedDateTime(withdrawal.createdAt)}</time>
        </p>
      </div>
      {canCancel(withdrawal) && <CancelButton withdrawal={withdrawal} label={`Cancel ${what} to ${label}`} />}
    </li>
  );
}

/** All withdrawals, newest first. `linkTo` returns the address of one. */
export function Withdrawals({ linkTo }: { linkTo: (id: string) => string }) {
  const query = useInfiniteQuery(withdrawalsQuery);
  const { data, error, refetch } = query;
  const items = data?.pages.flatMap((page) => page.items);
  return (
    <section>
      <h2 className="display mb-6 text-4xl">Withdrawals</h2>
      {!items && error && <DidNotLoad what="Your withdrawals" error={error} onRetry={refetch} />}
      {!items && !error && <Skeleton className="h-64" />}
      {items?.length === 0 && (
        <EmptyState title="Nothing was sent yet">What you ask to send is listed here, with how far it is.</EmptyState>
      )}
      {items && items.length > 0 && (
        <ul className="border-b border-line">
          {items.map((withdrawal) => (
            <WithdrawalLine key={withdrawal.withdrawalId} withdrawal={withdrawal} to={linkTo(withdrawal.withdrawalId)} />
          ))}
        </ul>
      )}
      <More query={query} />
    </section>
  );
}
