import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { FailedLine } from "~/components/ui/failed-line";
import { Price } from "~/components/ui/price";
import { cn } from "~/lib/cn";
import { deferred } from "~/lib/deferred";
import { useSearchParams } from "~/lib/navigation";
import { type Range, ranges, summary, within } from "../price-history";
import { historyQuery } from "../queries";

/** The chart's height; nothing moves while it loads, or where there is none. */
const room = "h-64";

// The chart library is loaded when there is something to draw.
const Chart = deferred(() => import("./price-chart"), <div className={room} aria-busy="true" />);

/** A part of the chart's place: why there is no chart. */
function Empty({ children }: { children: string }) {
  return (
    <div className={cn(room, "grid place-items-center border border-dashed border-line px-6 text-center text-bone-muted")}>{children}</div>
  );
}

/** What a token was sold for: figures and a chart of the chosen time. */
export function PriceHistory({ contract, tokenId }: { contract: string; tokenId: string }) {
  const [query, setQuery] = useSearchParams();
  const { data, error, refetch, dataUpdatedAt } = useQuery(historyQuery(contract, tokenId));
  const asked = query.get("range");
  const range: Range = asked !== null && asked in ranges ? (asked as Range) : "all";
  const now = Math.max(dataUpdatedAt, Date.parse(data?.items.at(-1)?.time ?? "") || 0);
  const points = useMemo(() => within(data?.items ?? [], range, now), [data, range, now]);
  const figures = summary(points);
  const choose = (next: Range) =>
    setQuery(
      (before) => {
        const after = new URLSearchParams(before);
        if (next === "all") after.delete("range");
        else after.set("range", next);
        return after;
      },
      { replace: true, preventScrollReset: true },
    );
  return (
    <section aria-label="Price history">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <fieldset className="flex gap-1">
          <legend className="sr-only">Time shown</legend>
          {(Object.keys(ranges) as Range[]).map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === range}
              onClick={() => choose(one)}
              className={
                "min-h-11 rounded border border-transparent px-3 text-bone-muted hover:text-bone aria-pressed:border-ember " +
                "aria-pressed:text-bone"
              }
            >
              {ranges[one].label}
            </button>
          ))}
        </fieldset>
        {data?.more && range === "all" && <p className="text-sm text-bone-muted">The newest 1,000 sales.</p>}
      </div>
      <dl aria-live="polite" className="figures mb-4 mt-3 grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-4">
        {(
          [
            ["Lowest", figures?.lowest],
            ["Highest", figures?.highest],
            ["Last", figures?.last],
          ] as const
        ).map(([name, price]) => (
          <div key={name}>
            <dt className="caption text-[0.75rem] text-bone-muted">{name}</dt>
            <dd className="font-bold">{price === undefined ? "—" : <Price value={price} />}</dd>
          </div>
        ))}
        <div>
          <dt className="caption text-[0.75rem] text-bone-muted">Sales</dt>
          <dd className="font-bold">{data ? points.length.toLocaleString("en") : "—"}</dd>
        </div>
      </dl>
      {!data && error ? (
        <div className={room}>
          <FailedLine onRetry={refetch}>The price history did not load.</FailedLine>
        </div>
      ) : !data ? (
        <div className={room} aria-busy="true" />
      ) : points.length < 2 ? (
        <Empty>
          {data.items.length === 0
            ? "It has not been sold yet."
            : data.items.length === 1
              ? "It has been sold once. A chart needs two sales."
              : `Fewer than two sales in the last ${ranges[range].label}.`}
        </Empty>
      ) : (
        <Chart points={points} from={ranges[range].ms === undefined ? undefined : now - ranges[range].ms} to={now} className={room} />
      )}
    </section>
  );
}
