import { useInfiniteQuery } from "@tanstack/react-query";
import { More } from "~/components/ui/more";
import { DidNotLoad, Skeleton } from "~/components/ui/states";
import { dateTime } from "~/lib/time";
import { eventText, securityQuery } from "../security";

/** What concerned the security of the account, the newest first. */
export function Security() {
  const query = useInfiniteQuery(securityQuery);
  const { data, error, refetch } = query;
  if (!data) {
    return error ? <DidNotLoad what="What happened on your account" error={error} onRetry={refetch} /> : <Skeleton className="h-80" />;
  }
  const events = data.pages.flatMap((page) => page.items);
  if (events.length === 0) return <p className="text-bone-muted">Nothing yet.</p>;
  return (
    <>
      <ul className="border-y border-line">
        {events.map((e) => (
          <li key={e.id} className="border-b border-line py-3.5 last:border-b-0">
            <p>
              {eventText(e)}
              {e.thisSession && <span className="caption ml-3 text-bronze">This session</span>}
              {e.by === "visitor" && <span className="caption ml-3 text-bronze">Not signed in</span>}
            </p>
            {e.detail && <p className="text-sm break-words text-bone-muted">{e.detail}</p>}
            <p className="figures text-sm text-bone-muted">
              <time dateTime={e.at}>{dateTime(e.at)}</time>
            </p>
          </li>
        ))}
      </ul>
      <More query={query} />
    </>
  );
}
