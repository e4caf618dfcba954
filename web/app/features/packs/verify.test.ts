import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bls12_381 } from "@noble/curves/bls12-381";
import { describe, expect, it } from "vitest";
import {
  anchored,
  bought,
  burned,
  burnReceipt,
  chests,
  drawnAgain,
  godTable,
  portal,
  purchaseReceipt,
  quicknet,
  sealed,
  sealedText,
  signatureOf,
  testBeacon,
} from "../../../test/draws";
import { unitsOf } from "./items";
import {
  blockOf,
  checkReceipt,
  type Drop,
  isQuicknet,
  openingOf,
  type Part,
  type Receipt,
  ReceiptError,
  roundAfter,
  type Table,
  type Variant,
  verifyReceipt,
} from "./verify";

/** A receipt of a burn, and one of a purchase with two new tokens, by the tests' beacon. */
const good = burnReceipt({ drop: "fang" });
const shop = purchaseReceipt({ drop: "two-avatars" });
/** One whose outcome has a serial number, which other random words would change. */
const god = burnReceipt({ drop: "god", before: { without: 9, given: { "elder-gods": 0 } } });

type Changes = { [Part in keyof Receipt]?: unknown };

/** A receipt's text with changed fields by part, or whole parts that are no objects. Its digest fits. */
function changed(receipt: Receipt, changes: Changes): string {
  const parts = Object.entries(changes).map(([part, change]) => [
    part,
    typeof change === "object" && change !== null && !Array.isArray(change)
      ? { ...(receipt[part as keyof Receipt] as object), ...change }
      : change,
  ]);
  return sealed({ ...receipt, ...Object.fromEntries(parts) });
}

/** The text of a receipt with another table, whose digest fits. */
function withTable(receipt: Receipt, edit: (table: Table) => unknown): string {
  const table = JSON.parse(receipt.table) as Table;
  return sealed({ ...receipt, table: JSON.stringify(edit(table) ?? table) });
}

const dropOf = (table: Table, id: string) => table.drops.find((drop) => drop.id === id) as Drop;
const partOf = (table: Table, at = 0) => dropOf(table, "god").gives[at] as Part;
const variantOf = (table: Table, at = 0) => partOf(table).variants?.[at] as Variant;
/** The object with fields set, at the end if it has none of the name. */
const set = (of: object, values: object) => void Object.assign(of, values);
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

/** A table of one drop for a burned pack, with changes. */
const small = (some: Partial<Drop> = {}, table: Partial<Table> = {}): Table => {
  const drop: Drop = { id: "a", name: "A", rarity: "common", weight: 1, gives: [{ currency: "fa", amount: 1 }], ...some };
  return { kind: "k", edition: 1, token: "0", total: drop.weight, ...table, drops: table.drops ?? [drop] };
};
/** The same with a new token. */
const smallToken = (variants: Variant[], some: Partial<Drop> = {}) =>
  small({ gives: [{ collection: "c", amount: 1, total: variants.reduce((sum, { weight }) => sum + weight, 0), variants }], ...some });
const face = (at: number, some: Partial<Variant> = {}): Variant => ({
  id: `v${at}`,
  name: "V",
  rarity: "common",
  weight: 1,
  series: at + 1,
  ...some,
});

describe("a receipt", () => {
  it("of a burn by drand's quicknet gives what an implementation in another language has computed", () => {
    const text = sealed(burnReceipt({ real: true }, { logIndex: 316 }));
    const { receipt, drop, table, course } = verifyReceipt(text);
    expect(course).toMatchObject({
      randomness: "fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587",
      tableHash: "1bfb6739a1e10d135e723d34a39f1232d1a724ef15976676e1010c3fa9147ce9",
      word: "9bc1ffa7ff0e1cf3",
      sum: 1000,
      number: 995,
      least: 995,
      picked: { id: "god" },
    });
    expect(course.tokens).toEqual([
      {
        collection: "elder-gods",
        word: "3839fe6b0090163c",
        sum: 4,
        number: 0,
        least: 0,
        picked: { id: "zeus", name: "Zeus", rarity: "mythic", weight: 1, series: 201 },
        serialWord: "58124a4dfe071853",
        serial: 6523753265235,
        id: "2016523753265235",
      },
    ]);
    expect(drop.name).toBe("An Elder God");
    expect(table.edition).toBe(2);
    expect(receipt.outcome).toEqual({ drop: "god", pity: false, instead: false, tokens: [{ variant: "zeus", id: "2016523753265235" }] });
    expect(openingOf(receipt)).toBe(`421614-0x${"00".repeat(31)}07-316-2`);
    expect(blockOf(receipt)).toMatchObject({ block: 123, blockTime: 1694775597 });
  });

  it("of a purchase reads on in the next block of words", () => {
    const { receipt, course } = verifyReceipt(sealed(purchaseReceipt({ real: true }, { unit: 33 })));
    expect(course).toMatchObject({ word: "57ab3a854123d363", number: 899, least: 700, picked: { id: "two-avatars" } });
    expect(course.tokens.map(({ word, number, least, picked, serialWord }) => [word, number, least, picked.id, serialWord])).toEqual([
      ["30be53286166cdab", 91, 90, "oracle", "6088408d1f07cbfc"],
      ["52d3a4cc8d9acce8", 72, 0, "helmsman", "c898b38ad4d8fcdc"],
    ]);
    expect(receipt.outcome.tokens.map(({ id }) => id)).toEqual(["20599328902140", "10412903455964"]);
    expect(openingOf(receipt)).toBe("gift-shop-9007199254083578-1-33");
    expect(blockOf(receipt)).toMatchObject({ block: 130, blockTime: 1694775597 });
  });

  it("skips a word of the incomplete last multiple of the weights, which would favour the first drops", () => {
    const total = 999_986_126_400_475; // almost all of it is left when 2^64 is divided by it
    const drops = times(1000, (at) => ({ ...(small().drops[0] as Drop), id: `d${at}`, weight: at < 999 ? 1e12 : total - 999e12 }));
    const { course } = verifyReceipt(sealed(burnReceipt({ real: true, table: small({}, { total, drops }) }, { logIndex: 16729 })));
    // The word before it was 0xfffcd7a89aa496a7.
    expect(course).toMatchObject({ word: "9df4bad6b4b57eef", number: 85_498_899_440_637, least: 85e12, picked: { id: "d85" } });
  });

  it("is drawn among what is rare enough by the pity rule", () => {
    const { course, receipt } = verifyReceipt(sealed(burnReceipt({ drop: "blade", before: { without: 9, given: { "elder-gods": 0 } } })));
    expect(receipt.outcome.pity).toBe(true);
    expect(course).toMatchObject({ sum: 50, least: 0, picked: { id: "blade" } });
    expect(verifyReceipt(sealed(burnReceipt({ before: { without: 8, given: { "elder-gods": 0 } } }))).course.sum).toBe(1000);
  });

  it("has the substitute where a capped item has run out", () => {
    const counted = (units: number) => ({ without: 9, given: { "elder-gods": units } });
    const { burn } = burnReceipt({ drop: "god", before: counted(0) });
    const of = (units: number) => verifyReceipt(sealed(burnReceipt({ before: counted(units) }, burn)));
    expect(of(2)).toMatchObject({ drop: { id: "god" }, receipt: { outcome: { instead: false } }, course: { picked: { id: "god" } } });
    for (const units of [3, 4, 2 ** 53 - 1]) {
      const { drop, receipt, course } = of(units);
      expect(course.picked.id).toBe("god");
      expect([drop.id, course.tokens]).toEqual(["blade", []]);
      expect(receipt.outcome).toEqual({ drop: "blade", pity: true, instead: true, tokens: [] });
    }
  });

  it("counts all units that a drop gives of a capped item", () => {
    const copies = (amount: number): Part => ({ collection: "c", token: "1", amount });
    const table = small(
      {},
      {
        total: 1_000_000_001,
        caps: [{ item: "c/1", most: 5 }],
        drops: [
          {
            id: "a",
            name: "A",
            rarity: "common",
            weight: 1_000_000_000,
            gives: [copies(2), { collection: "c", token: "2", amount: 9 }, copies(2)],
            substitute: "b",
          },
          { id: "b", name: "B", rarity: "common", weight: 1, gives: [{ currency: "fa", amount: 1 }] },
        ],
      },
    );
    expect(unitsOf(dropOf(table, "a"), "c/1")).toBe(4);
    const of = (units: number) =>
      verifyReceipt(sealed(burnReceipt({ table, before: { without: 0, given: { "c/1": units } } }))).receipt.outcome.instead;
    expect([0, 1, 2, 3].map(of)).toEqual([false, false, true, true]);
  });

  it("is of drand's quicknet only with all that drand documents of it", () => {
    expect(isQuicknet(quicknet)).toBe(true);
    for (const other of [
      { genesis: 1692803368 },
      { period: 30 },
      { scheme: "pedersen-bls-unchained" },
      { publicKey: quicknet.publicKey.replace("8", "9") },
    ])
      expect(isQuicknet({ ...quicknet, ...other })).toBe(false);
  });

  it("is checked without throwing", () => {
    expect(checkReceipt(sealed(good))).toMatchObject({ right: true, drop: { id: "fang" } });
    expect(checkReceipt("{}")).toEqual({ right: false, reason: "This is no receipt: “version” is missing, out of place or malformed." });
    expect(checkReceipt("[]")).toEqual({ right: false, reason: "This is no receipt." });
  });

  it("is of the first round two periods and the margin after its time", () => {
    const beacon = { genesis: 1692803367, period: 3 };
    expect([-100, -6, -5, -3, 0, 1, 3, 4, 3000].map((s) => roundAfter(beacon, beacon.genesis + s))).toEqual([1, 1, 2, 2, 3, 4, 4, 5, 1003]);
    expect([0, 1, 3, 604_800].map((margin) => roundAfter(beacon, beacon.genesis, margin))).toEqual([3, 4, 4, 201_603]);
    expect(roundAfter({ genesis: 0, period: 86_400 }, 253_402_300_799, 604_800)).toBe(2_932_907);
  });

  it.each([
    ["a burn", good],
    ["a purchase", shop],
  ])("of %s with any character changed is refused", (_, receipt) => {
    const text = sealed(receipt);
    for (let i = 0; i < text.length; i++) {
      const other = text.slice(0, i) + String.fromCharCode(text.charCodeAt(i) ^ 1) + text.slice(i + 1);
      expect(() => verifyReceipt(other), other).toThrow(ReceiptError);
    }
    for (let i = 0; i < text.length; i += 7) expect(() => verifyReceipt(text.slice(0, i))).toThrow(ReceiptError);
  });
});

describe("a receipt is accepted", () => {
  it.each<[string, Table]>([
    [
      "every bound of a table's fields",
      small({ weight: 1e12, gives: [{ currency: "fa", amount: 1e12 }] }, { edition: 1_000_000, token: String(2n ** 256n - 1n) }),
    ],
    ["ids of 64 characters", small({ id: `a${"-0".repeat(31)}b` }, { kind: "k".repeat(64) })],
    ["names of 200 characters, and of one", small({ name: "’".repeat(200) })],
    ["every character of names", small({ name: `!"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}~ ¡ÿĀɏ\u2010‧“”–—…` })],
    ["a pity rule of a million openings", small({ rarity: "mythic" }, { pity: { after: 1_000_000, rarity: "mythic" } })],
    ["sixteen parts", small({ gives: times(16, () => ({ currency: "fa", amount: 1 })) })],
    ["64 variants, of the last series too", smallToken(times(64, (at) => face(at, at === 63 ? { series: 899, weight: 1e12 } : {})))],
    ["a thousand drops", small({}, { total: 1000, drops: times(1000, (at) => ({ ...(small().drops[0] as Drop), id: `d${at}` })) })],
    [
      "a series that has the same variant in two parts",
      { ...small(), drops: [{ ...(small().drops[0] as Drop), gives: times(2, () => smallToken([face(0)]).drops[0]?.gives[0] as Part) }] },
    ],
    [
      "a series of two collections",
      small({
        gives: ["a", "b"].map((collection) => ({
          ...(smallToken([face(0, { name: collection })]).drops[0]?.gives[0] as Part),
          collection,
        })),
      }),
    ],
  ])("with %s", (_, table) => {
    expect(verifyReceipt(sealed(burnReceipt({ table }))).table).toEqual(table);
  });

  it.each<[string, Partial<typeof burned>]>([
    ["the greatest numbers", { logIndex: 2 ** 53 - 1, number: 2 ** 53 - 1, block: 2 ** 53 - 1 }],
    ["the least", { logIndex: 0, number: 0, block: 100 }],
    ["a margin of a week", { margin: 604_800 }],
  ])("of a burn with %s", (_, burn) => {
    expect(verifyReceipt(sealed(burnReceipt({}, burn))).receipt.burn).toMatchObject(burn);
  });

  it.each<[string, Parameters<typeof purchaseReceipt>[1] & object]>([
    [
      "the greatest numbers",
      {
        order: 2 ** 53 - 1,
        line: 2 ** 53 - 1,
        unit: 2 ** 53 - 1,
        record: 2 ** 53 - 1,
        shop: "s".repeat(32),
        anchor: { record: 2 ** 53 - 1, chainId: 2 ** 53 - 1, block: 2 ** 53 - 1 },
      },
    ],
    [
      "the least",
      { order: 0, line: 0, unit: 0, record: 1, nonce: `0x${"00".repeat(32)}`, shop: "s", anchor: { record: 1, chainId: 1, block: 1 } },
    ],
    ["a margin of a week", { anchor: { margin: 604_800 } }],
    ["an anchor that names its record", { anchor: { record: 7 } }],
    ["an anchor in the block after that of the table", { anchor: { block: 101 } }],
    ["an anchor that is dated before its record", { anchor: { blockTime: bought.recordedAt - 1 } }],
  ])("of a purchase with %s", (_, purchase) => {
    expect(verifyReceipt(sealed(purchaseReceipt({}, purchase))).receipt.purchase).toMatchObject(purchase);
  });

  it("of a purchase whose table was fixed on another chain, in a later block, a second before the record", () => {
    const fixed = { chainId: 1, block: 2 ** 53 - 1, blockTime: bought.recordedAt - 1 };
    expect(verifyReceipt(sealed(purchaseReceipt({ fixed }))).receipt.fixed).toMatchObject(fixed);
  });

  it.each<[string, Partial<Receipt["fixed"]>]>([
    ["in the block of the burn", { block: burned.block, blockTime: burned.blockTime }],
    ["by a wallet on another chain, in a later block", { by: "wallet", address: portal, chainId: 1, block: 2 ** 53 - 1 }],
  ])("whose table was fixed %s", (_, fixed) => {
    expect(verifyReceipt(sealed(burnReceipt({ fixed }))).receipt.fixed).toMatchObject(fixed);
  });

  it("of a beacon with any period and genesis", () => {
    for (const some of [{ period: 86_400 }, { genesis: 0 }, { genesis: 253_402_300_799 }]) {
      const receipt = drawnAgain({ ...good, beacon: { ...testBeacon, ...some, round: 0, signature: "" } });
      expect(verifyReceipt(sealed(receipt)).receipt.beacon).toMatchObject(some);
    }
  });
});

/** Values that no integer may have. */
const noIntegers = [-1, 0.5, 2 ** 53, 1e300, "1", true, [], {}, null];
const upper = (hex: string) => `0x${hex.slice(2).toUpperCase()}`;
const long = { hash: `0x${"b1".repeat(32)}`, address: `0x${"ab".repeat(20)}` };
const noHex = (hex: string) => [
  "",
  "0x",
  hex.slice(2),
  hex.slice(0, -2),
  `${hex}00`,
  hex.replace("0x", "0X"),
  upper(hex),
  hex.replace(/.$/, "g"),
  `${hex}\n`,
  7,
  null,
];
const noIds = ["", "A", "1a", "-a", "a-", "a--b", "a_b", "a b", "é", "a\n", "a".repeat(65), 7, null];
const noUints = ["", "-1", "+1", "01", "00", "1.0", "1e3", "0x1", "１", " 1", String(2n ** 256n), "9".repeat(78), "1".repeat(79), 1, null];
const noNames = [
  "",
  " ",
  " a",
  "a ",
  "a\n",
  "a\tb",
  "a\0",
  "a\u007f",
  "a\u0080b",
  "a\u00a0b",
  "a\u0250",
  "a\u200bb",
  "a\u200f",
  "a\u2028b",
  "a\u202eb",
  "日本",
  "🜨",
  "a".repeat(201),
  7,
  null,
];
const noRarities = ["", "Common", "common ", "godly", "toString", 7, null];
const noSeconds = [...noIntegers, 253_402_300_800];

/** The object with another value at a place. */
const withValue = (of: object, [field = "", ...rest]: string[], value: unknown): object => {
  const inner = (of as Record<string, object>)[field] as object;
  return { ...of, [field]: rest.length ? withValue(inner, rest, value) : value };
};

describe("a receipt is refused with a malformed", () => {
  it.each<[string, Receipt, string, unknown[]]>([
    ["version", good, "version", [0, 1, 2, 4, "3", null]],
    ["chain", good, "burn.chainId", [...noIntegers, 0]],
    ["contract", good, "burn.contract", noHex(long.address)],
    ["token", good, "burn.token", noUints],
    ["transaction", good, "burn.tx", noHex(long.hash)],
    ["log", good, "burn.logIndex", noIntegers],
    ["copy", good, "burn.number", noIntegers],
    ["wallet", good, "burn.wallet", noHex(long.address)],
    ["block", good, "burn.block", [...noIntegers, 0]],
    ["block hash", good, "burn.blockHash", noHex(long.hash)],
    ["block time", good, "burn.blockTime", noSeconds],
    ["margin", good, "burn.margin", [...noIntegers, 604_801]],
    ["shop", shop, "purchase.shop", [...noIds, "a".repeat(33)]],
    ["order", shop, "purchase.order", noIntegers],
    ["line", shop, "purchase.line", noIntegers],
    ["unit", shop, "purchase.unit", noIntegers],
    ["nonce", shop, "purchase.nonce", noHex(long.hash)],
    ["record", shop, "purchase.record", [...noIntegers, 0]],
    ["time of a record", shop, "purchase.recordedAt", noSeconds],
    ["anchor", shop, "purchase.anchor", [null, [], {}, 7, "{}"]],
    ...(
      [
        ["record", [...noIntegers, 0]],
        ["chainId", [...noIntegers, 0]],
        ["wallet", noHex(long.address)],
        ["tx", noHex(long.hash)],
        ["block", [...noIntegers, 0]],
        ["blockHash", noHex(long.hash)],
        ["blockTime", noSeconds],
        ["margin", [...noIntegers, 604_801]],
      ] as const
    ).map(([field, values]): [string, Receipt, string, unknown[]] => [
      `${field} of an anchor`,
      shop,
      `purchase.anchor.${field}`,
      [...values],
    ]),
    ["table", good, "table", [7, null, {}]],
    ["chain of the table", good, "fixed.chainId", [...noIntegers, 0]],
    ["way of fixing the table", good, "fixed.by", ["", "Contract", "file", null]],
    ["address of the table", good, "fixed.address", noHex(long.address)],
    ["transaction of the table", good, "fixed.tx", noHex(long.hash)],
    ["block of the table", good, "fixed.block", [...noIntegers, 0]],
    ["time of the table", good, "fixed.blockTime", noSeconds],
    ["scheme", good, "beacon.scheme", ["", "pedersen-bls-chained", "bls-unchained-on-g1", null]],
    [
      "key",
      good,
      "beacon.publicKey",
      ["", testBeacon.publicKey.toUpperCase(), testBeacon.publicKey.slice(2), `0x${testBeacon.publicKey.slice(2)}`, null],
    ],
    ["genesis", good, "beacon.genesis", noSeconds],
    ["period", good, "beacon.period", [...noIntegers, 0, 86_401]],
    ["round", good, "beacon.round", [...noIntegers, 0]],
    ["signature", good, "beacon.signature", ["", good.beacon.signature.toUpperCase(), `${good.beacon.signature}00`, null]],
    ["count of openings", good, "before.without", noIntegers],
    ["list of what was given", good, "before.given", [null, [], 7, "{}"]],
    ["number of what was given", good, "before.given", noIntegers.map((units) => ({ "elder-gods": units }))],
    ["drop", good, "outcome.drop", noIds],
    ["pity", good, "outcome.pity", [0, "false", null]],
    ["substitution", good, "outcome.instead", [0, "false", null]],
    [
      "list of tokens",
      good,
      "outcome.tokens",
      [null, {}, [7], ["7"], [{ variant: "a" }], [{ id: "7", variant: "a" }], times(17, () => ({ variant: "a", id: "7" }))],
    ],
    ["variant of a token", shop, "outcome.tokens", noIds.map((variant) => [{ variant, id: "7" }])],
    ["id of a token", shop, "outcome.tokens", noUints.map((id) => [{ variant: "a", id }])],
    ["digest", good, "digest", [7, null]],
  ])("%s", (_, receipt, place, values) => {
    const [part = ""] = place.split(".");
    for (const value of values) {
      const text = JSON.stringify(withValue(receipt, place.split("."), value));
      expect(() => verifyReceipt(part === "digest" ? text : sealedText(text)), `${place} ${JSON.stringify(value)}`).toThrow(
        `This is no receipt: “${place}`,
      );
    }
  });

  it.each<[string, string, (table: Table, value: never) => unknown, unknown[]]>([
    ["kind", "kind", (table, kind) => set(table, { kind }), noIds],
    ["edition", "edition", (table, edition) => set(table, { edition }), [...noIntegers, 0, 1_000_001]],
    ["token", "token", (table, token) => set(table, { token }), noUints],
    ["total", "total", (table, total) => set(table, { total }), [...noIntegers, 0]],
    [
      "pity rule",
      "pity",
      (table, pity) => set(table, { pity }),
      [null, {}, [], 7, { rarity: "epic", after: 9 }, { after: 9 }, { after: 9, rarity: "epic", x: 1 }],
    ],
    ["count of the pity rule", "pity.after", (table, after) => set(table.pity ?? {}, { after }), [...noIntegers, 0, 1_000_001]],
    ["rarity of the pity rule", "pity.rarity", (table, rarity) => set(table.pity ?? {}, { rarity }), noRarities],
    [
      "list of caps",
      "caps",
      (table, caps) => set(table, { caps }),
      [null, [], {}, [7], [{ item: "elder-gods" }], [{ most: 3, item: "elder-gods" }]],
    ],
    ["cap", "caps[0].most", (table, most) => set(table.caps?.[0] ?? {}, { most }), [...noIntegers, 0, 1e12 + 1]],
    [
      "list of drops",
      "drops",
      (table, drops) => set(table, { drops }),
      [null, [], {}, [7], times(1001, (at) => ({ ...godTable.drops[0], id: `d${at}` }))],
    ],
    ["drop's id", "drops[3].id", (table, id) => set(dropOf(table, "god"), { id }), noIds],
    ["drop's name", "drops[3].name", (table, name) => set(dropOf(table, "god"), { name }), noNames],
    ["drop's rarity", "drops[3].rarity", (table, rarity) => set(dropOf(table, "god"), { rarity }), noRarities],
    ["drop's weight", "drops[3].weight", (table, weight) => set(dropOf(table, "god"), { weight }), [...noIntegers, 0, 1e12 + 1]],
    ["drop's substitute", "drops[3].substitute", (table, substitute) => set(dropOf(table, "god"), { substitute }), noIds],
    [
      "drop's parts",
      "drops[3].gives",
      (table, gives) => set(dropOf(table, "god"), { gives }),
      [null, [], {}, times(17, () => ({ currency: "fa", amount: 1 }))],
    ],
    [
      "part",
      "drops[3].gives[1]",
      (table, part) => dropOf(table, "god").gives.splice(1, 1, part),
      [
        7,
        null,
        [],
        {},
        { amount: 1 },
        { currency: "fa" },
        { amount: 1, currency: "fa" },
        { currency: "fa", amount: 1, x: 1 },
        { collection: "c", currency: "fa", amount: 1 },
        { collection: "c", amount: 1 },
        { collection: "c", token: "1" },
        { token: "1", amount: 1 },
        { token: "1", collection: "c", amount: 1 },
        { collection: "c", token: "1", currency: "fa", amount: 1 },
        { currency: "fa", amount: 1, total: 1, variants: [face(0)] },
        { collection: "c", token: "1", amount: 1, total: 1, variants: [face(0)] },
        { collection: "c", amount: 1, total: 1 },
        { collection: "c", amount: 1, variants: [face(0)] },
        { collection: "c", amount: 1, variants: [face(0)], total: 1 },
        { collection: "c", amount: 2, total: 1, variants: [face(0)] },
        { collection: "c", amount: 1, total: 0, variants: [] },
        { collection: "c", amount: 1, total: 65, variants: times(65, (at) => face(at)) },
        ...noIds.flatMap((id) => [
          { currency: id, amount: 1 },
          { collection: id, token: "1", amount: 1 },
          { collection: id, amount: 1, total: 1, variants: [face(0)] },
        ]),
        ...noUints.map((token) => ({ collection: "c", token, amount: 1 })),
        ...[...noIntegers, 0, 1e12 + 1].flatMap((amount) => [
          { currency: "fa", amount },
          { collection: "c", token: "1", amount },
        ]),
      ],
    ],
    ["total of variants", "drops[3].gives[0].total", (table, total) => set(partOf(table), { total }), [...noIntegers, 0]],
    [
      "variant",
      "drops[3].gives[0].variants[0]",
      (table, variant) => partOf(table).variants?.splice(0, 1, variant),
      [7, null, {}, [], { ...face(0), x: 1 }],
    ],
    ["variant's id", "drops[3].gives[0].variants[0].id", (table, id) => set(variantOf(table), { id }), noIds],
    ["variant's name", "drops[3].gives[0].variants[0].name", (table, name) => set(variantOf(table), { name }), noNames],
    ["variant's rarity", "drops[3].gives[0].variants[0].rarity", (table, rarity) => set(variantOf(table), { rarity }), noRarities],
    [
      "variant's weight",
      "drops[3].gives[0].variants[0].weight",
      (table, weight) => set(variantOf(table), { weight }),
      [...noIntegers, 0, 1e12 + 1],
    ],
    [
      "variant's series",
      "drops[3].gives[0].variants[0].series",
      (table, series) => set(variantOf(table), { series }),
      [...noIntegers, 0, 900],
    ],
  ])("%s of its table", (_, place, edit, values) => {
    for (const value of values) {
      const text = withTable(good, (table) => {
        edit(table, value as never);
        return table;
      });
      expect(() => verifyReceipt(text), JSON.stringify(value)).toThrow(`This is no drop table: “${place}`);
    }
  });
});

describe("a receipt is refused", () => {
  it.each<[string, (table: Table) => unknown, string]>([
    ["has a drop twice", (table) => set(dropOf(table, "fang"), { id: "knife" }), "a drop twice"],
    ["has another sum", (table) => set(table, { total: 1001 }), "weights do not add up"],
    ["has no token and a pity rule", ({ token: _, ...table }) => table, "its packs are not burned"],
    [
      "has no drop that ends the pity rule",
      (table) => set(table, { pity: { after: 9, rarity: "mythic" }, total: 995, drops: table.drops.slice(0, 3) }),
      "cannot be kept",
    ],
    [
      "caps what no drop gives",
      (table) => set(table, { caps: [{ item: "avatars", most: 3 }, ...(table.caps ?? [])] }),
      "caps what no drop gives",
    ],
    ["caps a currency", (table) => set(table, { caps: [...(table.caps ?? []), { item: "fa", most: 3 }] }), "caps what no drop gives"],
    [
      "caps the new tokens of a collection whose copies it gives",
      (table) => set(table, { caps: [...(table.caps ?? []), { item: "game-items", most: 3 }] }),
      "caps what no drop gives",
    ],
    ["caps an item twice", (table) => set(table, { caps: [...(table.caps ?? []), ...(table.caps ?? [])] }), "not in order"],
    [
      "has caps in another order",
      (table) => set(table, { caps: [{ item: "game-items/3", most: 3 }, ...(table.caps ?? [])] }),
      "not in order",
    ],
    [
      "has caps in the order of numbers",
      (table) => {
        const gives = ["9", "10"].map((token) => ({ collection: "x", token, amount: 1 }));
        set(dropOf(table, "god"), { gives });
        set(table, { caps: gives.map(({ token }) => ({ item: `x/${token}`, most: 3 })) });
      },
      "not in order",
    ],
    ["has a cap without a substitute", (table) => delete dropOf(table, "god").substitute && table, "a cap without a substitute"],
    ["has a substitute without a cap", (table) => delete table.caps && table, "a substitute without a cap"],
    [
      "has a substitute in the place of a drop that is not capped",
      (table) => set(dropOf(table, "fang"), { substitute: "blade" }),
      "a substitute without a cap",
    ],
    ["has an unknown substitute", (table) => set(dropOf(table, "god"), { substitute: "sword" }), "A substitute of the table"],
    ["has a drop that is its own substitute", (table) => set(dropOf(table, "god"), { substitute: "god" }), "A substitute of the table"],
    [
      "has a substitute that is not as rare as the pity rule needs",
      (table) => set(dropOf(table, "god"), { substitute: "fang" }),
      "A substitute of the table",
    ],
    [
      "has a capped substitute",
      (table) => {
        table.caps?.push({ item: "game-items/3", most: 3 });
        set(dropOf(table, "blade"), { substitute: "god" });
      },
      "A substitute of the table",
    ],
    ["has a variant twice", (table) => set(variantOf(table, 1), { id: "zeus" }), "a variant or a series twice"],
    ["has a series twice", (table) => set(variantOf(table, 1), { series: 201 }), "a variant or a series twice"],
    ["has another sum of variants", (table) => set(partOf(table), { total: 5 }), "weights of the variants do not add up"],
    ["has a variant that is not as rare as its drop", (table) => set(variantOf(table), { rarity: "legendary" }), "not as rare as its drop"],
    [
      "has two variants of a series",
      (table) => {
        dropOf(table, "god").gives.push({
          ...partOf(table),
          variants: [variantOf(table, 1), { ...variantOf(table), weight: 1, name: "Zeus the Second" }],
        });
      },
      "A series of the table has two variants",
    ],
  ])("whose table %s", (_, edit, message) => {
    expect(() => verifyReceipt(withTable(good, (table) => (edit(table) as Table | boolean) || table))).toThrow(message);
  });

  it.each<[string, Receipt, Changes, string]>([
    ["without a burn or a purchase", good, { burn: undefined }, "either a burn or a purchase"],
    ["with both in another order", good, { purchase: bought }, "“purchase”"],
    ["with a pack that its table is not of", good, { burn: { token: "4" } }, "not that of the burned pack"],
    ["with a burned pack and a table of a shop", good, { table: shop.table }, "not that of the burned pack"],
    ["with a purchase and a table of burned packs", shop, { table: good.table }, "is of packs that are burned"],
    ["whose table another contract fixed", good, { fixed: { address: portal } }, "not fixed in the contract of the burned pack"],
    ["whose table a contract of another chain fixed", good, { fixed: { chainId: 1 } }, "not fixed in the contract of the burned pack"],
    ["of a purchase whose table a contract fixed", shop, { fixed: { by: "contract", address: chests } }, "not fixed by a wallet"],
    [
      "whose table was fixed a second after the burn",
      good,
      { fixed: { blockTime: burned.blockTime + 1 } },
      "not fixed yet at the time of the burn",
    ],
    [
      "whose table was fixed in the second of the record",
      shop,
      { fixed: { blockTime: bought.recordedAt } },
      "not fixed yet at the time of the payment",
    ],
    [
      "whose table was fixed in the block of the anchor",
      shop,
      { fixed: { block: anchored.block } },
      "not fixed before the block of the anchor",
    ],
    [
      "whose anchor names an earlier record",
      shop,
      { purchase: { anchor: { ...anchored, record: 6 } } },
      "of an earlier record than the payment's",
    ],
    [
      "whose table was fixed a block after the burn",
      good,
      { fixed: { block: burned.block + 1 } },
      "not fixed yet in the block of the burn",
    ],
    [
      "whose table a wallet fixed a block after the burn",
      good,
      { fixed: { by: "wallet", address: portal, block: burned.block + 1 } },
      "in the block of the burn",
    ],
    ["with more openings before than the pity rule counts", good, { before: { without: 10 } }, "more openings before"],
    ["of a purchase with openings before", shop, { before: { without: 1 } }, "more openings before"],
    ["that does not count a capped item", good, { before: { given: {} } }, "exactly the table's capped items"],
    [
      "that counts another item too",
      good,
      { before: { given: { "elder-gods": 0, "game-items/3": 0 } } },
      "exactly the table's capped items",
    ],
    ["that counts another item", good, { before: { given: { avatars: 0 } } }, "exactly the table's capped items"],
    ["that counts items of a table without caps", shop, { before: { given: { avatars: 0 } } }, "exactly the table's capped items"],
    ["by a later round", good, { beacon: { round: good.beacon.round + 1 } }, "The burn's round is 3603, not 3604."],
    ["by an earlier round", good, { beacon: { round: good.beacon.round - 1 } }, "The burn's round is 3603, not 3602."],
    ["of a later burn", good, { burn: { blockTime: burned.blockTime + 1 } }, "The burn's round is 3604"],
    ["of another margin", good, { burn: { margin: 1 } }, "The burn's round is 3604"],
    [
      "of a later anchor",
      shop,
      { purchase: { anchor: { ...anchored, blockTime: anchored.blockTime + 1 } } },
      "The purchase's round is 3604",
    ],
    ["of another margin of the anchor", shop, { purchase: { anchor: { ...anchored, margin: 1 } } }, "The purchase's round is 3604"],
    ["with another round's signature", good, { beacon: { signature: signatureOf(7) } }, "not the beacon's"],
    ["with another beacon's key", good, { beacon: { publicKey: quicknet.publicKey } }, "not the beacon's"],
    ["with the point at infinity as signature", good, { beacon: { signature: `c0${"00".repeat(47)}` } }, "not the beacon's"],
    [
      "with the point at infinity as key and signature",
      good,
      { beacon: { publicKey: `c0${"00".repeat(95)}`, signature: `c0${"00".repeat(47)}` } },
      "not the beacon's",
    ],
    ["with a signature that is no point", good, { beacon: { signature: "ff".repeat(48) } }, "not the beacon's"],
    [
      "with a signature's negative",
      good,
      { beacon: { signature: good.beacon.signature.replace(/^./, (first) => (Number.parseInt(first, 16) ^ 2).toString(16)) } },
      "not the beacon's",
    ],
    ["of another transaction", god, { burn: { tx: `0x${"00".repeat(31)}08` } }, "The draw gives"],
    ["of another log", god, { burn: { logIndex: 9999 } }, "The draw gives"],
    ["of another chain", god, { burn: { chainId: 421615 }, fixed: { chainId: 421615 } }, "The draw gives"],
    ["of another copy", god, { burn: { number: 3 } }, "The draw gives"],
    ["of another shop", shop, { purchase: { shop: "gift-shop-2" } }, "The draw gives"],
    ["of another order", shop, { purchase: { order: bought.order - 1 } }, "The draw gives"],
    ["of another line", shop, { purchase: { line: 2 } }, "The draw gives"],
    ["of another unit", shop, { purchase: { unit: 999 } }, "The draw gives"],
    ["with another nonce", shop, { purchase: { nonce: `0x${"0f".repeat(32)}` } }, "The draw gives"],
    ["with another drop", good, { outcome: { drop: "god" } }, "The draw gives “Moth Fang”"],
    ["with a pity that was not", good, { outcome: { pity: true } }, "The draw gives"],
    ["with a substitute that was not", good, { outcome: { instead: true } }, "The draw gives"],
    ["with a token of one's choice", good, { outcome: { tokens: [{ variant: "zeus", id: "2010000000000007" }] } }, "The draw gives"],
    ["without its tokens", shop, { outcome: { tokens: [] } }, "The draw gives"],
    ["with its tokens in another order", shop, { outcome: { tokens: shop.outcome.tokens.toReversed() } }, "The draw gives"],
    [
      "with another serial number",
      shop,
      { outcome: { tokens: shop.outcome.tokens.map(({ variant }) => ({ variant, id: "10000000000000" })) } },
      "The draw gives",
    ],
    ["with an edition that has other names", god, { table: god.table.replace("Moth Fang", "Moth Fan") }, "The draw gives"],
  ])("%s", (_, receipt, changes, message) => {
    expect(() => verifyReceipt(changed(receipt, changes))).toThrow(message);
  });

  it("with both a burn and a purchase in the order of the format", () => {
    const { burn, ...rest } = good;
    for (const token of ["3", undefined]) {
      const { token: _, ...table } = JSON.parse(good.table) as Table;
      const whole = { ...rest, version: 3, burn, purchase: bought, table: token ? good.table : JSON.stringify(table) };
      const ordered = Object.fromEntries(
        ["version", "burn", "purchase", "table", "fixed", "beacon", "before", "outcome", "digest"].map((name) => [
          name,
          whole[name as "table"],
        ]),
      );
      expect(() => verifyReceipt(sealed(ordered as unknown as Receipt))).toThrow("either a burn or a purchase");
    }
  });

  it("with a digest of something else", () => {
    for (const digest of ["", "00".repeat(32), sealed(shop).slice(-66, -2)])
      expect(() => verifyReceipt(JSON.stringify({ ...good, digest }))).toThrow(digest ? "its digest does not fit" : "“digest”");
  });

  it("whose signature or key has another spelling", () => {
    const modulus = 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn;
    let [round, respelled] = [0, ""];
    // Only a coordinate that is small enough has a second spelling.
    while (
      respelled.length !== 96 ||
      Number.parseInt(respelled[0] as string, 16) >> 1 !== Number.parseInt(signatureOf(round)[0] as string, 16) >> 1
    )
      respelled = (BigInt(`0x${signatureOf(++round)}`) + modulus).toString(16);
    const burn = { ...burned, blockTime: testBeacon.genesis + round - 3 };
    const receipt = drawnAgain({ ...good, burn } as Receipt);
    expect(receipt.beacon.round).toBe(round);
    expect(verifyReceipt(sealed(receipt)).receipt.beacon.round).toBe(round);
    expect(() => verifyReceipt(changed(receipt, { beacon: { signature: respelled } }))).toThrow("not the beacon's");
  });

  it("whose signature is a point outside of the group of signatures", () => {
    // The first coordinates of points on the curve; hardly one in 10^38 is in the group.
    const { Fp } = bls12_381.fields;
    const x = [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n].find((x) => {
      try {
        Fp.sqrt(Fp.add(Fp.pow(x, 3n), 4n));
        return true;
      } catch {
        return false;
      }
    });
    const signature = `8${x?.toString(16).padStart(95, "0")}`;
    expect(() => verifyReceipt(changed(good, { beacon: { signature } }))).toThrow("not the beacon's");
  });

  const shared: [string, string, string][] = [
    ["a number with a fraction", '"block":123,', '"block":123.0,'],
    ["a number with an exponent", '"block":123,', '"block":1.23e2,'],
    ["a number with an exponent of nothing", '"block":123,', '"block":123e0,'],
    ["a negative zero", '"margin":0}', '"margin":-0}'],
    ["a number that is rounded", '"block":123,', '"block":123.00000000000000001,'],
    ["a number beyond 2^53 that is rounded to it", '"number":2,', '"number":9007199254740990.9,'],
    ["a space", '"version":3,', '"version":3, '],
    ["a line break", '"version":3,', '"version":3,\n'],
    ["a field twice", '"block":123,', '"block":123,"block":123,'],
    ["a part twice", '"version":3,', '"version":3,"version":3,'],
    ["a field twice with another value before", '"block":123,', '"block":122,"block":123,'],
    ["an item twice", '"given":{"elder-gods":0}', '"given":{"elder-gods":1,"elder-gods":0}'],
    ["an escaped letter", '"drop":"fang"', '"drop":"\\u0066ang"'],
    ["an escaped letter in a field's name", '"drop":"fang"', '"\\u0064rop":"fang"'],
    ["an escape of the table in another spelling", '\\"kind\\"', "\\u0022kind\\u0022"],
    ["an escape of the table's markup", "<Blade>", "\\u003cBlade\\u003e"],
  ];
  it.each(shared)("that has %s", (_, from, to) => {
    const text = sealed(good);
    expect(text).toContain(from);
    expect(() => verifyReceipt(sealedText(text.replace(from, to)))).toThrow("The receipt is not as it was written.");
  });

  it.each<[string, string, string, string]>([
    ["one more field", '"block":123,', '"block":123,"luck":7,', "“burn.blockHash”"],
    ["one more field at its end", '"margin":0}', '"margin":0,"luck":7}', "“burn.luck”"],
    ["one more part", '"digest":', '"luck":7,"digest":', "“digest”"],
    ["one field less", '"block":123,', "", "“burn.block”"],
    ["one part less", '"before":{"without":0,"given":{"elder-gods":0}},', "", "“before”"],
    ["fields in another order", '"without":0,"given":{"elder-gods":0}', '"given":{"elder-gods":0},"without":0', "“before.without”"],
    ["an absent part as null", '"version":3,', '"version":3,"purchase":null,', "“purchase”"],
    ["a prototype", '"version":3,', '"version":3,"__proto__":{},', "“table”"],
    ["a prototype in what was given", '"given":{"elder-gods":0}', '"given":{"__proto__":0}', "exactly the table's capped items"],
    ["a number with a leading zero", '"block":123,', '"block":0123,', "This is no receipt."],
    ["a number with a sign", '"block":123,', '"block":+123,', "This is no receipt."],
    ["a hexadecimal number", '"block":123,', '"block":0x7b,', "This is no receipt."],
    ["a number that is none", '"block":123,', '"block":NaN,', "This is no receipt."],
    ["a number beyond all", '"block":123,', '"block":1e999,', "“burn.block”"],
    ["2^53", '"block":123,', '"block":9007199254740992,', "“burn.block”"],
    ["2^53 + 1, which is rounded to it", '"block":123,', '"block":9007199254740993,', "“burn.block”"],
    ["a comma too much", '"margin":0}', '"margin":0,}', "This is no receipt."],
    ["a comment", '"version":3,', '/**/"version":3,', "This is no receipt."],
    ["quotes that are none", '"version":3,', "'version':3,", "This is no receipt."],
    ["a lone surrogate", "Moth Fang", "Moth \ud800Fang", "This is no receipt."],
    ["a lone low surrogate", "Moth Fang", "Moth \udc00Fang", "This is no receipt."],
    ["an escaped lone surrogate", "Moth Fang", "Moth \\ud800Fang", "“drops[1].name”"],
    ["an escaped lone surrogate in the table's own text", "Moth Fang", "Moth \\\\ud800Fang", "“drops[1].name”"],
    ["an escaped pair of surrogates", "Moth Fang", "Moth \\ud83d\\ude00Fang", "The receipt is not as it was written."],
    ["a pair of surrogates", "Moth Fang", "Moth \ud83d\ude00Fang", "“drops[1].name”"],
    ["a lone surrogate as the drop", '"drop":"fang"', '"drop":"\\ud800"', "“outcome.drop”"],
    ["a null character in its table", "Moth Fang", "Moth\\\\u0000Fang", "“drops[1].name”"],
  ])("that has %s", (_, from, to, message) => {
    const text = sealed(good);
    expect(text).toContain(from);
    expect(() => verifyReceipt(sealedText(text.replace(from, to)))).toThrow(message);
  });

  it.each<[string, string, string]>([
    ["a space", '"edition":2,', '"edition":2, '],
    ["a number with a fraction", '"weight":250', '"weight":250.0'],
    ["a field twice", '"edition":2,', '"edition":1,"edition":2,'],
    ["an escaped letter", "Moth Fang", "\\u004doth Fang"],
    ["an escaped slash", "Moth Fang", "Moth\\/Fang"],
    ["escaped markup", "<Blade>", "\\u003cBlade\\u003e"],
    ["another escape of a quotation mark", "Moth Fang", "Moth\\u0022Fang"],
    ["an escape in capitals", "Moth Fang", "Moth\\u00E9Fang"],
    ["a line break at its end", '"substitute":"blade"}]}', '"substitute":"blade"}]}\n'],
    ["a line break before it", '{"kind":', '\n{"kind":'],
  ])("whose table has %s", (_, from, to) => {
    expect(good.table).toContain(from);
    expect(() => verifyReceipt(sealed({ ...good, table: good.table.replace(from, to) }))).toThrow(
      "The drop table is not as it was written.",
    );
  });

  it.each(["", "{}", "[]", "null", "3", '"receipt"', "[".repeat(500_000), `${'{"a":'.repeat(100_000)}1`])(
    "that is something else",
    (text) => {
      expect(() => verifyReceipt(text)).toThrow("This is no receipt");
    },
  );

  it("with anything around it", () => {
    const text = sealed(good);
    for (const other of [` ${text}`, `${text} `, `${text}\n`, `\ufeff${text}`, `${text}\0`, text + text, `[${text}]`])
      expect(() => verifyReceipt(other)).toThrow(ReceiptError);
  });

  it("that is longer than a million bytes", () => {
    const table = (drops: number) =>
      small({}, { total: drops, drops: times(drops, (at) => ({ ...(small().drops[0] as Drop), id: `d${at}`, name: "’".repeat(200) })) });
    // Each name has 600 bytes and 200 characters.
    const text = sealed(burnReceipt({ table: table(1000) }));
    expect(new TextEncoder().encode(text).length).toBeLessThan(1_000_000);
    expect(verifyReceipt(text).table.total).toBe(1000);
    const variants = times(8, (at) => face(at, { name: "’".repeat(200) }));
    const longer = small({}, { total: 200, drops: times(200, (at) => ({ ...(smallToken(variants).drops[0] as Drop), id: `d${at}` })) });
    const tooLong = sealed(burnReceipt({ table: longer }));
    expect(tooLong.length).toBeLessThan(1_000_000);
    expect(() => verifyReceipt(tooLong)).toThrow("too long");
    expect(() => verifyReceipt(" ".repeat(1_000_001))).toThrow("too long");
  });
});

const testdata = join(import.meta.dirname, "../../../../internal/portal/draw/testdata");
/** What is in a file of the server's tests. */
const ofServer = <T>(file: string): T[] => JSON.parse(readFileSync(join(testdata, file), "utf8"));

describe("a receipt from the server's implementation", () => {
  it.each([
    ["receipts.json", "burn"],
    ["purchases.json", "purchase"],
  ] as const)("in %s is verified", (file, part) => {
    const texts = ofServer<string>(file);
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) expect(verifyReceipt(text).receipt[part]).toBeDefined();
  });

  const judge = (file: string) => {
    for (const { name, text, error } of ofServer<{ name: string; text: string; error: boolean }>(file))
      expect(!checkReceipt(text).right, name).toBe(error);
  };

  // Spec: DRAW-4
  it("in hostile.json is judged as the server judges it", () => judge("hostile.json"));
  // Spec: DRAW-4
  it("in hostile-purchases.json, too", () => judge("hostile-purchases.json"));
  // Spec: DRAW-4
  it("with a table of hostile-tables.json, too", () => judge("hostile-tables.json"));
});
