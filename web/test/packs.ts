import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Odds, Proof, TableOdds } from "~/features/packs/fairness/queries";
import { openingOf, type Receipt, type Table, timeOf } from "~/features/packs/verify";

const shared = (file: string): string[] => JSON.parse(readFileSync(join(import.meta.dirname, "../../internal/portal/draw/testdata", file), "utf8"));

/** Receipts from the server's implementation, of burns and of purchases. The last are of a real round of drand's quicknet. */
const receipts = shared("receipts.json");
const purchases = shared("purchases.json");

/** The receipt at a place, counted from the end if it is negative. */
export const receiptAt = (at: number): string => receipts.at(at) ?? "";

/** The receipt of a purchase at a place. */
export const purchaseAt = (at: number): string => purchases.at(at) ?? "";

/** The public proof of the opening that a receipt is of. */
export function proofOf(text: string, some: Partial<Proof> = {}): Proof {
  const receipt = JSON.parse(text) as Receipt;
  const table = JSON.parse(receipt.table) as Table;
  const { burn, purchase, beacon } = receipt;
  const time = (seconds: number) => new Date(seconds * 1000).toISOString();
  return {
    openingId: openingOf(receipt),
    kind: table.kind,
    state: "drawn",
    message: "",
    ...(burn && { burn: { chainId: burn.chainId, txId: burn.tx, wallet: `0x${"ab".repeat(20)}`, blockTime: time(burn.blockTime) } }),
    ...(purchase && { purchase: { ...purchase, recordedAt: time(purchase.recordedAt) } }),
    round: beacon.round,
    roundAt: time(beacon.genesis + (beacon.round - 1) * beacon.period),
    drawnAt: time(timeOf(receipt) + 10),
    version: table.version,
    drop: receipt.outcome.drop,
    receipt: text,
    ...some,
  };
}

/** The same opening before its draw; `round` is when its round is published, in milliseconds from now. */
export function waitingOf(text: string, round: number): Proof {
  const { receipt, drawnAt, version, drop, ...rest } = proofOf(text, { state: "waiting", roundAt: new Date(Date.now() + round).toISOString() });
  return rest;
}

/** A version of a table as the odds have it, by its text. Nothing is drawn by it. */
export function tableOdds(canonical: string, some: Partial<TableOdds> = {}): TableOdds {
  const table = JSON.parse(canonical) as Table & Pick<TableOdds, "kind">;
  return {
    ...table,
    hash: "ab".repeat(32),
    drops: table.drops.map((drop) => ({ ...drop, image: "" })),
    inShop: table.kind.startsWith("destiny-"),
    inForce: true,
    announced: false,
    canonical,
    openings: 0,
    free: 0,
    results: table.drops.map(({ id, weight }) => ({ id, promised: weight / table.total, drawn: 0, hit: 0, low: 0, high: 1 })),
    waiting: 0,
    ...some,
  };
}

/** The odds that announce the table and the beacon of a receipt. */
export function oddsOf(text: string, some: Partial<Odds> = {}): Odds {
  const { table, beacon } = JSON.parse(text) as Receipt;
  const { scheme, publicKey, genesis, period } = beacon;
  return { beacon: { scheme, publicKey, genesis, period, quicknet: period === 3, urls: [] }, tables: [tableOdds(table)], ...some };
}
