import { bls12_381 } from "@noble/curves/bls12-381";
import { hmac } from "@noble/hashes/hmac";
import { sha256 } from "@noble/hashes/sha2";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils";

/**
 * Repeats the draw of an opening from its receipt. Implemented from the rules and not from the server's code, and
 * tested with the same receipts; see ADR 29.
 */

/** One part of a drop: copies of a token, a new token (no id), or an amount of a currency. */
export interface Grant {
  collection?: string;
  token?: string;
  currency?: string;
  amount: number;
}

export interface Drop {
  id: string;
  name: string;
  rarity: string;
  /** Its share of the table's total. */
  weight: number;
  gives: Grant[];
  /** The maximum number in total; absent without a cap. */
  cap?: number;
  /** The drop that replaces it when none are left. */
  substitute?: string;
}

export interface Table {
  kind: string;
  version: number;
  /** When it takes effect, RFC 3339. */
  from: string;
  total: number;
  /** After this many openings without a drop of the rarity or rarer, the next is drawn among those alone. */
  pity?: { after: number; rarity: string };
  drops: Drop[];
}

/** The block's time in Unix seconds; the log's index within its transaction; which of the log's copies. */
export interface Burn {
  chainId: number;
  tx: string;
  logIndex: number;
  number: number;
  blockTime: number;
}

/** A unit of a line of a shop's order; when the portal first recorded the payment, in Unix seconds. */
export interface Purchase {
  shop: string;
  order: number;
  line: number;
  unit: number;
  recordedAt: number;
}

/** Version 1 is of a burn, version 2 of a purchase. */
export type Receipt = ({ burn: Burn; purchase?: undefined } | { burn?: undefined; purchase: Purchase }) & {
  version: number;
  /** The beacon, the deciding round and its signature. Genesis in Unix seconds, period in seconds. */
  beacon: { scheme: string; publicKey: string; genesis: number; period: number; round: number; signature: string };
  /** The text of the table, whose hash is part of the draw. */
  table: string;
  /**
   * The player's previous openings of the kind since the last such drop, and how often capped drops were drawn
   * before.
   */
  before: { without: number; drawn: Record<string, number> };
  /** The result; `tokens` are the ids of new tokens, in the order of the drop's grants. */
  outcome: { drop: string; pity: boolean; instead: boolean; tokens: string[] };
  /** SHA-256 of the text with an empty digest, in hex. */
  digest: string;
};

/** How an outcome came about, for people. */
export interface Course {
  /** The round's randomness, the SHA-256 of its signature, in hex. */
  randomness: string;
  /** The table's SHA-256, in hex. */
  tableHash: string;
  /** The random word that picked the drop, in hex. */
  word: string;
  /** What the weights of the eligible drops add up to. */
  sum: number;
  /** The word modulo the sum of weights. */
  number: number;
  /** The drop picked by the number, before any substitute, and the least number that picks it. */
  picked: Drop;
  least: number;
}

export interface Verified {
  receipt: Receipt;
  table: Table;
  drop: Drop;
  course: Course;
}

/** What is wrong with a receipt, for people. */
export class ReceiptError extends Error {}

/** What kinds, ids and slugs look like. */
const idPattern = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const scheme = "bls-unchained-g1-rfc9380";
const burnDomain = "pantheon/draw/v1";
const purchaseDomain = "pantheon/draw/shop/v1";
/** The length of the longest name of a shop. */
const maxShop = 32;
const tag = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";
/** The first id of drawn tokens, and the number of ids. */
const newTokens = 2n ** 52n;
const rarities = ["common", "uncommon", "rare", "epic", "legendary", "mythic"];

function demand(condition: unknown, message: string): asserts condition {
  if (!condition) throw new ReceiptError(message);
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** The shape of a JSON value with exactly these fields in this order; optional ones end with a question mark. */
type Shape = string | { [field: string]: Shape } | [Shape];

function fits(value: unknown, shape: Shape): boolean {
  if (typeof shape === "string")
    return shape === "counts" ? isRecord(value) && Object.values(value).every(isCount) : shape === "count" ? isCount(value) : typeof value === shape;
  if (Array.isArray(shape)) return Array.isArray(value) && value.every((item) => fits(item, shape[0]));
  if (!isRecord(value)) return false;
  const names = Object.keys(value);
  let next = 0;
  for (const [field, inner] of Object.entries(shape)) {
    const name = field.replace("?", "");
    if (names[next] === name) {
      if (!fits(value[name], inner)) return false;
      next++;
    } else if (!field.endsWith("?")) return false;
  }
  return next === names.length;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const tableShape: Shape = {
  kind: "string",
  version: "count",
  from: "string",
  total: "count",
  "pity?": { after: "count", rarity: "string" },
  drops: [
    {
      id: "string",
      name: "string",
      rarity: "string",
      weight: "count",
      gives: [{ "collection?": "string", "token?": "string", "currency?": "string", amount: "count" }],
      "cap?": "count",
      "substitute?": "string",
    },
  ],
};

const receiptShape: Shape = {
  version: "count",
  "burn?": { chainId: "count", tx: "string", logIndex: "count", number: "count", blockTime: "count" },
  "purchase?": { shop: "string", order: "count", line: "count", unit: "count", recordedAt: "count" },
  beacon: { scheme: "string", publicKey: "string", genesis: "count", period: "count", round: "count", signature: "string" },
  table: "string",
  before: { without: "count", drawn: "counts" },
  outcome: { drop: "string", pity: "boolean", instead: "boolean", tokens: ["string"] },
  digest: "string",
};

/** Parses JSON of the shape, written without spaces. */
function read<T>(text: string, shape: Shape, what: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ReceiptError(`This is no ${what}.`);
  }
  demand(fits(value, shape) && JSON.stringify(value) === text, `This is no ${what}, or not as it was written.`);
  return value as T;
}

/** Parses a table and checks what a draw relies on. */
function readTable(text: string): Table {
  const table = read<Table>(text, tableShape, "drop table");
  const ids = new Set(table.drops.map((drop) => drop.id));
  const sum = table.drops.reduce((all, drop) => all + drop.weight, 0);
  demand(ids.size === table.drops.length, "The table has a drop twice.");
  demand(
    [table.kind, ...ids].every((id) => idPattern.test(id)) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(table.from) && table.version > 0,
    "The table's names or times are malformed.",
  );
  demand(
    table.drops.every(({ name, gives }) => /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u.test(name) && gives.length > 0 && gives.every(isGrant)),
    "A drop of the table is malformed.",
  );
  demand(sum > 0 && sum === table.total && table.drops.every((drop) => drop.weight > 0), "The table's weights do not add up.");
  demand(
    [...table.drops, ...(table.pity ? [table.pity] : [])].every(({ rarity }) => rarities.includes(rarity)),
    "The table has an unknown rarity.",
  );
  const { pity } = table;
  demand(!pity || (pity.after > 0 && table.drops.some((drop) => consoles(table, drop))), "The table's pity rule cannot be kept.");
  demand(
    table.drops.every((drop) => {
      if (drop.cap === undefined) return drop.substitute === undefined;
      const instead = substituteOf(table, drop);
      return drop.cap > 0 && instead && instead.cap === undefined && (consoles(table, instead) || !consoles(table, drop));
    }),
    "A capped drop of the table has no substitute.",
  );
  return table;
}

function substituteOf({ drops }: Table, { substitute }: Drop): Drop | undefined {
  return drops.find(({ id }) => id === substitute);
}

function isGrant({ collection, token, currency, amount }: Grant): boolean {
  const named = (collection === undefined) !== (currency === undefined) && idPattern.test(collection ?? currency ?? "");
  const kept = token === undefined ? !collection || amount === 1 : collection !== undefined && /^(0|[1-9]\d{0,77})$/.test(token);
  return named && kept && amount > 0;
}

/** Whether a drop ends the player's run without luck. */
function consoles({ pity }: Table, drop: Drop): boolean {
  return pity !== undefined && rarities.indexOf(drop.rarity) >= rarities.indexOf(pity.rarity);
}

const number64 = (n: number): Uint8Array => {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(n));
  return bytes;
};

/** The random numbers of an opening, as 64-bit words. */
function* words(randomness: Uint8Array, message: Uint8Array): Generator<bigint> {
  for (let block = 0; ; block++) {
    const mac = new DataView(hmac(sha256, randomness, block ? concatBytes(message, number64(block)) : message).buffer);
    for (let at = 0; at < 32; at += 8) yield mac.getBigUint64(at);
  }
}

/** A word whose remainder by n is uniform: words of the incomplete last multiple of n are skipped. */
function fair(n: bigint, source: Iterator<bigint>): bigint {
  const limit = 2n ** 64n - (2n ** 64n % n);
  for (;;) {
    const { value } = source.next();
    if (value < limit) return value;
  }
}

type Drawn = { drop: Drop; outcome: Receipt["outcome"] } & Pick<Course, "word" | "sum" | "number" | "picked" | "least">;

function draw(table: Table, source: Iterator<bigint>, before: Receipt["before"]): Drawn {
  const pity = table.pity !== undefined && before.without >= table.pity.after;
  const eligible = table.drops.filter((drop) => !pity || consoles(table, drop));
  const sum = eligible.reduce((sum, drop) => sum + drop.weight, 0);
  const word = fair(BigInt(sum), source);
  const number = Number(word % BigInt(sum));
  let least = 0;
  const picked = eligible.find(({ weight }) => {
    if (number < least + weight) return true;
    least += weight;
    return false;
  }) as Drop;
  const instead = (before.drawn[picked.id] ?? 0) >= (picked.cap ?? Number.POSITIVE_INFINITY);
  const drop = instead ? (substituteOf(table, picked) as Drop) : picked;
  const tokens = drop.gives.flatMap(({ collection, token }) =>
    collection && token === undefined ? [String(newTokens + (fair(newTokens, source) % newTokens))] : [],
  );
  return { drop, outcome: { drop: drop.id, pity, instead, tokens }, word: word.toString(16).padStart(16, "0"), sum, number, picked, least };
}

/** The round's randomness, if the beacon's key signed the round. */
function randomnessOf({ publicKey, round, signature }: Receipt["beacon"]): Uint8Array {
  try {
    const point = bls12_381.G1.ProjectivePoint.fromHex(signature);
    const key = bls12_381.G2.ProjectivePoint.fromHex(publicKey);
    // The library also reads a coordinate plus the field's modulus. The randomness is a hash of the bytes, so only one
    // spelling may count.
    const canonical = point.toHex(true) === signature && key.toHex(true) === publicKey;
    if (canonical && bls12_381.verifyShortSignature(point, sha256(number64(round)), key, { DST: tag })) return sha256(hexToBytes(signature));
  } catch {
    // An invalid point is not a signature.
  }
  throw new ReceiptError("The signature is not the beacon's for this round.");
}

const quicknetKey =
  "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a";

/** Whether a receipt's beacon is drand's quicknet, as drand documents it. */
export function isQuicknet(beacon: Pick<Receipt["beacon"], "scheme" | "publicKey" | "genesis" | "period">): boolean {
  return beacon.scheme === scheme && beacon.publicKey === quicknetKey && beacon.genesis === 1692803367 && beacon.period === 3;
}

/** The id of the opening that a receipt is of. */
export function openingOf({ burn, purchase }: Receipt): string {
  const parts = burn ? [burn.chainId, burn.tx, burn.logIndex, burn.number] : [purchase.shop, purchase.order, purchase.line, purchase.unit];
  return parts.join("-");
}

/** The time of the burn's block or of the payment's first record, in Unix seconds. */
export function timeOf({ burn, purchase }: Receipt): number {
  return burn ? burn.blockTime : purchase.recordedAt;
}

/** The message of the HMAC that gives the random numbers. */
function messageOf({ burn, purchase }: Receipt, tableHash: Uint8Array): Uint8Array {
  if (burn)
    return concatBytes(
      utf8ToBytes(burnDomain),
      number64(burn.chainId),
      hexToBytes(burn.tx.slice(2)),
      number64(burn.logIndex),
      number64(burn.number),
      tableHash,
    );
  const shop = utf8ToBytes(purchase.shop);
  return concatBytes(
    utf8ToBytes(purchaseDomain),
    number64(shop.length),
    shop,
    number64(purchase.order),
    number64(purchase.line),
    number64(purchase.unit),
    tableHash,
  );
}

/** The first round that is published at least two periods after a time in Unix seconds. */
export function roundAfter({ genesis, period }: Pick<Receipt["beacon"], "genesis" | "period">, time: number): number {
  return Math.max(1, Math.ceil((time + 2 * period - genesis) / period) + 1);
}

/**
 * Parses a receipt and repeats its draw. Throws a ReceiptError that says what does not match.
 *
 * A receipt cannot prove by itself that the burn is on its chain at this time or that the payment was recorded then, that the
 * beacon (key, genesis and period) and the table are those that were announced, and what came before. The caller compares
 * them.
 */
export function verifyReceipt(text: string): Verified {
  const receipt = read<Receipt>(text, receiptShape, "receipt");
  const { version, burn, purchase, beacon, before, outcome, digest } = receipt;
  demand((version === 1 && burn && !purchase) || (version === 2 && purchase && !burn), "This is no receipt of version 1 or 2.");
  demand(digest === bytesToHex(sha256(utf8ToBytes(JSON.stringify({ ...receipt, digest: "" })))), "The receipt was changed: its digest does not fit.");
  const table = readTable(receipt.table);
  const time = timeOf(receipt);
  const what = burn ? "burn" : "purchase";
  demand(time >= Date.parse(table.from) / 1000, `The table was not in force yet at the time of the ${what}.`);
  demand(beacon.scheme === scheme && beacon.period > 0 && beacon.period <= 86_400, `The beacon's scheme is not ${scheme}, or its period not up to a day.`);
  const counted = Object.keys(before.drawn);
  demand(
    counted.every((id, i) => idPattern.test(id) && (i === 0 || id > (counted[i - 1] as string))),
    "The counts of what was drawn are malformed.",
  );
  demand(Math.max(time, beacon.genesis) <= 253_402_300_799, "The times are malformed.");
  const round = roundAfter(beacon, time);
  demand(round === beacon.round, `The ${what}'s round is ${round}, not ${beacon.round}.`);
  if (burn) demand(/^0x[0-9a-f]{64}$/.test(burn.tx), "The transaction's hash is malformed.");
  else {
    demand(purchase.shop.length <= maxShop && idPattern.test(purchase.shop), "The shop's name is malformed.");
    demand(!table.pity && before.without === 0, "A purchase has no wallet, so no pity rule counts what it opened before.");
  }
  const tableHash = sha256(utf8ToBytes(receipt.table));
  const message = messageOf(receipt, tableHash);
  const randomness = randomnessOf(beacon);
  const { drop, outcome: drawn, ...how } = draw(table, words(randomness, message), before);
  demand(JSON.stringify(drawn) === JSON.stringify(outcome), `The draw gives “${drop.name}”, and the receipt says otherwise.`);
  return { receipt, table, drop, course: { randomness: bytesToHex(randomness), tableHash: bytesToHex(tableHash), ...how } };
}

/** What the check of a receipt found. */
export type Finding = ({ right: true } & Verified) | { right: false; reason: string };

/** The same as verifyReceipt, with what is wrong as a value. */
export function checkReceipt(text: string): Finding {
  try {
    return { right: true, ...verifyReceipt(text) };
  } catch (error) {
    if (error instanceof ReceiptError) return { right: false, reason: error.message };
    throw error;
  }
}
