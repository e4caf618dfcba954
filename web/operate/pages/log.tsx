import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { Button } from "~/components/ui/button";
import { FailedLine } from "~/components/ui/failed-line";
import { Field, inputLook, Labelled } from "~/components/ui/field";
import { cn } from "~/lib/cn";
import { useSearchParams } from "~/lib/navigation";
import { call, withQuery } from "../api";
import type { EventPage } from "../types";
import { Events } from "../ui/lists";
import { Page } from "../ui/page";
import { Read } from "../ui/read";

const kinds = ["player", "visitor", "operator", "portal"];

interface Filter {
  player: string;
  event: string;
  /** Who did it; only without the others. */
  kind: string;
}

/** The filter of an address or a form. */
function filterOf(value: (name: keyof Filter) => unknown): Filter {
  const [player = "", event = "", kind = ""] = (["player", "event", "kind"] as const).map((name) => String(value(name) ?? "").trim());
  return { player, event, kind: player || event ? "" : kind };
}

/** The security log, the newest first. Its filter is in the address. */
export function Log() {
  const [query, setQuery] = useSearchParams();
  const filter = filterOf((name) => query.get(name));
  const path = withQuery("log", { ...filter });
  const events = useInfiniteQuery({
    queryKey: [path],
    queryFn: ({ pageParam, signal }) => call<EventPage>(withQuery("log", { ...filter, cursor: pageParam }), { signal }),
    initialPageParam: "",
    getNextPageParam: (last) => last.nextCursor || undefined,
  });
  return (
    <Page heading="Log">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {/* A new key resets the form to the filter in the address. */}
        <Filters
          key={path}
          filter={filter}
          onFilter={(next) => setQuery(Object.fromEntries(Object.entries(next).filter(([, value]) => value)))}
        />
        <Read query={events} what="The log" rows={10}>
          {({ pages }) => <Events events={pages.flatMap((page) => page.items)} />}
        </Read>
        <More {...events} />
      </div>
    </Page>
  );
}

interface FiltersProps {
  filter: Filter;
  onFilter: (filter: Filter) => void;
}

const none: Filter = { player: "", event: "", kind: "" };

function Filters({ filter, onFilter }: FiltersProps) {
  const [now, setNow] = useState(filter);
  const help = useId();
  const read = (form: HTMLFormElement) => {
    const data = new FormData(form);
    return filterOf((name) => data.get(name));
  };
  return (
    <form
      aria-label="Filters"
      className="grid items-end gap-x-4 gap-y-3 sm:grid-cols-2 lg:grid-cols-[1fr_1fr_10rem_auto]"
      onInput={(event) => setNow(read(event.currentTarget))}
      onSubmit={(event) => {
        event.preventDefault();
        onFilter(read(event.currentTarget));
      }}
    >
      <Field label="Player’s id" name="player" defaultValue={filter.player} autoComplete="off" spellCheck={false} />
      <Field label="Event" name="event" defaultValue={filter.event} autoComplete="off" spellCheck={false} placeholder="session.opened" />
      <Labelled label="By">
        {(ties) => (
          <select
            {...ties}
            aria-describedby={help}
            name="kind"
            defaultValue={filter.kind}
            disabled={Boolean(now.player || now.event)}
            className={cn(inputLook, "h-12 disabled:opacity-50")}
          >
            <option value="">Anybody</option>
            {kinds.map((kind) => (
              <option key={kind} value={kind}>
                {kind}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      <div className="flex gap-2">
        <Button type="submit" kind="quiet">
          Filter
        </Button>
        {Object.values(filter).some(Boolean) && (
          <Button kind="bare" onClick={() => onFilter(none)}>
            Clear
          </Button>
        )}
      </div>
      <p id={help} className="col-span-full text-sm text-bone-muted">
        Who did it can be chosen if neither a player nor an event is given.
      </p>
    </form>
  );
}

interface MoreProps {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => unknown;
}

function More({ hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage }: MoreProps): ReactNode {
  if (!hasNextPage) return null;
  if (isFetchNextPageError) return <FailedLine onRetry={fetchNextPage}>The rest did not load.</FailedLine>;
  return (
    <Button kind="quiet" size="small" busy={isFetchingNextPage} className="justify-self-start" onClick={() => void fetchNextPage()}>
      Load more
    </Button>
  );
}
