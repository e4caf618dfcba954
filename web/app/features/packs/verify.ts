import { bls12_381 } from "@noble/curves/bls12-381";
import { hmac } from "@noble/hashes/hmac";
import { sha256 } from "@noble/hashes/sha2";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils";
import { itemOf, unitsOf } from "./items";

/**
 * Repeats the draw of an opening from its receipt. Implemented from the rules and not from the server's code, and
 * tested with the same receipts; see ADR 29.
 */

/** One of the tokens that a new token can be. */
export interface Variant {
  id: string;
  name: string;
  /** Not below its drop's. */
  rarity: string;
  /** Its share of the part's total. */
  weight: number;
  /** The number from which the ids of its tokens begin, in units of 10^13. */
  series: number;
}

/** One part of a drop: copies of a token, a new token of one of several variants, or an amount of a currency. */
export interface Part {
  collection?: string;
  token?: string;
  currency?: string;
  amount: number;
  /** With variants: the sum of their weights. */
  total?: number;
  variants?: Variant[];
}

export interface Drop {
  id: string;
  name: string;
  rarity: string;
  /** Its share of the table's total. */
  weight: number;
  gives: Part[];
  /** The drop that replaces it when a capped item of it has run out. */
  substitute?: string;
}

/** An edition of a kind of pack. */
export interface Table {
  kind: string;
  edition: number;
  /** The id of its packs in the chests contract; absent for packs that are opened when they are paid for. */
  token?: string;
  total: number;
  /** After this many openings without a drop of the rarity or rarer, the next is drawn among those alone. */
  pity?: { after: number; rarity: string };
  /** How many units of an item all openings of the kind give at most, sorted by item; see itemOf. */
  caps?: { item: string; most: number }[];
  drops: Drop[];
}

/** Times are in Unix seconds. */
export interface Burn {
  chainId: number;
  contract: string;
  /** The id of the pack's token. */
  token: string;
  tx: string;
  /** The log's index within its transaction, and which of the log's copies it is. */
  logIndex: number;
  number: number;
  wallet: string;
  block: number;
  blockHash: string;
  blockTime: number;
  /** How many seconds behind the clock the chain's blocks may be dated. */
  margin: number;
}

/** The transaction of a wallet of the portal to itself that anchors the log of payment records up to a record. */
export interface Anchor {
  /** The number of the record that it names: the payment's or a later one. */
  record: number;
  chainId: number;
  wallet: string;
  tx: string;
  block: number;
  blockHash: string;
  /** In Unix seconds. */
  blockTime: number;
  /** As that of a burn. */
  margin: number;
}

/** A unit of a line of a shop's order. */
export interface Purchase {
  shop: string;
  order: number;
  line: number;
  unit: number;
  /** 32 bytes that the buyer's browser chose before the payment; zeros if it chose none. */
  nonce: string;
  /** Its number in the public log of payment records, and the time of the record in Unix seconds. */
  record: number;
  recordedAt: number;
  /** The first final transaction that anchors the record. */
  anchor: Anchor;
}

/** Where the table's hash was made known for good: by the chests contract, or by a transaction of a wallet of the portal to itself. */
export interface Fixed {
  chainId: number;
  by: "contract" | "wallet";
  address: string;
  tx: string;
  block: number;
  blockTime: number;
}

export type Receipt = ({ burn: Burn; purchase?: undefined } | { burn?: undefined; purchase: Purchase }) & {
  version: number;
  /** The text of the table, whose hash is part of the draw. */
  table: string;
  fixed: Fixed;
  /** The beacon, the deciding round and its signature. Genesis in Unix seconds, period in seconds. */
  beacon: { scheme: string; publicKey: string; genesis: number; period: number; round: number; signature: string };
  /**
   * The wallet's openings of the kind since its last drop of the pity rule's rarity, and how many units of each capped item
   * were given before.
   */
  before: { without: number; given: Record<string, number> };
  /** The result; `tokens` are the new tokens, in the order of the drop's parts. */
  outcome: { drop: string; pity: boolean; instead: boolean; tokens: { variant: string; id: string }[] };
  /** SHA-256 of the text with an empty digest, in hex. */
  digest: string;
};

/** How one of several was chosen by weight. */
export interface Choice<T> {
  /** The random word, in hex. */
  word: string;
  /** What the weights add up to. */
  sum: number;
  /** The word modulo the sum. */
  number: number;
  /** What the number picks, and the least number that picks it. */
  picked: T;
  least: number;
}

/** How a new token was chosen: its variant, then its serial number. */
export interface TokenChoice extends Choice<Variant> {
  collection: string;
  /** The random word of the serial number, in hex, and the word modulo 10^13. */
  serialWord: string;
  serial: number;
  /** The token's id, decimal. */
  id: string;
}

/** How an outcome came about, for people. Of the drop: the one that was picked, before any substitute. */
export interface Course extends Choice<Drop> {
  /** The round's randomness, the SHA-256 of its signature, in hex. */
  randomness: string;
  /** The table's SHA-256, in hex. */
  tableHash: string;
  /** The new tokens, in the order of the drop's parts. */
  tokens: TokenChoice[];
}

export interface Verified {
  receipt: Receipt;
  table: Table;
  drop: Drop;
  course: Course;
}

/** What is wrong with a receipt, for people. */
export class ReceiptError extends Error {}

const scheme = "bls-unchained-g1-rfc9380";
const burnDomain = "pantheon/draw/v1";
const purchaseDomain = "pantheon/draw/shop/v2";
const tag = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";
/** The most bytes that a receipt has. */
const largest = 1_000_000;
/** The last second of the year 9999. */
const lastSecond = 253_402_300_799;
/** How many serial numbers a series has. */
const serials = 10n ** 13n;
/** Lowest first. */
const rarities = ["common", "uncommon", "rare", "epic", "legendary", "mythic"];

function demand(condition: unknown, message: string): asserts condition {
  if (!condition) throw new ReceiptError(message);
}

/**
 * What a JSON value has to be. Returns the place of what is not, such as “burn.block”, or undefined if all is right. `at` is
 * the value's own place, "" for the whole text.
 */
type Rule = (value: unknown, at: string) => string | undefined;

const rule =
  (fits: (value: unknown) => boolean): Rule =>
  (value, at) =>
    fits(value) ? undefined : at;

const integer = (least = 0, most = Number.MAX_SAFE_INTEGER): Rule =>
  rule((value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most);

const string = (pattern: RegExp, longest = Number.POSITIVE_INFINITY): Rule =>
  rule((value) => typeof value === "string" && value.length <= longest && pattern.test(value));

const oneOf = (...values: unknown[]): Rule => rule((value) => values.includes(value));

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A list of `least` to `most` such items. */
const list =
  (inner: Rule, least: number, most = Number.POSITIVE_INFINITY): Rule =>
  (value, at) => {
    if (!Array.isArray(value) || value.length < least || value.length > most) return at;
    return value.map((item, i) => inner(item, `${at}[${i}]`)).find((fault) => fault !== undefined);
  };

/** An object with exactly these fields in this order; the names of optional ones end with a question mark. */
function fields(shape: Record<string, Rule>): Rule {
  const known = Object.entries(shape).map(([name, inner]) => ({ name: name.replace("?", ""), inner, optional: name.endsWith("?") }));
  return (value, at) => {
    if (!isRecord(value)) return at;
    const inside = (name: string | undefined) => (at ? `${at}.${name}` : `${name}`);
    const names = Object.keys(value);
    let next = 0;
    for (const { name, inner, optional } of known) {
      if (names[next] === name) {
        const fault = inner(value[name], inside(name));
        if (fault !== undefined) return fault;
        next++;
      } else if (!optional) return inside(name);
    }
    return next === names.length ? undefined : inside(names[next]);
  };
}

/** Kinds, slugs, currencies, and the ids of drops and variants. */
const id = string(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 64);
const shopName = string(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 32);
/** Printable ASCII, and what texts in Latin script have beyond it, without a space at either end. All are single UTF-16 units. */
const name = string(/^[!-~\u00a1-\u024f\u2010-\u2027]([ -~\u00a1-\u024f\u2010-\u2027]*[!-~\u00a1-\u024f\u2010-\u2027])?$/, 200);
const anyString = string(/^/);
const uint256 = rule((value) => typeof value === "string" && /^(0|[1-9][0-9]{0,77})$/.test(value) && BigInt(value) < 2n ** 256n);
const hash = string(/^0x[0-9a-f]{64}$/);
const address = string(/^0x[0-9a-f]{40}$/);
const rarity = oneOf(...rarities);
/** Weights, amounts and caps. */
const quantity = integer(1, 10 ** 12);
const seconds = integer(0, lastSecond);

const variantRule = fields({ id, name, rarity, weight: quantity, series: integer(1, 899) });
const currencyRule = fields({ currency: id, amount: quantity });
const copiesRule = fields({ collection: id, token: uint256, amount: quantity });
const newTokenRule = fields({ collection: id, amount: oneOf(1), total: integer(1), variants: list(variantRule, 1, 64) });

const partRule: Rule = (value, at) => {
  const has = (field: string) => isRecord(value) && Object.hasOwn(value, field);
  return (has("currency") ? currencyRule : has("token") ? copiesRule : newTokenRule)(value, at);
};

const tableRule = fields({
  kind: id,
  edition: integer(1, 1_000_000),
  "token?": uint256,
  total: integer(1),
  "pity?": fields({ after: integer(1, 1_000_000), rarity }),
  "caps?": list(fields({ item: anyString, most: quantity }), 1),
  drops: list(fields({ id, name, rarity, weight: quantity, gives: list(partRule, 1, 16), "substitute?": id }), 1, 1000),
});

const receiptRule = fields({
  version: oneOf(3),
  "burn?": fields({
    chainId: integer(1),
    contract: address,
    token: uint256,
    tx: hash,
    logIndex: integer(),
    number: integer(),
    wallet: address,
    block: integer(1),
    blockHash: hash,
    blockTime: seconds,
    margin: integer(0, 604_800),
  }),
  "purchase?": fields({
    shop: shopName,
    order: integer(),
    line: integer(),
    unit: integer(),
    nonce: hash,
    record: integer(1),
    recordedAt: seconds,
    anchor: fields({
      record: integer(1),
      chainId: integer(1),
      wallet: address,
      tx: hash,
      block: integer(1),
      blockHash: hash,
      blockTime: seconds,
      margin: integer(0, 604_800),
    }),
  }),
  table: anyString,
  fixed: fields({ chainId: integer(1), by: oneOf("contract", "wallet"), address, tx: hash, block: integer(1), blockTime: seconds }),
  beacon: fields({
    scheme: oneOf(scheme),
    publicKey: string(/^[0-9a-f]{192}$/),
    genesis: seconds,
    period: integer(1, 86_400),
    round: integer(1),
    signature: string(/^[0-9a-f]{96}$/),
  }),
  before: fields({
    without: integer(),
    given: (value, at) => (isRecord(value) ? list(integer(), 0)(Object.values(value), at) : at),
  }),
  outcome: fields({
    drop: id,
    pity: oneOf(true, false),
    instead: oneOf(true, false),
    tokens: list(fields({ variant: id, id: uint256 }), 0, 16),
  }),
  digest: string(/^[0-9a-f]{64}$/),
});

/** Parses a JSON text that follows the rule and is written as JSON.stringify writes it. */
function read<T>(text: string, follows: Rule, what: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ReceiptError(`This is no ${what}.`);
  }
  const fault = follows(value, "");
  demand(fault === undefined, `This is no ${what}${fault && `: “${fault}” is missing, out of place or malformed`}.`);
  // Every number is a plain integer now, and no string has a lone surrogate. What is left are spaces, fields that occur
  // twice, and other spellings of numbers and of characters.
  demand(JSON.stringify(value) === text, `The ${what} is not as it was written.`);
  return value as T;
}

const rank = (rarity: string) => rarities.indexOf(rarity);
const isUnique = (values: unknown[]) => new Set(values).size === values.length;
const sumOf = (of: { weight: number }[]) => of.reduce((sum, { weight }) => sum + weight, 0);

/** Whether a drop has the rarity of the pity rule or a rarer one. */
function consoles({ pity }: Table, drop: Drop): boolean {
  return pity !== undefined && rank(drop.rarity) >= rank(pity.rarity);
}

/** Parses a table and checks what makes it one. */
function readTable(text: string): Table {
  const table = read<Table>(text, tableRule, "drop table");
  const { drops, pity, caps = [] } = table;
  const parts = drops.flatMap(({ gives }) => gives);
  const given = new Set(parts.map(itemOf));
  demand(isUnique(drops.map(({ id }) => id)), "The table has a drop twice.");
  demand(sumOf(drops) === table.total, "The table's weights do not add up.");
  demand(!pity || table.token !== undefined, "The table has a pity rule, and its packs are not burned.");
  demand(!pity || drops.some((drop) => consoles(table, drop)), "The table's pity rule cannot be kept.");
  demand(
    caps.every(({ item }, i) => i === 0 || item > (caps[i - 1]?.item ?? "")),
    "The table's caps are not in order.",
  );
  demand(
    caps.every(({ item }) => given.has(item)),
    "The table caps what no drop gives.",
  );
  for (const drop of drops) for (const part of drop.gives) if (part.variants) checkVariants(drop, part.variants, part.total);
  checkSeries(parts);
  const capped = new Set<string | undefined>(caps.map(({ item }) => item));
  const isCapped = (drop: Drop) => drop.gives.some((part) => capped.has(itemOf(part)));
  const byId = new Map(drops.map((drop) => [drop.id, drop]));
  for (const drop of drops) {
    const instead = byId.get(drop.substitute ?? "");
    demand(
      isCapped(drop) === (drop.substitute !== undefined),
      "A drop of the table has a cap without a substitute, or a substitute without a cap.",
    );
    demand(
      drop.substitute === undefined || (instead && !isCapped(instead) && (consoles(table, instead) || !consoles(table, drop))),
      "A substitute of the table is unknown, capped, or not as rare as the pity rule needs.",
    );
  }
  return table;
}

function checkVariants(drop: Drop, variants: Variant[], total: number | undefined): void {
  demand(
    isUnique(variants.map(({ id }) => id)) && isUnique(variants.map(({ series }) => series)),
    "A new token of the table has a variant or a series twice.",
  );
  demand(sumOf(variants) === total, "The weights of the variants do not add up.");
  demand(
    variants.every(({ rarity }) => rank(rarity) >= rank(drop.rarity)),
    "A variant of the table is not as rare as its drop.",
  );
}

/** A series of a collection has one variant, in all parts of the table. */
function checkSeries(parts: Part[]): void {
  const known = new Map<string, string>();
  for (const { collection, variants = [] } of parts)
    for (const { id, name, rarity, series } of variants) {
      const [key, variant] = [`${collection} ${series}`, JSON.stringify([id, name, rarity])];
      demand((known.get(key) ?? variant) === variant, "A series of the table has two variants.");
      known.set(key, variant);
    }
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

const inHex = (word: bigint) => word.toString(16).padStart(16, "0");

/** Chooses one by weight. */
function choose<T extends { weight: number }>(from: T[], source: Iterator<bigint>): Choice<T> {
  const sum = sumOf(from);
  const word = fair(BigInt(sum), source);
  const number = Number(word % BigInt(sum));
  let least = 0;
  const picked = from.find(({ weight }) => {
    if (number < least + weight) return true;
    least += weight;
    return false;
  }) as T;
  return { word: inHex(word), sum, number, picked, least };
}

/** Chooses a new token among its variants. */
function chooseToken(collection: string, variants: Variant[], source: Iterator<bigint>): TokenChoice {
  const choice = choose(variants, source);
  const word = fair(serials, source);
  const serial = word % serials;
  return {
    collection,
    ...choice,
    serialWord: inHex(word),
    serial: Number(serial),
    id: String(BigInt(choice.picked.series) * serials + serial),
  };
}

type Drawn = { drop: Drop; outcome: Receipt["outcome"]; choice: Choice<Drop>; tokens: TokenChoice[] };

function draw(table: Table, source: Iterator<bigint>, { without, given }: Receipt["before"]): Drawn {
  const pity = table.pity !== undefined && without >= table.pity.after;
  const choice = choose(pity ? table.drops.filter((drop) => consoles(table, drop)) : table.drops, source);
  const { picked } = choice;
  const instead = (table.caps ?? []).some(({ item, most }) => {
    const units = unitsOf(picked, item);
    return units > 0 && (given[item] ?? 0) + units > most;
  });
  const drop = instead ? (table.drops.find(({ id }) => id === picked.substitute) as Drop) : picked;
  const tokens = drop.gives.flatMap(({ collection = "", variants }) => (variants ? [chooseToken(collection, variants, source)] : []));
  return {
    drop,
    outcome: { drop: drop.id, pity, instead, tokens: tokens.map(({ picked, id }) => ({ variant: picked.id, id })) },
    choice,
    tokens,
  };
}

/** The round's randomness, if the beacon's key signed the round. */
function randomnessOf({ publicKey, round, signature }: Receipt["beacon"]): Uint8Array {
  try {
    const point = bls12_381.G1.ProjectivePoint.fromHex(signature);
    const key = bls12_381.G2.ProjectivePoint.fromHex(publicKey);
    // The library also reads a coordinate plus the field's modulus. The randomness is a hash of the bytes, so only one
    // spelling may count.
    const canonical = point.toHex(true) === signature && key.toHex(true) === publicKey;
    if (canonical && bls12_381.verifyShortSignature(point, sha256(number64(round)), key, { DST: tag }))
      return sha256(hexToBytes(signature));
  } catch {
    // An invalid point is not a signature.
  }
  throw new ReceiptError("The signature is not the beacon's for this round.");
}

const quicknetKey =
  "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451" +
  "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a";

/** Whether a receipt's beacon is drand's quicknet, as drand documents it. */
export function isQuicknet(beacon: Pick<Receipt["beacon"], "scheme" | "publicKey" | "genesis" | "period">): boolean {
  return beacon.scheme === scheme && beacon.publicKey === quicknetKey && beacon.genesis === 1692803367 && beacon.period === 3;
}

/** The id of the opening that a receipt is of. */
export function openingOf({ burn, purchase }: Receipt): string {
  const parts = burn ? [burn.chainId, burn.tx, burn.logIndex, burn.number] : [purchase.shop, purchase.order, purchase.line, purchase.unit];
  return parts.join("-");
}

/** The block whose time names the round: that of the burn, or of the anchor of the payment's record. */
export function blockOf({ burn, purchase }: Receipt): Pick<Burn, "chainId" | "block" | "blockHash" | "blockTime" | "margin"> {
  return burn ?? purchase.anchor;
}

/** The message of the HMAC that gives the random numbers. */
function messageOf({ burn, purchase }: Receipt, tableHash: Uint8Array): Uint8Array {
  const bytes = (hex: string) => hexToBytes(hex.slice(2));
  if (burn)
    return concatBytes(
      utf8ToBytes(burnDomain),
      number64(burn.chainId),
      bytes(burn.tx),
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
    bytes(purchase.nonce),
    tableHash,
  );
}

/** The first round that is published at least two periods and a margin after a time; times in Unix seconds, the margin in seconds. */
export function roundAfter({ genesis, period }: Pick<Receipt["beacon"], "genesis" | "period">, time: number, margin = 0): number {
  return Math.max(1, Math.ceil((time + margin + 2 * period - genesis) / period) + 1);
}

/** Checks what a receipt says of the place where the table's hash was fixed against the rest of it. */
function checkFixed(receipt: Receipt): void {
  const { burn, purchase, fixed } = receipt;
  demand(burn || fixed.by === "wallet", "The table of a pack from the shop is not fixed by a wallet.");
  demand(
    fixed.by === "wallet" || (fixed.address === burn?.contract && fixed.chainId === burn.chainId),
    "The table is not fixed in the contract of the burned pack.",
  );
  demand(
    burn ? fixed.blockTime <= burn.blockTime : fixed.blockTime < purchase.recordedAt,
    `The table was not fixed yet at the time of the ${burn ? "burn" : "payment"}.`,
  );
  const { chainId, block } = blockOf(receipt);
  demand(
    fixed.chainId !== chainId || (burn ? fixed.block <= block : fixed.block < block),
    burn ? "The table was not fixed yet in the block of the burn." : "The table was not fixed before the block of the anchor.",
  );
}

/** Checks what a receipt says was opened before against its table. */
function checkBefore({ before }: Receipt, { pity, caps = [] }: Table): void {
  demand(before.without <= (pity?.after ?? 0), "The receipt counts more openings before than its table's pity rule.");
  const given = Object.keys(before.given);
  demand(
    given.length === caps.length && caps.every(({ item }, i) => item === given[i]),
    "What was given before is not counted for exactly the table's capped items.",
  );
}

/**
 * Parses a receipt and repeats its draw. Throws a ReceiptError that says what does not match.
 *
 * A receipt cannot prove by itself that the burn or the anchor is on its chain, that the payment was recorded and has no earlier
 * anchor, that the table's hash is where the receipt says, that the beacon (key, genesis and period) is the one that was
 * announced, and what came before. The caller compares them.
 */
export function verifyReceipt(text: string): Verified {
  demand(text.length <= largest && utf8ToBytes(text).length <= largest, "The text is too long for a receipt.");
  demand(!/\p{Cs}/u.test(text), "This is no receipt.");
  const receipt = read<Receipt>(text, receiptRule, "receipt");
  const { burn, purchase, beacon, outcome, digest } = receipt;
  demand(
    digest === bytesToHex(sha256(utf8ToBytes(JSON.stringify({ ...receipt, digest: "" })))),
    "The receipt was changed: its digest does not fit.",
  );
  demand((burn === undefined) !== (purchase === undefined), "A receipt is of either a burn or a purchase.");
  const table = readTable(receipt.table);
  demand(burn?.token === table.token, burn ? "The table is not that of the burned pack." : "The table is of packs that are burned.");
  demand(!purchase || purchase.anchor.record >= purchase.record, "The anchor is of an earlier record than the payment's.");
  checkFixed(receipt);
  checkBefore(receipt, table);
  const { blockTime, margin } = blockOf(receipt);
  const round = roundAfter(beacon, blockTime, margin);
  demand(round === beacon.round, `The ${burn ? "burn" : "purchase"}'s round is ${round}, not ${beacon.round}.`);
  const tableHash = sha256(utf8ToBytes(receipt.table));
  const randomness = randomnessOf(beacon);
  const { drop, outcome: drawn, choice, tokens } = draw(table, words(randomness, messageOf(receipt, tableHash)), receipt.before);
  demand(JSON.stringify(drawn) === JSON.stringify(outcome), `The draw gives “${drop.name}”, and the receipt says otherwise.`);
  return { receipt, table, drop, course: { randomness: bytesToHex(randomness), tableHash: bytesToHex(tableHash), ...choice, tokens } };
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
