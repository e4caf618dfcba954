import { ExternalLink, linkLook } from "~/components/ui/link";
import type { Table } from "../../verify";
import type { Fact, Step } from "../steps";
import { DropTables } from "./drop-tables";

interface StepsProps {
  steps: Step[];
  /** The transaction's page in a block explorer, if there is one. */
  explorer?: string | undefined;
  /** Whether the table is among the announced ones, in words; undefined if that is not known. */
  announced: string | undefined;
  /** The receipt's table, and the drop that was drawn from it. */
  table: Table;
  drop: string;
}

/** The steps of a draw, with their values. */
export function Steps({ steps, explorer, announced, table, drop }: StepsProps) {
  return (
    <ol className="mt-8">
      {steps.map(({ id, title, text, warning, facts }, index) => (
        <li key={id} className="grid grid-cols-1 gap-x-14 gap-y-4 border-t border-line py-8 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
          <div>
            <h3 className="display flex gap-4 text-2xl">
              <span className="figures text-bronze">{index + 1}</span>
              {title}
            </h3>
            <p className="mt-3 max-w-[32rem]">{text}</p>
            {warning && (
              <p role="note" className="mt-4 max-w-[32rem] border-l-2 border-ember pl-4">
                {warning}
              </p>
            )}
          </div>
          <div className="min-w-0">
            <dl className="grid gap-x-6 sm:gap-y-2 sm:grid-cols-[13rem_minmax(0,1fr)]">
              {facts.map((fact) => (
                <FactLine key={`${fact.name} ${fact.value}`} {...fact} explorer={fact.name === "Transaction" ? explorer : undefined} />
              ))}
              {id === "table" && announced && <FactLine name="Announced" value={announced} explorer={undefined} />}
            </dl>
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

function FactLine({ name, value, code, explorer }: Fact & { explorer: string | undefined }) {
  const text = code ? <code className="break-all text-sm">{value}</code> : value;
  return (
    <>
      <dt className="text-bone-muted">{name}</dt>
      <dd className="figures min-w-0 max-sm:mb-2">
        {explorer ? (
          <ExternalLink href={explorer} className={linkLook}>
            {text}
          </ExternalLink>
        ) : (
          text
        )}
      </dd>
    </>
  );
}
