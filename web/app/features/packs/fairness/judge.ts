import { isQuicknet, openingOf, timeOf, type Verified } from "../verify";
import type { Odds, Proof } from "./queries";

/** Compares a verified receipt with the opening, tables and beacon that the API reports. Returns each mismatch as a sentence. */
export function misfits({ receipt, table, drop }: Verified, proof: Proof, odds: Odds | undefined): string[] {
  const { beacon, burn } = receipt;
  const faults: string[] = [];
  if (openingOf(receipt) !== proof.openingId) faults.push("The receipt is that of another opening.");
  if (table.kind !== proof.kind || drop.id !== proof.drop || table.version !== proof.version) faults.push("The portal says that something else was drawn.");
  if (!odds) return faults;
  const announced = odds.tables.filter(({ kind }) => kind === table.kind);
  const inForce = announced.filter(({ from }) => Date.parse(from) <= timeOf(receipt) * 1000).toSorted((a, b) => b.version - a.version)[0];
  if (!announced.some(({ canonical }) => canonical === receipt.table)) faults.push("The table is not among those that were announced.");
  else if (inForce?.canonical !== receipt.table)
    faults.push(`At the time of the ${burn ? "burn" : "payment"} version ${inForce?.version} of the table was in force.`);
  const { publicKey, genesis, period } = odds.beacon;
  if (!isQuicknet(beacon) && (publicKey !== beacon.publicKey || genesis !== beacon.genesis || period !== beacon.period))
    faults.push("The beacon is not the one that the portal announces.");
  return faults;
}
