import { isQuicknet, type Receipt, timeOf, type Verified } from "../verify";

/**
 * A draw told in steps, for the page of an opening and for the page that players keep. Plain data: the two pages render it
 * with different means.
 */

export interface Fact {
  name: string;
  value: string;
  /** Whether it is a hash, key or signature. */
  code?: true;
}

export interface Step {
  id: "origin" | "beacon" | "round" | "signature" | "table" | "before" | "draw";
  title: string;
  text: string;
  /** What speaks against the step. */
  warning?: string;
  facts: Fact[];
}

export const verdicts = {
  right: "This page has repeated the draw: it is right.",
  wrong: "This page has repeated the draw: it does not fit.",
};

export const noPublicBeacon =
  "The development beacon: no public randomness. Whoever runs it can know its numbers beforehand, so draws by it prove nothing to anybody else.";

/** The limits of a receipt as a proof. */
export const unprovenOf = ({ burn }: Receipt): string[] =>
  burn
    ? [
        "That the chain has this burn at this time. Any block explorer of the chain shows it.",
        "That the table was announced before the burn. Compare its SHA-256 with what was published then.",
        "What had been opened before, on which the pity rule and the limits depend. All receipts together show that.",
      ]
    : [
        "That the shop has this order, and that its payment was recorded at this time. Compare them with the shop's confirmation of the payment.",
        "That the table was announced before the payment. Compare its SHA-256 with what was published then.",
        "What had been opened before, on which the limits depend. All receipts together show that.",
      ];

const count = (n: number) => n.toLocaleString("en");
const plural = (n: number, word: string) => `${count(n)} ${word}${n === 1 ? "" : "s"}`;

/** A time in Unix seconds, as "2026-01-01 00:00:05 UTC". */
export const utc = (seconds: number) => `${new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ")} UTC`;

/** "epic or rarer"; nothing is rarer than mythic. */
export const orRarer = (rarity: string) => (rarity === "mythic" ? rarity : `${rarity} or rarer`);

/** The pity rule in words. */
export const pityRule = ({ after, rarity }: { after: number; rarity: string }) =>
  `After ${plural(after, "opening")} in a row without anything ${orRarer(rarity)}, the next is drawn among what is ${orRarer(rarity)} alone.`;

/** The first step: what was opened. `chain` is the name of the burn's chain, if it is known. */
function originOf({ burn, purchase }: Receipt, chain: string): Step {
  if (burn)
    return {
      id: "origin",
      title: "A pack was burned",
      text: "A pack is opened by burning it. The chain keeps the burn for good, and the place that it has there is part of the draw.",
      facts: [
        { name: "Chain", value: chain ? `${chain} (${burn.chainId})` : String(burn.chainId) },
        { name: "Transaction", value: burn.tx, code: true },
        { name: "Log in the transaction", value: String(burn.logIndex) },
        { name: "Copy, counted from 0", value: String(burn.number) },
        { name: "Time of the block", value: utc(burn.blockTime) },
      ],
    };
  return {
    id: "origin",
    title: "A pack was paid for",
    text: "A pack from the shop is opened when it is paid for. The place that it has in the shop's order is part of the draw.",
    facts: [
      { name: "Shop", value: purchase.shop },
      { name: "Order", value: String(purchase.order) },
      { name: "Line of the order", value: String(purchase.line) },
      { name: "Unit of the line", value: String(purchase.unit) },
      { name: "Payment recorded", value: utc(purchase.recordedAt) },
    ],
  };
}

/** The steps of a draw. `chain` is the name of the burn's chain, if it is known. */
export function stepsOf({ receipt, table, drop, course }: Verified, chain = ""): Step[] {
  const { burn, beacon, before, outcome } = receipt;
  const quicknet = isQuicknet(beacon);
  const published = beacon.genesis + (beacon.round - 1) * beacon.period;
  const capped = table.drops.filter(({ cap }) => cap);
  return [
    originOf(receipt, chain),
    {
      id: "beacon",
      title: "A beacon decides, not the portal",
      text: quicknet
        ? "drand's quicknet is a public source of randomness. Independent organisations run it together, and none of them knows its next number beforehand."
        : `The beacon publishes a random number every ${plural(beacon.period, "second")}.`,
      ...(quicknet ? {} : { warning: noPublicBeacon }),
      facts: [
        { name: "Beacon", value: quicknet ? "drand's quicknet" : "not drand's quicknet" },
        { name: "First round", value: utc(beacon.genesis) },
        { name: "Time between rounds", value: plural(beacon.period, "second") },
        { name: "Scheme", value: beacon.scheme },
        { name: "Public key", value: beacon.publicKey, code: true },
      ],
    },
    {
      id: "round",
      title: `The time of the ${burn ? "burn" : "payment"} names the round`,
      text: `It is the first round that is published at least ${plural(2 * beacon.period, "second")} after ${burn ? "the block" : "the portal first recorded the payment"}. ${
        quicknet ? `When the pack was ${burn ? "burned" : "paid for"}, nobody could know its number yet.` : "Nobody can choose another one."
      }`,
      facts: [
        { name: "Round", value: count(beacon.round) },
        { name: "Published", value: `${utc(published)}, ${plural(published - timeOf(receipt), "second")} after the ${burn ? "block" : "record"}` },
      ],
    },
    {
      id: "signature",
      title: "The beacon signed the round",
      text: "The signature was checked with the beacon's public key. A round has only one, and only the beacon can make it. Its SHA-256 is the round's randomness.",
      facts: [
        { name: "Signature", value: beacon.signature, code: true },
        { name: "Randomness", value: course.randomness, code: true },
      ],
    },
    {
      id: "table",
      title: "The table says what can be drawn",
      text: "The SHA-256 of its text is part of the draw: with a table that was changed afterwards, everything would be drawn differently.",
      facts: [
        { name: "Table", value: `${table.kind}, version ${table.version}` },
        { name: "In force from", value: utc(Date.parse(table.from) / 1000) },
        { name: "SHA-256", value: course.tableHash, code: true },
      ],
    },
    {
      id: "before",
      title: "What was opened before",
      text:
        [
          table.pity ? pityRule(table.pity) : "",
          ...capped.map(
            ({ name, cap, substitute }) => `There are ${count(cap ?? 0)} of “${name}” at most; then “${nameOf(table, substitute)}” takes its place.`,
          ),
        ]
          .filter(Boolean)
          .join(" ") || "This table has no pity rule and no limits, so nothing that was opened before counts.",
      facts: [
        ...(table.pity
          ? [
              { name: "Openings in a row without", value: count(before.without) },
              { name: "Drawn by the pity rule", value: outcome.pity ? "yes" : "no" },
            ]
          : []),
        ...capped.map(({ id, name, cap }) => ({ name: `“${name}” drawn before`, value: `${count(before.drawn[id] ?? 0)} of ${count(cap ?? 0)}` })),
      ],
    },
    {
      id: "draw",
      title: "The number picks the drop",
      text: [
        `HMAC-SHA256 of the ${burn ? "burn" : "purchase"}'s place and the table's hash, with the randomness as its key, gives random words.`,
        `The word below, divided by ${count(course.sum)}, leaves ${count(course.number)}.`,
        `In the order of the table${outcome.pity && table.pity ? `, and of what is ${orRarer(table.pity.rarity)} alone` : ""}, “${course.picked.name}” has the numbers from ${count(course.least)} to ${count(course.least + course.picked.weight - 1)}.`,
        ...(outcome.instead ? [`There is none left of it: “${drop.name}” takes its place.`] : []),
        ...(outcome.tokens.length ? ["The words that follow give the number of each new token."] : []),
      ].join(" "),
      facts: [
        { name: "Random word", value: `0x${course.word}`, code: true },
        { name: "Sum of the weights", value: count(course.sum) },
        { name: "Number", value: count(course.number) },
        { name: "Drop", value: drop.name },
        ...outcome.tokens.map((id) => ({ name: "New token", value: id, code: true as const })),
      ],
    },
  ];
}

const nameOf = (table: Verified["table"], id: string | undefined) => table.drops.find((drop) => drop.id === id)?.name ?? "";
