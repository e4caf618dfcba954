import { linkLook } from "~/components/ui/link";
import type { Table } from "../../verify";
import type { Step } from "../steps";
import { DropTables } from "./drop-tables";
import { Facts } from "./facts";

interface StepsProps {
  steps: Step[];
  /** Whether the table is the published one of its edition, in words; undefined if that is not known. */
  published: string | undefined;
  /** The receipt's table, and the drop that was drawn from it. */
  table: Table;
  drop: string;
}

/** The steps of a draw, with their values. */
export function Steps({ steps, published, table, drop }: StepsProps) {
  return (
    <ol className="mt-8">
      {steps.map(({ id, title, text, warning, facts }, index) => (
        <li key={id} className="grid grid-cols-1 gap-x-14 gap-y-4 border-t border-line py-8 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
          <div className="min-w-0">
            <h3 className="display flex gap-4 text-2xl">
              <span className="figures text-bronze">{index + 1}</span>
              {title}
            </h3>
            <p className="mt-3 max-w-[32rem] break-words">{text}</p>
            {warning && (
              <p role="note" className="mt-4 max-w-[32rem] border-l-2 border-ember pl-4">
                {warning}
              </p>
            )}
          </div>
          <div className="min-w-0">
            <Facts facts={id === "table" && published ? [...facts, { name: "Published", value: published }] : facts} />
            {id === "table" && (
              <details className="mt-6">
                <summary className={`min-h-11 cursor-pointer py-2.5 ${linkLook}`}>What could be drawn by it</summary>
                <div className="mt-4">
                  <DropTables table={table} drawn={drop} />
                </div>
              </details>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}
