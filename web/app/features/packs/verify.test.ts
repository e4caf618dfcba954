import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "@noble/hashes/sha2";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils";
import { describe, expect, it } from "vitest";
import { checkReceipt, isQuicknet, openingOf, type Receipt, ReceiptError, roundAfter, verifyReceipt } from "./verify";

const shared = (file: string): string[] => JSON.parse(readFileSync(join(import.meta.dirname, "../../../../internal/portal/draw/testdata", file), "utf8"));

/** Receipts from the server's implementation, of burns and of purchases. The last are of a real round of drand's quicknet. */
const receipts = shared("receipts.json");
const purchases = shared("purchases.json");

type Burned = Extract<Receipt, { burn: object }>;
type Bought = Extract<Receipt, { purchase: object }>;
const parsed: Burned[] = receipts.map((text) => JSON.parse(text));
const [good, next, last] = [parsed[5], parsed[6], parsed.at(-1)] as [Burned, Burned, Burned];
const bought: Bought = JSON.parse(purchases[20] as string);

/** Changed fields by part of a receipt, or the whole part if it is a text. */
type Changes<R = Burned> = { [Part in keyof R]?: R[Part] extends object ? Partial<R[Part]> : R[Part] };

/** A receipt's text with changes and a matching digest. */
function forged<R extends Receipt>(changes: Changes<R>, receipt: R): string {
  const parts = Object.entries(changes).map(([part, change]) => [
    part,
    typeof change === "object" ? { ...(receipt[part as keyof Receipt] as object), ...change } : change,
  ]);
  const text = (digest: string) => JSON.stringify({ ...receipt, ...Object.fromEntries(parts), digest });
  return text(bytesToHex(sha256(text(""))));
}

describe("a receipt", () => {
  it("of the server is verified, with every kind of outcome among them", () => {
    const verified = receipts.map(verifyReceipt);
    expect(verified).toHaveLength(26);
    expect(verified.some(({ receipt }) => receipt.outcome.pity)).toBe(true);
    expect(verified.some(({ receipt }) => !receipt.outcome.pity)).toBe(true);
    expect(verified.at(-1)?.receipt.beacon.round).toBe(657413);
  });

  it("of a purchase is verified, with and without a substitute", () => {
    const verified = purchases.map(verifyReceipt);
    expect(verified).toHaveLength(25);
    expect(verified.map(({ receipt }) => receipt.version)).toEqual(Array(25).fill(2));
    expect(verified.some(({ receipt }) => receipt.outcome.instead)).toBe(true);
    expect(verified.some(({ receipt }) => receipt.outcome.tokens.length > 0)).toBe(true);
    expect(verified[5]?.receipt.purchase).toEqual({ shop: "gift-shop", order: 9007199254740986, line: 5, unit: 2, recordedAt: 1767225605 });
    expect(verified.map(({ receipt }) => openingOf(receipt))[5]).toBe("gift-shop-9007199254740986-5-2");
    expect(verified.at(-1)?.receipt.beacon.round).toBe(657413);
  });

  it("tells how its outcome came about", () => {
    const { receipt, drop, course } = verifyReceipt(receipts[0] as string);
    expect(course).toMatchObject({ sum: 1000, least: 700, picked: { id: "fang", weight: 250 } });
    expect(BigInt(`0x${course.word}`) % 1000n).toBe(BigInt(course.number));
    expect(course.number).toBeGreaterThanOrEqual(700);
    expect(course.number).toBeLessThan(950);
    expect(course.randomness).toBe(bytesToHex(sha256(hexToBytes(receipt.beacon.signature))));
    expect(course.tableHash).toBe(bytesToHex(sha256(receipt.table)));
    expect(drop).toBe(course.picked);
    expect(openingOf(receipt)).toBe(`421614-0x${"00".repeat(32)}-0-0`);
    // By the pity rule only the epic and the mythic drop are eligible.
    expect(verifyReceipt(receipts[10] as string).course).toMatchObject({ sum: 50, least: 45, picked: { id: "god" } });
  });

  it("is of drand's quicknet only with all that drand documents of it", () => {
    const { beacon } = JSON.parse(receipts.at(-1) as string) as Receipt;
    expect(isQuicknet(beacon)).toBe(true);
    for (const other of [{ genesis: 1692803368 }, { period: 30 }, { scheme: "pedersen-bls-unchained" }, { publicKey: beacon.publicKey.replace("8", "9") }])
      expect(isQuicknet({ ...beacon, ...other })).toBe(false);
  });

  it("is checked without throwing", () => {
    expect(checkReceipt(receipts[0] as string)).toMatchObject({ right: true, drop: { id: "fang" } });
    expect(checkReceipt("{}")).toEqual({ right: false, reason: "This is no receipt, or not as it was written." });
  });

  it.each([
    ["a burn", receipts],
    ["a purchase", purchases],
  ])("of %s with any byte changed is refused", (_, texts) => {
    const text = texts[5] as string;
    for (let i = 0; i < text.length; i++) {
      const changed = text.slice(0, i) + String.fromCharCode(text.charCodeAt(i) ^ 1) + text.slice(i + 1);
      expect(() => verifyReceipt(changed), changed).toThrow(ReceiptError);
    }
    for (const other of ["", "{}", "null", `${text} `, text + text, text.slice(0, -1)]) expect(() => verifyReceipt(other)).toThrow(ReceiptError);
  });

  it.each<[string, Changes, string]>([
    ["another outcome", { outcome: { drop: "god" } }, "The draw gives"],
    ["a pity that was not", { outcome: { pity: !good.outcome.pity } }, "The draw gives"],
    ["a token of one's choice", { outcome: { tokens: ["7"] } }, "The draw gives"],
    ["a later round", { beacon: { round: good.beacon.round + 1 } }, "The burn's round is"],
    ["a later burn", { burn: { blockTime: good.burn.blockTime + 1 } }, "The burn's round is"],
    ["another round's signature", { beacon: { signature: next.beacon.signature } }, "not the beacon's"],
    ["another beacon's key", { beacon: { publicKey: last.beacon.publicKey } }, "not the beacon's"],
    ["no signature", { beacon: { signature: "" } }, "not the beacon's"],
    ["the point at infinity as signature", { beacon: { signature: `c0${"00".repeat(47)}` } }, "not the beacon's"],
    ["the point at infinity as signature and key", { beacon: { publicKey: `c0${"00".repeat(95)}`, signature: `c0${"00".repeat(47)}` } }, "not the beacon's"],
    ["another scheme", { beacon: { scheme: "pedersen-bls-chained" } }, "scheme"],
    ["rounds without a period", { beacon: { period: 0 } }, "scheme"],
    ["a table of tomorrow", { table: good.table.replace("2026-01-01", "2026-01-02") }, "not in force"],
    ["a table whose weights do not sum", { table: good.table.replace('"total":1000', '"total":1001') }, "do not add up"],
    ["a cap of nothing", { table: good.table.replace('"cap":3', '"cap":0') }, "no substitute"],
    ["a cap without a substitute", { table: good.table.replace(',"substitute":"blade"', "") }, "no substitute"],
    ["a substitute without a cap", { table: good.table.replace('"cap":3,', "") }, "no substitute"],
    ["a substitute that is not as rare", { table: good.table.replace('"substitute":"blade"', '"substitute":"fang"') }, "no substitute"],
    ["a negative count", { before: { without: -1 } }, "This is no receipt"],
    ["one more field", { burn: JSON.parse('{"luck":7}') }, "This is no receipt"],
    ["the version of purchases", { version: 2 }, "This is no receipt of version 1 or 2."],
    ["the next version", { version: 3 }, "This is no receipt of version 1 or 2."],
  ])("forged with %s is refused", (_, changes, message) => {
    expect(() => verifyReceipt(forged(changes, good))).toThrow(message);
  });

  it.each<[string, Changes<Bought>, string]>([
    ["another shop", { purchase: { shop: "gift-shop-2" } }, "The draw gives"],
    ["another order", { purchase: { order: bought.purchase.order - 1 } }, "The draw gives"],
    ["another line", { purchase: { line: bought.purchase.line + 2 } }, "The draw gives"],
    ["another unit", { purchase: { unit: bought.purchase.unit + 1 } }, "The draw gives"],
    ["a later payment", { purchase: { recordedAt: bought.purchase.recordedAt + 1 } }, "The purchase's round is"],
    ["a later round", { beacon: { round: bought.beacon.round + 1 } }, "The purchase's round is"],
    ["a payment before the table", { purchase: { recordedAt: Date.parse("2026-01-01") / 1000 - 1 } }, "not in force yet at the time of the purchase"],
    ["another outcome", { outcome: { drop: "hat" } }, "The draw gives"],
    ["a drop drawn more often", { before: { drawn: { god: 3 } } }, "The draw gives"],
    ["no shop", { purchase: { shop: "" } }, "The shop's name is malformed."],
    ["a shop in capitals", { purchase: { shop: "Gift-shop" } }, "The shop's name is malformed."],
    ["a shop that is a number", { purchase: { shop: "7" } }, "The shop's name is malformed."],
    ["a shop of 33 letters", { purchase: { shop: "a".repeat(33) } }, "The shop's name is malformed."],
    ["an order that is too much", { purchase: { order: 2 ** 53 } }, "This is no receipt"],
    ["a line that is too much", { purchase: { line: 2 ** 53 } }, "This is no receipt"],
    ["a unit that is too much", { purchase: { unit: 2 ** 53 } }, "This is no receipt"],
    ["a time before 1970", { purchase: { recordedAt: -1 } }, "This is no receipt"],
    ["a time after 9999", { purchase: { recordedAt: 253_402_300_800 } }, "The times are malformed."],
    ["one more field", { purchase: JSON.parse('{"luck":7}') }, "This is no receipt"],
    ["openings before it", { before: { without: 1 } }, "A purchase has no wallet"],
    ["a pity rule", { table: good.table }, "A purchase has no wallet"],
    ["the version of burns", { version: 1 }, "This is no receipt of version 1 or 2."],
    ["the next version", { version: 3 }, "This is no receipt of version 1 or 2."],
  ])("of a purchase forged with %s is refused", (_, changes, message) => {
    expect(() => verifyReceipt(forged(changes, bought))).toThrow(message);
  });

  it("has either a burn or a purchase, by its version", () => {
    const text = (receipt: Receipt, version: number, parts: object) => {
      const { burn, purchase, version: _, digest: __, ...rest } = receipt;
      const whole = { version, ...parts, ...rest, digest: "" };
      return JSON.stringify({ ...whole, digest: bytesToHex(sha256(JSON.stringify(whole))) });
    };
    const { burn } = good;
    const { purchase } = bought;
    expect(verifyReceipt(text(good, 1, { burn })).drop.id).toBe(good.outcome.drop);
    expect(verifyReceipt(text(bought, 2, { purchase })).drop.id).toBe(bought.outcome.drop);
    for (const [receipt, version, parts] of [
      [good, 1, { burn, purchase }],
      [bought, 2, { burn, purchase }],
      [bought, 2, { burn }],
      [good, 1, { purchase }],
      [good, 1, {}],
      [bought, 2, {}],
    ] as const)
      expect(() => verifyReceipt(text(receipt, version, parts))).toThrow("This is no receipt of version 1 or 2.");
  });

  it("counts a signature in one spelling only", () => {
    const modulus = 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn;
    const receipt = parsed.at(-2) as Burned;
    const signature = (BigInt(`0x${receipt.beacon.signature}`) + modulus).toString(16);
    expect(signature).toHaveLength(96);
    expect(() => verifyReceipt(forged({ beacon: { signature } }, receipt))).toThrow("not the beacon's");
  });

  it("is of the first round two periods after the burn", () => {
    const quicknet = { genesis: 1692803367, period: 3 };
    expect([-100, -6, -5, -3, 0, 1, 3, 4, 3000].map((s) => roundAfter(quicknet, quicknet.genesis + s))).toEqual([1, 1, 2, 2, 3, 4, 4, 5, 1003]);
  });
});
