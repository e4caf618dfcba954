import { amount, fromBaseUnits } from "~/lib/format";
import { ActButton } from "../act-dialog";
import { raiseGas } from "../acts";
import { useRead } from "../query";
import { useMay } from "../session";
import type { GasBudgets } from "../types";
import { Nothing, Page } from "../ui/page";
import { Read } from "../ui/read";
import { Table } from "../ui/table";

/** An amount in wei in the chain's currency. */
const Wei = ({ wei }: { wei: string }) => <span className="whitespace-nowrap">{amount(fromBaseUnits(wei, 18))}</span>;

/** What the portal pays for players' gas today. */
export function Gas() {
  const query = useRead<GasBudgets>("gas", { every: 60_000 });
  const may = useMay();
  return (
    <Page heading="Gas">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <p className="text-sm text-bone-muted">
          What the portal pays for players today, in the currency of the chain. A day ends at 00:00 UTC.
        </p>
        <Read query={query} what="The budgets" rows={2}>
          {({ items }) =>
            items.length === 0 ? (
              <Nothing>The portal pays on no chain.</Nothing>
            ) : (
              <Table
                caption="Budgets of today"
                rows={items}
                keyOf={({ chainId }) => chainId}
                columns={[
                  {
                    name: "Chain",
                    className: "w-full min-w-24",
                    cell: ({ chain, chainId }) => (
                      <>
                        {chain ?? "No setting names it"} <span className="text-bone-muted">{chainId}</span>
                      </>
                    ),
                  },
                  { name: "Day", className: "whitespace-nowrap", cell: (budget) => budget.day.slice(0, 10) },
                  { name: "Budget", number: true, cell: ({ limits }) => limits && <Wei wei={limits.budget} /> },
                  { name: "Raised by", number: true, cell: ({ raised }) => <Wei wei={raised} /> },
                  { name: "Spent", number: true, cell: ({ spent }) => <Wei wei={spent} /> },
                  { name: "On newcomers", number: true, cell: ({ newcomers }) => <Wei wei={newcomers} /> },
                  { name: "Left", number: true, cell: ({ limits }) => limits && <Wei wei={limits.left} /> },
                  { name: "Operations", number: true, cell: ({ operations }) => operations },
                  { name: "Operations left", number: true, cell: ({ limits }) => limits?.operationsLeft },
                  may("gas raise") && {
                    name: "Acts",
                    hidden: true,
                    cell: ({ chain, chainId }) => chain && <ActButton act={raiseGas(chain, chainId)} />,
                  },
                ]}
              />
            )
          }
        </Read>
      </div>
    </Page>
  );
}
