import { hasRunOut } from "../items";
import type { Table, TableOdds } from "./queries";
import { orRarer, pityRule } from "./steps";

/** The shares of a drop or of a rarity, 0 to 1. */
export interface Shares {
  /** By weight. */
  promised: number;
  /** In the long run, with the pity rule. */
  effective: number;
  /** The same with substitutes in the place of what has run out. */
  now: number;
}

/** A column beside the base odds. */
export interface Column {
  of: "effective" | "now";
  name: string;
}

const differs = (results: Shares[], a: keyof Shares, b: keyof Shares) => results.some((result) => Math.abs(result[a] - result[b]) > 1e-12);

/** What is to be shown beside the base odds: what the pity rule changes, and what changes because something has run out. */
export function columnsOf({ pity, results }: { pity?: TableOdds["pity"] | undefined; results: Shares[] }): Column[] {
  return [
    ...(pity ? [{ of: "effective" as const, name: "Effective" }] : []),
    ...(differs(results, "now", "effective") ? [{ of: "now" as const, name: "Now" }] : []),
  ];
}

/** The rules of a table, for people, each a sentence or two. */
export function rulesOf(table: Table & Pick<TableOdds, "results">): string[] {
  const { pity, caps, drops } = table;
  const gone = drops.filter((drop) => hasRunOut(drop, caps));
  const changed = columnsOf(table).some(({ of }) => of === "now");
  const nameOf = (id: string | undefined) => drops.find((drop) => drop.id === id)?.name ?? "another drop";
  return [
    ...(pity
      ? [
          `${pityRule(pity)} The openings of this kind by the same wallet count, whatever the edition.`,
          "The base odds are those of a single draw among all drops; the effective odds are what packs give in the long run, " +
            `where that rule makes what is ${orRarer(pity.rarity)} more frequent.`,
        ]
      : [
          changed || gone.length > 0
            ? "There is no pity rule: the base odds are those of each draw."
            : "Every opening is drawn by these chances alone: there is no pity rule.",
        ]),
    ...(caps && !gone.length ? ["Of some drops there is a limited number; what comes in their place then stands beside them."] : []),
    ...gone.map(({ name, substitute }) => `“${name}” has run out, and “${nameOf(substitute)}” comes in its place.`),
    ...(changed ? ["The odds as they are now are those under “Now”."] : []),
  ];
}
