import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "@noble/hashes/sha2";
import { bytesToHex } from "@noble/hashes/utils";
import { describe, expect, it } from "vitest";
import { type Receipt, ReceiptError, roundAfter, verifyReceipt } from "./verify";

/** Receipts from the server's implementation. The last is of a real round of drand's quicknet. */
const receipts: string[] = JSON.parse(readFileSync(join(import.meta.dirname, "../../../../internal/portal/draw/testdata/receipts.json"), "utf8"));

/** A receipt's text with changes and a matching digest. */
function forged(change: (receipt: Receipt) => void): string {
  const receipt: Receipt = JSON.parse(receipts[5] as string);
  change(receipt);
  receipt.digest = "";
  receipt.digest = bytesToHex(sha256(JSON.stringify(receipt)));
  return JSON.stringify(receipt);
}

describe("a receipt", () => {
  it("of the server is verified, with every kind of outcome among them", () => {
    const verified = receipts.map(verifyReceipt);
    expect(verified).toHaveLength(26);
    expect(verified.some(({ receipt }) => receipt.outcome.pity)).toBe(true);
    expect(verified.some(({ receipt }) => !receipt.outcome.pity)).toBe(true);
    expect(verified.at(-1)?.receipt.beacon.round).toBe(657413);
  });

  it("with any byte changed is refused", () => {
    const text = receipts[5] as string;
    for (let i = 0; i < text.length; i++) {
      const changed = text.slice(0, i) + String.fromCharCode(text.charCodeAt(i) ^ 1) + text.slice(i + 1);
      expect(() => verifyReceipt(changed), changed).toThrow(ReceiptError);
    }
    for (const other of ["", "{}", "null", `${text} `, text + text, text.slice(0, -1)]) expect(() => verifyReceipt(other)).toThrow(ReceiptError);
  });

  it.each<[string, (receipt: Receipt) => void, string]>([
    [
      "another outcome",
      (r) => {
        r.outcome.drop = "god";
      },
      "The draw gives",
    ],
    [
      "a pity that was not",
      (r) => {
        r.outcome.pity = !r.outcome.pity;
      },
      "The draw gives",
    ],
    [
      "a token of one's choice",
      (r) => {
        r.outcome.tokens = ["7"];
      },
      "The draw gives",
    ],
    [
      "a later round",
      (r) => {
        r.beacon.round++;
      },
      "The burn's round is",
    ],
    [
      "a later burn",
      (r) => {
        r.burn.blockTime++;
      },
      "The burn's round is",
    ],
    [
      "another round's signature",
      (r) => {
        r.beacon.signature = (JSON.parse(receipts[6] as string) as Receipt).beacon.signature;
      },
      "not the beacon's",
    ],
    [
      "another beacon's key",
      (r) => {
        r.beacon.publicKey = (JSON.parse(receipts.at(-1) as string) as Receipt).beacon.publicKey;
      },
      "not the beacon's",
    ],
    [
      "no signature",
      (r) => {
        r.beacon.signature = "";
      },
      "not the beacon's",
    ],
    [
      "the point at infinity as signature",
      (r) => {
        r.beacon.signature = `c0${"00".repeat(47)}`;
      },
      "not the beacon's",
    ],
    [
      "another scheme",
      (r) => {
        r.beacon.scheme = "pedersen-bls-chained";
      },
      "scheme",
    ],
    [
      "rounds without a period",
      (r) => {
        r.beacon.period = 0;
      },
      "scheme",
    ],
    [
      "a table of tomorrow",
      (r) => {
        r.table = r.table.replace("2026-01-01", "2026-01-02");
      },
      "not in force",
    ],
    [
      "a table whose weights do not sum",
      (r) => {
        r.table = r.table.replace('"total":1000', '"total":1001');
      },
      "do not add up",
    ],
    [
      "a negative count",
      (r) => {
        r.before.without = -1;
      },
      "This is no receipt",
    ],
    [
      "one more field",
      (r) => {
        Object.assign(r.burn, { luck: 7 });
      },
      "This is no receipt",
    ],
  ])("forged with %s is refused", (_, change, message) => {
    expect(() => verifyReceipt(forged(change))).toThrow(message);
  });

  it("counts a signature in one spelling only", () => {
    const receipt: Receipt = JSON.parse(receipts.at(-2) as string);
    const modulus = 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn;
    const other = (BigInt(`0x${receipt.beacon.signature}`) + modulus).toString(16);
    expect(other).toHaveLength(96);
    const respelled = { ...receipt, beacon: { ...receipt.beacon, signature: other }, digest: "" };
    const text = JSON.stringify({ ...respelled, digest: bytesToHex(sha256(JSON.stringify(respelled))) });
    expect(() => verifyReceipt(text)).toThrow("not the beacon's");
  });

  it("is of the first round two periods after the burn", () => {
    const quicknet = { genesis: 1692803367, period: 3 };
    expect([-100, -6, -5, -3, 0, 1, 3, 4, 3000].map((s) => roundAfter(quicknet, quicknet.genesis + s))).toEqual([1, 1, 2, 2, 3, 4, 4, 5, 1003]);
  });
});
