import { RarityBadge, rarities } from "~/components/ui/rarity";
import { cn } from "~/lib/cn";
import { oneIn, percent } from "../chance";

interface DropLike {
  id: string;
  name: string;
  rarity: string;
  weight: number;
  cap?: number | undefined;
  substitute?: string | undefined;
}

interface DropTablesProps {
  table: { total: number; drops: DropLike[] };
  /** The drop to mark as drawn. */
  drawn?: string;
}

/** The drops of a table with their chances: a table for each rarity, the rarest last. */
export function DropTables({ table: { total, drops }, drawn }: DropTablesProps) {
  const nameOf = (id: string | undefined) => drops.find((drop) => drop.id === id)?.name ?? "another drop";
  return (
    <div className="grid grid-cols-1 gap-x-12 gap-y-10 md:grid-cols-[repeat(auto-fit,minmax(22rem,1fr))]">
      {rarities.flatMap((rarity) => {
        const group = drops.filter((drop) => drop.rarity === rarity);
        const together = group.reduce((sum, { weight }) => sum + weight, 0) / total;
        if (group.length === 0) return [];
        return [
          <table key={rarity} className="figures w-full self-start">
            <caption className="pb-2 text-left">
              <span className="flex items-center gap-3">
                <RarityBadge rarity={rarity} />
                <span className="text-bone-muted">
                  {percent(together)} together, {oneIn(together)}
                </span>
              </span>
            </caption>
            <thead className="sr-only">
              <tr>
                <th scope="col">Drop</th>
                <th scope="col">Chance</th>
                <th scope="col">That is</th>
              </tr>
            </thead>
            <tbody>
              {group.map(({ id, name, weight, cap, substitute }) => (
                <tr key={id} className={cn("border-t border-line align-top", id === drawn && "bg-night-2")}>
                  <th scope="row" className="py-2 pr-3 text-left font-normal">
                    {name}
                    {id === drawn && <span className="caption ml-2 text-bronze">Drawn</span>}
                    {cap && (
                      <span className="block text-sm text-bone-muted">
                        {cap.toLocaleString("en")} in all, then {nameOf(substitute)}
                      </span>
                    )}
                  </th>
                  <td className="w-20 py-2 pl-2 text-right">{percent(weight / total)}</td>
                  <td className="w-24 py-2 pl-2 text-right text-bone-muted">{oneIn(weight / total)}</td>
                </tr>
              ))}
            </tbody>
          </table>,
        ];
      })}
    </div>
  );
}
