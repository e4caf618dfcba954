import type { ReactNode } from "react";
import { Skeleton } from "~/components/ui/skeleton";
import { cn } from "~/lib/cn";

export interface Column<T> {
  name: string;
  /** Whether it has numbers, which are aligned to the right. */
  number?: boolean;
  /** Whether the name is for screen readers only. */
  hidden?: boolean;
  className?: string;
  cell: (row: T) => ReactNode;
}

interface TableProps<T> {
  /** What the table lists, for screen readers. */
  caption: string;
  columns: (Column<T> | false)[];
  rows: readonly T[];
  keyOf: (row: T) => string | number;
}

/** A table, which scrolls sideways where it has not enough room. The first column names the row. */
export function Table<T>({ caption, columns, rows, keyOf }: TableProps<T>) {
  const shown = columns.filter((column) => column !== false);
  return (
    // Positioned: what is for screen readers only would otherwise widen the page.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keys
    <section tabIndex={0} aria-label={caption} className="scroll-edge relative overflow-x-auto border-y border-line">
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-line-strong">
            {shown.map((column) => (
              <th key={column.name} scope="col" className={cn(head, column.number && "text-right")}>
                <span className={cn(column.hidden && "sr-only")}>{column.name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className="border-b border-line align-top last:border-b-0 hover:bg-night-1">
              {shown.map((column, i) => {
                const look = cn("px-3 py-2 first:pl-1 last:pr-1", column.number && "text-right", column.className);
                const content = column.cell(row);
                return i === 0 ? (
                  <th key={column.name} scope="row" className={cn(look, "text-left font-normal")}>
                    {content}
                  </th>
                ) : (
                  <td key={column.name} className={look}>
                    {content}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const head = "caption whitespace-nowrap px-3 py-2 text-left text-bone-muted first:pl-1 last:pr-1";

/** The place of a table while it loads. */
export function TableSkeleton({ rows = 5 }: { rows?: number }) {
  return (
    <div className="grid gap-1.5" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <Skeleton key={i} className="h-9" />
      ))}
    </div>
  );
}
