import { useQuery } from "@tanstack/react-query";
import { FailedLine } from "~/components/ui/failed-line";
import { linkLook, TextLink } from "~/components/ui/link";
import { isRarity, RarityBadge, rarities } from "~/components/ui/rarity";
import { percent } from "~/features/packs/fairness/chance";
import { DropTables } from "~/features/packs/fairness/components/drop-tables";
import { packName } from "~/features/packs/fairness/kinds";
import { oddsQuery } from "~/features/packs/fairness/queries";
import { pityRule } from "~/features/packs/fairness/steps";
import { paths } from "~/lib/paths";

/** The table by which packs of a kind are drawn now. */
function useTable(kind: string) {
  const { data, error, refetch } = useQuery(oddsQuery);
  return { table: data?.tables.find((table) => table.kind === kind && table.inForce), known: data !== undefined, error, refetch };
}

/** The chance of each rarity, beside a pack's price. */
export function Chances({ kind }: { kind: string }) {
  const { table, known, error, refetch } = useTable(kind);
  if (!known && error) return <FailedLine onRetry={refetch}>The odds did not load.</FailedLine>;
  if (known && !table) return <p className="text-sm text-bone-muted">No odds are in force: do not buy this pack now.</p>;
  const chances = rarities.flatMap((rarity) => {
    const weight = table?.drops.filter((drop) => drop.rarity === rarity).reduce((sum, drop) => sum + drop.weight, 0);
    return weight === 0 ? [] : [{ rarity, chance: weight && table ? percent(weight / table.total) : "" }];
  });
  return (
    <dl className="figures text-sm" aria-busy={!known}>
      {chances.map(({ rarity, chance }) => (
        <div key={rarity} className="flex min-h-[1.75rem] items-center justify-between gap-x-2 border-b border-line">
          <dt className="flex">{isRarity(rarity) && <RarityBadge rarity={rarity} />}</dt>
          <dd>{chance}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What the packs of a kind can hold: every drop with its chance. `drawn` is what decides which version counts. */
export function PackOdds({ kind, drawn }: { kind: string; drawn: "paid" | "opened" }) {
  const { table, known, error, refetch } = useTable(kind);
  return (
    <details className="border-t border-line">
      <summary className="flex min-h-12 cursor-pointer items-center gap-3">
        <span className={linkLook}>{packName(kind)}: all odds</span>
      </summary>
      <div className="pb-10 pt-2">
        {table ? (
          <>
            <p className="mb-8 max-w-[44rem]">
              Version {table.version} of the table. {table.pity ? pityRule(table.pity) : "Every pack is drawn by these chances alone: there is no pity rule."}{" "}
              {drawn === "paid" ? "What is in force at the time of your payment counts." : "What is in force when you open the pack counts."}
            </p>
            <DropTables table={table} />
          </>
        ) : !known && error ? (
          <FailedLine onRetry={refetch}>The odds did not load.</FailedLine>
        ) : (
          <p className="min-h-96 text-bone-muted">{known ? "No table is in force: packs of this kind cannot be drawn now." : "Loading…"}</p>
        )}
        <TextLink to={paths.odds} className="mt-6 inline-flex min-h-11 items-center">
          All versions, and what was really drawn
        </TextLink>
      </div>
    </details>
  );
}
