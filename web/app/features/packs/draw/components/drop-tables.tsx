import { linkLook } from "~/components/ui/link";
import { RarityBadge, rarities } from "~/components/ui/rarity";
import { collectionName } from "~/features/market/collections";
import { cn } from "~/lib/cn";
import { type Cap, capsOf, leftText } from "../../items";
import { oneIn, percent } from "../chance";
import type { Column, Shares } from "../shares";
import { itemName } from "../steps";

interface VariantLike {
  id: string;
  name: string;
  rarity: string;
  weight: number;
}

interface PartLike {
  collection?: string;
  token?: string;
  amount: number;
  total?: number;
  variants?: VariantLike[] | null;
}

interface DropLike {
  id: string;
  name: string;
  rarity: string;
  weight: number;
  gives: PartLike[];
  substitute?: string;
}

interface DropTablesProps {
  table: { total: number; drops: DropLike[]; caps?: Cap[] | null };
  /** The shares to show beside the base odds, of each drop. */
  columns?: Column[];
  results?: (Shares & { id: string })[];
  /** The drop to mark as drawn. */
  drawn?: string;
}

const headLook = "caption pb-1 text-bone-muted";

/** A share in its cell, as a percentage and as one in how many. */
function Share({ of, strong = false }: { of: number; strong?: boolean }) {
  return (
    <td className={cn("w-[4.75rem] py-2 pl-2 text-right", strong && "font-bold")}>
      {percent(of)}
      <span className="block text-sm font-normal text-bone-muted">{oneIn(of)}</span>
    </td>
  );
}

/** The drops of a table with their chances: a table for each rarity, the rarest last. */
export function DropTables({ table: { total, drops, caps }, columns = [], results = [], drawn }: DropTablesProps) {
  const nameOf = (id: string | undefined) => drops.find((drop) => drop.id === id)?.name ?? "another drop";
  const shareOf = (id: string, column: Column) => results.find((result) => result.id === id)?.[column.of] ?? 0;
  return (
    <div className="grid grid-cols-1 gap-x-12 gap-y-10 md:grid-cols-[repeat(auto-fit,minmax(24rem,1fr))]">
      {rarities.flatMap((rarity) => {
        const group = drops.filter((drop) => drop.rarity === rarity);
        if (group.length === 0) return [];
        const sumOf = (of: (drop: DropLike) => number) => group.reduce((sum, drop) => sum + of(drop), 0);
        return [
          <table key={rarity} className="figures w-full self-start">
            <caption className="pb-2 text-left">
              <RarityBadge rarity={rarity} />
            </caption>
            <thead className={columns.length ? "" : "sr-only"}>
              <tr>
                <th scope="col" className={cn(headLook, "text-left")}>
                  Drop
                </th>
                <th scope="col" className={cn(headLook, "pl-2 text-right")}>
                  {columns.length ? "Base" : "Chance"}
                </th>
                {columns.map(({ of, name }) => (
                  <th key={of} scope="col" className={cn(headLook, "pl-2 text-right")}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            {group.map((drop) => (
              <tbody key={drop.id} className={cn("border-t border-line align-top", drop.id === drawn && "bg-night-2")}>
                <tr>
                  <th scope="row" className="py-2 pr-2 text-left font-normal break-words">
                    {drop.name}
                    {drop.id === drawn && <span className="caption ml-2 text-bronze">Drawn</span>}
                    <Limits caps={capsOf(drop, caps)} substitute={nameOf(drop.substitute)} />
                  </th>
                  <Share of={drop.weight / total} />
                  {columns.map((column) => (
                    <Share key={column.of} of={shareOf(drop.id, column)} strong={column.of === "now"} />
                  ))}
                </tr>
                {drop.gives.some(({ variants }) => variants) && (
                  <tr>
                    <td colSpan={2 + columns.length} className="pb-3">
                      <SecondDraws drop={drop} />
                    </td>
                  </tr>
                )}
              </tbody>
            ))}
            {group.length > 1 && (
              <tfoot className="border-t border-line-strong align-top text-bone-muted">
                <tr>
                  <th scope="row" className="py-2 pr-2 text-left font-normal">
                    Together
                  </th>
                  <Share of={sumOf(({ weight }) => weight) / total} />
                  {columns.map((column) => (
                    <Share key={column.of} of={sumOf(({ id }) => shareOf(id, column))} />
                  ))}
                </tr>
              </tfoot>
            )}
          </table>,
        ];
      })}
    </div>
  );
}

/** How many of a drop there are, and what comes in its place. */
function Limits({ caps, substitute }: { caps: Cap[]; substitute: string }) {
  return caps.map((cap) => (
    <span key={cap.item} className="block text-sm text-bone-muted">
      {caps.length > 1 && `${itemName(cap.item, { collection: collectionName })}: `}
      {leftText(cap)}, then {substitute}
    </span>
  ));
}

/** What is drawn after a drop with new tokens: which one each of them is. */
function SecondDraws({ drop: { name, gives } }: { drop: DropLike }) {
  const parts = gives.flatMap(({ collection = "", variants, total = 0 }) => (variants ? [{ collection, variants, total }] : []));
  return (
    <details>
      <summary className="min-h-11 cursor-pointer py-2.5">
        <span className={linkLook}>
          Which one: {parts.length > 1 ? `${parts.length} more draws` : "a second draw"}
          <span className="sr-only"> of {name}</span>
        </span>
      </summary>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and may have the same entry twice
        <div key={index} className="mb-3 border-l-2 border-bronze-dim bg-night-1 pb-1">
          <Variants {...part} title={parts.length > 1 ? `Draw ${index + 1} of ${parts.length}` : ""} />
        </div>
      ))}
    </details>
  );
}

interface VariantsProps {
  title: string;
  collection: string;
  variants: VariantLike[];
  total: number;
}

/** The odds of a second draw: first of each rarity, then of each token it can be. */
function Variants({ title, collection, variants, total }: VariantsProps) {
  const groups = rarities.flatMap((rarity) => {
    const group = variants.filter((variant) => variant.rarity === rarity);
    return group.length ? [{ rarity, group, share: group.reduce((sum, { weight }) => sum + weight, 0) / total }] : [];
  });
  return (
    <table className="w-full">
      <caption className="px-3 py-2 text-left text-sm text-bone-muted">
        {title && `${title}: `}a new token of {collectionName(collection)}
      </caption>
      <thead>
        <tr>
          <th scope="col" className={cn(headLook, "pl-3 text-left")}>
            What it is
          </th>
          <th scope="col" className={cn(headLook, "pr-3 text-right")}>
            Chance
          </th>
        </tr>
      </thead>
      {groups.map(({ rarity, group, share }) => (
        <tbody key={rarity} className="border-t border-line">
          {group.length > 1 && (
            <tr>
              <th scope="rowgroup" className="px-3 py-1.5 text-left font-normal">
                <RarityBadge rarity={rarity} />
              </th>
              <td className="px-3 py-1.5 text-right">{percent(share)}</td>
            </tr>
          )}
          {group.map(({ id, name, weight }) => (
            <tr key={id} className="text-sm">
              <th scope="row" className={cn("py-1 pr-2 text-left font-normal break-words", group.length > 1 ? "pl-8" : "pl-3")}>
                {name}
                {group.length === 1 && <RarityBadge rarity={rarity} className="ml-3 text-[0.75rem]" />}
              </th>
              <td className="py-1 pl-2 pr-3 text-right">
                {percent(weight / total)} <span className="text-bone-muted">({oneIn(weight / total)})</span>
              </td>
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}
