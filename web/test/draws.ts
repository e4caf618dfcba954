import { createHash, createHmac } from "node:crypto";
import { bls12_381 } from "@noble/curves/bls12-381";
import type { Anchor, Burn, Drop, Part, Purchase, Receipt, Table } from "~/features/packs/verify";

/**
 * Receipts for tests. The draw is repeated here with Node's cryptography, so that what the site finds out is not compared
 * with itself. Only signatures are made with the library that checks them.
 */

const rarities = ["common", "uncommon", "rare", "epic", "legendary", "mythic"];
const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest();
const uint64 = (n: number | bigint) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(n));
  return bytes;
};

/** The secret key of the tests' beacon, and its public key. */
const secret = "2a".repeat(32);
const publicKey = bls12_381.G2.ProjectivePoint.BASE.multiply(BigInt(`0x${secret}`)).toHex(true);
/** A beacon of the tests' own, with a round each second. */
export const testBeacon = { scheme: "bls-unchained-g1-rfc9380", publicKey, genesis: 1767222000, period: 1 };

/** drand's quicknet with a real round of it, and the time that names the round, in Unix seconds. */
export const quicknet = {
  scheme: "bls-unchained-g1-rfc9380",
  publicKey:
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451" +
    "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
  genesis: 1692803367,
  period: 3,
  round: 657413,
  signature: "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b",
};
export const quicknetTime = 1694775597;

const signatures = new Map<number, string>();

/** The signature of a round by the tests' beacon. */
export function signatureOf(round: number): string {
  const known = signatures.get(round);
  if (known) return known;
  const message = Uint8Array.from(sha256(uint64(round)));
  const signed = bls12_381.signShortSignature(message, secret, { DST: "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_" });
  const signature = Buffer.from(signed).toString("hex");
  signatures.set(round, signature);
  return signature;
}

/** The random words of an opening. */
function* wordsOf({ burn, purchase, beacon, table }: Receipt): Generator<bigint, never> {
  const hex = (text: string) => Buffer.from(text.slice(2), "hex");
  const of = burn
    ? ["pantheon/draw/v1", uint64(burn.chainId), hex(burn.tx), uint64(burn.logIndex), uint64(burn.number)]
    : [
        "pantheon/draw/shop/v2",
        uint64(purchase.shop.length),
        purchase.shop,
        uint64(purchase.order),
        uint64(purchase.line),
        uint64(purchase.unit),
        hex(purchase.nonce),
      ];
  const key = sha256(Buffer.from(beacon.signature, "hex"));
  for (let block = 0; ; block++) {
    const mac = createHmac("sha256", key);
    for (const part of [...of, sha256(table), ...(block ? [uint64(block)] : [])]) mac.update(part);
    const bytes = mac.digest();
    for (let at = 0; at < 32; at += 8) yield bytes.readBigUInt64BE(at);
  }
}

/** What was drawn, by the rules. */
function outcomeOf(receipt: Receipt): Receipt["outcome"] {
  const { drops, pity, caps = [] } = JSON.parse(receipt.table) as Table;
  const words = wordsOf(receipt);
  const below = (n: number) => {
    const size = BigInt(n);
    for (;;) {
      const word = words.next().value;
      if (word < 2n ** 64n - (2n ** 64n % size)) return Number(word % size);
    }
  };
  const pick = <T extends { weight: number }>(all: T[]): T => {
    let left = below(all.reduce((sum, { weight }) => sum + weight, 0));
    for (const one of all) {
      if (left < one.weight) return one;
      left -= one.weight;
    }
    throw new Error("The weights do not add up.");
  };
  const isPitied = pity !== undefined && receipt.before.without >= pity.after;
  const picked = pick(isPitied ? drops.filter(({ rarity }) => rarities.indexOf(rarity) >= rarities.indexOf(pity.rarity)) : drops);
  const item = ({ collection, token }: Part) => (token === undefined ? collection : `${collection}/${token}`);
  const units = (drop: Drop, of: string) => drop.gives.filter((part) => item(part) === of).reduce((sum, { amount }) => sum + amount, 0);
  const instead = caps.some(({ item, most }) => units(picked, item) > 0 && (receipt.before.given[item] ?? 0) + units(picked, item) > most);
  const drop = instead ? (drops.find(({ id }) => id === picked.substitute) as Drop) : picked;
  const tokens = drop.gives.flatMap(({ variants }) => {
    if (!variants) return [];
    const { id, series } = pick(variants);
    return [{ variant: id, id: String(BigInt(series) * 10n ** 13n + BigInt(below(1e13))) }];
  });
  return { drop: drop.id, pity: isPitied, instead, tokens };
}

/** A receipt's text with the digest that it has to have. */
export function sealed(receipt: Receipt): string {
  return JSON.stringify({ ...receipt, digest: sha256(JSON.stringify({ ...receipt, digest: "" })).toString("hex") });
}

/** The same of a text that is not as JSON.stringify writes it. */
export function sealedText(text: string): string {
  const place = /"digest":"[^"]*"}$/;
  return text.replace(place, `"digest":"${sha256(text.replace(place, '"digest":""}')).toString("hex")}"}`);
}

/** The receipt with the round that its time names, the round's signature, and the outcome that follows. Quicknet's round stays. */
export function drawnAgain(receipt: Receipt): Receipt {
  const { burn, purchase } = receipt;
  let { beacon } = receipt;
  if (beacon.publicKey === publicKey) {
    const { blockTime, margin } = burn ?? purchase.anchor;
    const round = Math.max(1, Math.ceil((blockTime + margin + 2 * beacon.period - beacon.genesis) / beacon.period) + 1);
    beacon = { ...beacon, round, signature: signatureOf(round) };
  }
  const whole = { ...receipt, beacon };
  return { ...whole, outcome: outcomeOf(whole) };
}

const fixedAt: Pick<Receipt["fixed"], "tx" | "block" | "blockTime"> = { tx: `0x${"f1".repeat(32)}`, block: 100, blockTime: 1694770000 };
/** The packs' contract, a player's wallet, and a wallet of the portal. */
export const [chests, wallet, portal] = ["c5", "ab", "90"].map((byte) => `0x${byte.repeat(20)}`) as [string, string, string];

export const burned: Burn = {
  chainId: 421614,
  contract: chests,
  token: "3",
  tx: `0x${"00".repeat(31)}07`,
  logIndex: 0,
  number: 2,
  wallet,
  block: 123,
  blockHash: `0x${"b1".repeat(32)}`,
  blockTime: 1767225600,
  margin: 0,
};

/** It names a record after that of the payment. */
export const anchored: Anchor = {
  record: 9,
  chainId: 421614,
  wallet: portal,
  tx: `0x${"a7".repeat(32)}`,
  block: 130,
  blockHash: `0x${"b7".repeat(32)}`,
  blockTime: 1767225600,
  margin: 0,
};

export const bought: Purchase = {
  shop: "gift-shop",
  order: 9007199254083578,
  line: 1,
  unit: 0,
  nonce: `0x${"0e".repeat(32)}`,
  record: 7,
  recordedAt: 1767225595,
  anchor: anchored,
};

const zeus = { id: "zeus", name: "Zeus", rarity: "mythic", weight: 1, series: 201 };
const hera = { id: "hera", name: "Hera", rarity: "mythic", weight: 3, series: 202 };
const faces = [
  { id: "helmsman", name: "The Helmsman", rarity: "common", weight: 90, series: 1 },
  { id: "oracle", name: "The Oracle’s Daughter", rarity: "legendary", weight: 10, series: 2 },
];

/** A kind with a pity rule, of whose Elder Gods there are three. */
export const godTable: Table = {
  kind: "god",
  edition: 2,
  token: "3",
  total: 1000,
  pity: { after: 9, rarity: "epic" },
  caps: [{ item: "elder-gods", most: 3 }],
  drops: [
    { id: "knife", name: "Ferryman's Knife", rarity: "common", weight: 700, gives: [{ collection: "game-items", token: "5", amount: 1 }] },
    { id: "fang", name: "Moth Fang", rarity: "rare", weight: 250, gives: [{ collection: "game-items", token: "6", amount: 1 }] },
    { id: "blade", name: "Meridian <Blade>", rarity: "epic", weight: 45, gives: [{ collection: "game-items", token: "3", amount: 1 }] },
    {
      id: "god",
      name: "An Elder God",
      rarity: "mythic",
      weight: 5,
      gives: [
        { collection: "elder-gods", amount: 1, total: 4, variants: [zeus, hera] },
        { currency: "fa", amount: 50 },
      ],
      substitute: "blade",
    },
  ],
};

/** A kind that is bought in the shop, with drops of currencies and of new tokens. */
export const destinyTable: Table = {
  kind: "destiny-gold",
  edition: 1,
  total: 1000,
  drops: [
    { id: "fate", name: "25 fate", rarity: "common", weight: 400, gives: [{ currency: "fa", amount: 25 }] },
    {
      id: "avatar",
      name: "An avatar",
      rarity: "common",
      weight: 300,
      gives: [{ collection: "avatars", amount: 1, total: 100, variants: faces }],
    },
    {
      id: "two-avatars",
      name: "Two avatars",
      rarity: "common",
      weight: 300,
      gives: [
        { collection: "avatars", amount: 1, total: 100, variants: faces },
        { currency: "fa", amount: 50 },
        { collection: "avatars", amount: 1, total: 100, variants: faces },
      ],
    },
  ],
};

interface Some {
  table?: Table;
  /** The drop that is wanted, and the variant of its first new token. */
  drop?: string;
  variant?: string;
  /** Whether it is drawn by a real round of quicknet. */
  real?: boolean;
  before?: Receipt["before"];
  fixed?: Partial<Receipt["fixed"]>;
}

/** Draws receipts that differ by a number until one has what is wanted. */
function search({ drop, variant }: Some, make: (at: number) => Receipt): Receipt {
  for (let at = 0; at < 10_000; at++) {
    const receipt = drawnAgain(make(at));
    const { outcome } = receipt;
    if ((drop ?? outcome.drop) === outcome.drop && (!variant || outcome.tokens[0]?.variant === variant)) return receipt;
  }
  throw new Error(`No receipt with ${drop} was found.`);
}

const beaconOf = ({ real }: Some): Receipt["beacon"] => (real ? quicknet : { ...testBeacon, round: 0, signature: "" });
const givenOf = ({ caps = [] }: Table) => Object.fromEntries(caps.map(({ item }) => [item, 0]));

/** A receipt of a burn. What is wanted of its outcome is found by the log's index. */
export function burnReceipt(
  { table = godTable, before = { without: 0, given: givenOf(table) }, ...some }: Some = {},
  burn: Partial<Burn> = {},
): Receipt {
  const at = some.real ? quicknetTime : burned.blockTime;
  return search(some, (logIndex) => ({
    version: 3,
    burn: { ...burned, token: table.token ?? "", blockTime: at, logIndex, ...burn },
    table: JSON.stringify(table),
    fixed: { chainId: 421614, by: "contract", address: chests, ...fixedAt, ...some.fixed },
    beacon: beaconOf(some),
    before,
    outcome: { drop: "", pity: false, instead: false, tokens: [] },
    digest: "",
  }));
}

/** A receipt of a purchase. What is wanted of its outcome is found by the order's unit. */
export function purchaseReceipt(
  { table = destinyTable, before = { without: 0, given: givenOf(table) }, ...some }: Some = {},
  { anchor, ...purchase }: Omit<Partial<Purchase>, "anchor"> & { anchor?: Partial<Anchor> } = {},
): Receipt {
  const at = some.real ? quicknetTime : anchored.blockTime;
  return search(some, (unit) => ({
    version: 3,
    purchase: { ...bought, recordedAt: at - 5, unit, ...purchase, anchor: { ...anchored, blockTime: at, ...anchor } },
    table: JSON.stringify(table),
    fixed: { chainId: 421614, by: "wallet", address: portal, ...fixedAt, ...some.fixed },
    beacon: beaconOf(some),
    before,
    outcome: { drop: "", pity: false, instead: false, tokens: [] },
    digest: "",
  }));
}
