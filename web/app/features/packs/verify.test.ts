import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "@noble/hashes/sha2";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils";
import { describe, expect, it } from "vitest";
import { checkReceipt, isQuicknet, openingOf, type Receipt, ReceiptError, roundAfter, verifyReceipt } from "./verify";

/** Receipts from the server's implementation. The last is of a real round of drand's quicknet. */
const receipts: string[] = JSON.parse(readFileSync(join(import.meta.dirname, "../../../../internal/portal/draw/testdata/receipts.json"), "utf8"));

const parsed: Receipt[] = receipts.map((text) => JSON.parse(text));
const [good, next, last] = [parsed[5], parsed[6], parsed.at(-1)] as [Receipt, Receipt, Receipt];

/** Changed fields by part of a receipt, or the whole part if it is a text. */
type Changes = { [Part in keyof Receipt]?: Receipt[Part] extends object ? Partial<Receipt[Part]> : Receipt[Part] };

/** A receipt's text with changes and a matching digest. */
function forged(changes: Changes, receipt = good): string {
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

  it("with any byte changed is refused", () => {
    const text = receipts[5] as string;
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
  ])("forged with %s is refused", (_, changes, message) => {
    expect(() => verifyReceipt(forged(changes))).toThrow(message);
  });

  it("counts a signature in one spelling only", () => {
    const modulus = 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn;
    const receipt = parsed.at(-2) as Receipt;
    const signature = (BigInt(`0x${receipt.beacon.signature}`) + modulus).toString(16);
    expect(signature).toHaveLength(96);
    expect(() => verifyReceipt(forged({ beacon: { signature } }, receipt))).toThrow("not the beacon's");
  });

  it("is of the first round two periods after the burn", () => {
    const quicknet = { genesis: 1692803367, period: 3 };
    expect([-100, -6, -5, -3, 0, 1, 3, 4, 3000].map((s) => roundAfter(quicknet, quicknet.genesis + s))).toEqual([1, 1, 2, 2, 3, 4, 4, 5, 1003]);
  });
});
