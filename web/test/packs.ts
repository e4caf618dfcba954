import { createHash } from "node:crypto";
import type { Odds, Proof, TableOdds } from "~/features/packs/draw/queries";
import { type Anchor, blockOf, type Drop, type Fixed, openingOf, type Receipt, type Table } from "~/features/packs/verify";
import { chests, portal } from "./draws";
import { clientConfig } from "./make";

/** The contracts of collections in the tests' configuration. */
const { gameItems, elderGods, avatarCollection } = clientConfig().contracts;
const contracts: Record<string, string> = { "game-items": gameItems, "elder-gods": elderGods, avatars: avatarCollection };

const time = (seconds: number) => new Date(seconds * 1000).toISOString();
const fixedOf = ({ blockTime, ...fixed }: Fixed): NonNullable<TableOdds["fixed"]> => ({ ...fixed, blockTime: time(blockTime) });

const anchorOf = ({ record, tx, blockTime, ...anchor }: Anchor): NonNullable<NonNullable<Proof["purchase"]>["anchor"]> => ({
  ...anchor,
  number: record,
  hash: "a8".repeat(32),
  txId: tx,
  blockTime: time(blockTime),
});

/** The public proof of the opening that a receipt is of. All of its drop is given. */
export function proofOf(text: string, some: Partial<Proof> = {}): Proof {
  const receipt = JSON.parse(text) as Receipt;
  const table = JSON.parse(receipt.table) as Table;
  const { burn, purchase, beacon, outcome, fixed } = receipt;
  const drop = table.drops.find(({ id }) => id === outcome.drop);
  const drawn = [...outcome.tokens];
  const { tx: txId, token: tokenId, ...burned } = burn ?? {};
  return {
    openingId: openingOf(receipt),
    kind: table.kind,
    state: "drawn",
    message: "",
    ...(burn && { burn: { ...burned, txId, tokenId, blockTime: time(burn.blockTime) } as NonNullable<Proof["burn"]> }),
    ...(purchase && { purchase: { ...purchase, recordedAt: time(purchase.recordedAt), anchor: anchorOf(purchase.anchor) } }),
    round: beacon.round,
    roundAt: time(beacon.genesis + (beacon.round - 1) * beacon.period),
    drawnAt: time(blockOf(receipt).blockTime + 10),
    edition: table.edition,
    drop: outcome.drop,
    receipt: text,
    fixed: fixedOf(fixed),
    grants: (drop?.gives ?? []).map(({ collection, token, currency, amount }) => ({
      ...(currency
        ? { currency }
        : {
            contract: contracts[collection ?? ""] ?? "",
            tokenId: token ?? drawn.shift()?.id ?? "",
            txId: `0x${"9a".repeat(32)}`,
            chainId: 421614,
          }),
      amount: String(amount),
      state: "done",
    })),
    ...some,
  };
}

/** The same opening before its draw; `round` is when its round is published, in milliseconds from now. */
export function waitingOf(text: string, round: number): Proof {
  const { receipt, drawnAt, edition, drop, fixed, ...rest } = proofOf(text, {
    state: "waiting",
    grants: [],
    roundAt: new Date(Date.now() + round).toISOString(),
  });
  return rest;
}

/** The same opening of a purchase before its record is anchored. */
export function unanchoredOf(text: string): Proof {
  const { round, roundAt, purchase, ...rest } = waitingOf(text, 0);
  const { anchor, ...paid } = purchase as NonNullable<Proof["purchase"]>;
  return { ...rest, purchase: paid };
}

/** The share of a drop that is of a rarity, by its first new token. */
function shareOf({ rarity, gives }: Drop, of: string): number {
  const token = gives.find(({ variants }) => variants);
  if (!token?.variants) return rarity === of ? 1 : 0;
  return token.variants.filter((variant) => variant.rarity === of).reduce((sum, { weight }) => sum + weight, 0) / (token.total ?? 1);
}

/** An edition as the odds have it, by its table's text. Nothing is drawn by it, and its pity rule changes nothing. */
export function tableOdds(canonical: string, some: Partial<TableOdds> = {}): TableOdds {
  const { caps, drops, ...table } = JSON.parse(canonical) as Table;
  const inShop = table.kind.startsWith("destiny-");
  const rarities = ["common", "uncommon", "rare", "epic", "legendary", "mythic"].map((rarity) => {
    const promised = drops.reduce((sum, drop) => sum + drop.weight * shareOf(drop, rarity), 0) / table.total;
    return { rarity, promised, effective: promised, now: promised };
  });
  return {
    ...table,
    hash: createHash("sha256").update(canonical).digest("hex"),
    ...(caps && { caps: caps.map((cap) => ({ ...cap, given: 0, left: cap.most })) }),
    drops: drops.map((drop) => ({ ...drop, image: "" })),
    fixed: fixedOf({
      chainId: 421614,
      by: inShop ? "wallet" : "contract",
      address: inShop ? portal : chests,
      tx: `0x${"f1".repeat(32)}`,
      block: 100,
      blockTime: 1694770000,
    }),
    onSale: true,
    inShop,
    canonical,
    openings: 0,
    free: 0,
    results: drops.map(({ id, weight }) => {
      const promised = weight / table.total;
      return { id, promised, effective: promised, now: promised, drawn: 0, hit: 0, low: 0, high: 1 };
    }),
    rarities: rarities.filter(({ promised }) => promised > 0),
    waiting: 0,
    ...some,
  };
}

/** The odds that have the table and the beacon of a receipt. */
export function oddsOf(text: string, some: Partial<Odds> = {}): Odds {
  const { table, beacon, fixed } = JSON.parse(text) as Receipt;
  const { scheme, publicKey, genesis, period } = beacon;
  return {
    beacon: { scheme, publicKey, genesis, period, quicknet: period === 3, urls: [] },
    margin: 0,
    wallet: { chainId: 421614, address: portal },
    wallets: [portal],
    collections: [],
    tables: [tableOdds(table, { fixed: fixedOf(fixed) })],
    ...some,
  };
}
