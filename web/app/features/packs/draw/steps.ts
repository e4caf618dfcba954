import { type Burn, blockOf, type Fixed, isQuicknet, type Purchase, type Table, type TokenChoice, type Verified } from "../verify";

/**
 * A draw told in steps, for the page of an opening and for the page that players keep. Plain data: the two pages render it
 * with different means.
 */

export interface Fact {
  name: string;
  value: string;
  /** Whether it is a hash, key or signature. */
  code?: true;
  /** Its page in a block explorer. */
  href?: string;
}

export interface Step {
  id: string;
  title: string;
  text: string;
  /** What speaks against the step. */
  warning?: string;
  facts: Fact[];
}

/** What a page knows beyond the receipt. */
export interface Known {
  /** The names and block explorers of chains. */
  chains?: readonly { id: number; name: string; explorerUrl?: string | null | undefined }[];
  /** The name of a collection by its slug. */
  collection?: (slug: string) => string;
  /** The collection of a contract. */
  slug?: (contract: string) => string | undefined;
  /** Whether this browser has chosen a number for the draws of packs that it went to buy. */
  chose?: (nonce: string) => boolean;
}

export const verdicts = {
  right: "This page has repeated the draw: it is right.",
  wrong: "This page has repeated the draw: it does not fit.",
};

export const noPublicBeacon =
  "The development beacon: no public randomness. Whoever runs it can know its numbers beforehand, so draws by it " +
  "prove nothing to anybody else.";

const count = (n: number) => n.toLocaleString("en");
const plural = (n: number, word: string) => `${count(n)} ${word}${n === 1 ? "" : "s"}`;

/** A time in Unix seconds, as "2026-01-01 00:00:05 UTC". */
export const utc = (seconds: number) => `${new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ")} UTC`;

/** "epic or rarer"; nothing is rarer than mythic. */
export const orRarer = (rarity: string) => (rarity === "mythic" ? rarity : `${rarity} or rarer`);

/** The pity rule in words. */
export const pityRule = ({ after, rarity }: { after: number; rarity: string }) =>
  `After ${plural(after, "opening")} in a row without anything ${orRarer(rarity)}, ` +
  `the next is drawn among what is ${orRarer(rarity)} alone.`;

/** A capped item for people: "new tokens of Elder Gods", "copies of Arms & relics, number 5". */
export function itemName(item: string, { collection = String }: Pick<Known, "collection"> = {}): string {
  const [slug = "", token] = item.split("/");
  return token === undefined ? `new tokens of ${collection(slug)}` : `copies of ${collection(slug)}, number ${token}`;
}

/** What an opening is called, and its rarity: by its new token if it has exactly one, else by its drop. */
export function headOf({ drop, course: { tokens } }: Verified): { name: string; rarity: string; of?: string } {
  const [only, ...others] = tokens.map(({ picked }) => picked);
  if (!only || others.length) return { name: drop.name, rarity: drop.rarity };
  return { name: only.name, rarity: only.rarity, ...(only.name !== drop.name && { of: drop.name }) };
}

const chainOf = (id: number, { chains }: Known) => chains?.find((chain) => chain.id === id);

function chainFact(id: number, known: Known): Fact {
  const name = chainOf(id, known)?.name;
  return { name: "Chain", value: name ? `${name} (${id})` : String(id) };
}

/** The page of something on a chain in its block explorer, if one is known. */
function explorer(id: number, path: string, known: Known): { href?: string } {
  const url = chainOf(id, known)?.explorerUrl;
  return url ? { href: `${url}/${path}` } : {};
}

const transactionFact = (id: number, tx: string, known: Known): Fact => ({
  name: "Transaction",
  value: tx,
  code: true,
  ...explorer(id, `tx/${tx}`, known),
});
const blockFact = (id: number, block: number, known: Known): Fact => ({
  name: "Block",
  value: count(block),
  ...explorer(id, `block/${block}`, known),
});

/** Where the hash of a table was fixed, and since when. */
export function fixedFacts({ chainId, by, address, tx, block, blockTime }: Fixed, known: Known = {}): Fact[] {
  return [
    { name: "Fixed by", value: by === "contract" ? "the packs' contract" : "a wallet of the portal, in a transaction to itself" },
    { name: by === "contract" ? "Contract" : "Wallet", value: address, code: true },
    chainFact(chainId, known),
    transactionFact(chainId, tx, known),
    blockFact(chainId, block, known),
    { name: "Since", value: utc(blockTime) },
  ];
}

/** The block whose time names the round. */
const blockFacts = ({ chainId, block, blockHash, blockTime, margin }: ReturnType<typeof blockOf>, known: Known): Fact[] => [
  blockFact(chainId, block, known),
  { name: "Hash of the block", value: blockHash, code: true },
  { name: "Time of the block", value: utc(blockTime) },
  ...(margin > 0
    ? [{ name: "Margin", value: `${plural(margin, "second")}: the chain's blocks may be dated this far behind the clock` }]
    : []),
];

function burnStep(burn: Burn, { edition }: Table, known: Known): Step {
  return {
    id: "origin",
    title: "A pack was burned",
    text: "A pack is opened by burning it. The chain keeps the burn for good, and the place that it has there is part of the draw.",
    facts: [
      chainFact(burn.chainId, known),
      { name: "Packs' contract", value: burn.contract, code: true },
      { name: "Pack's token", value: `number ${burn.token}, that is edition ${edition}` },
      { name: "Wallet", value: burn.wallet, code: true },
      transactionFact(burn.chainId, burn.tx, known),
      { name: "Log in the transaction", value: String(burn.logIndex) },
      { name: "Copy, counted from 0", value: String(burn.number) },
      ...blockFacts(burn, known),
    ],
  };
}

function purchaseStep(purchase: Purchase, known: Known): Step {
  const { anchor } = purchase;
  const chosen = /[^0x]/.test(purchase.nonce);
  return {
    id: "origin",
    title: "A pack was paid for",
    text: [
      "A pack from the shop is opened when it is paid for.",
      `The place that it has in the shop's order is part of the draw${
        chosen ? ", and so is a number that the buyer's browser chose before the payment" : ""
      }.`,
      known.chose?.(purchase.nonce) ? "Your browser chose this number before the order existed." : "",
      "A transaction of the portal, the anchor, put the hash of the payment's record on the chain. The round follows " +
        "from the block of that transaction.",
    ]
      .filter(Boolean)
      .join(" "),
    facts: [
      { name: "Shop", value: purchase.shop },
      { name: "Order", value: String(purchase.order) },
      { name: "Line of the order", value: String(purchase.line) },
      { name: "Unit of the line", value: String(purchase.unit) },
      chosen
        ? { name: "Number of the buyer's browser", value: purchase.nonce, code: true }
        : { name: "Number of the buyer's browser", value: "none" },
      { name: "Record in the public log of payments", value: count(purchase.record) },
      { name: "Payment recorded", value: utc(purchase.recordedAt) },
      { name: "Anchored up to record", value: count(anchor.record) },
      chainFact(anchor.chainId, known),
      { name: "Wallet of the anchor", value: anchor.wallet, code: true },
      transactionFact(anchor.chainId, anchor.tx, known),
      ...blockFacts(anchor, known),
    ],
  };
}

function tableStep({ receipt: { burn, fixed }, table, course }: Verified, known: Known): Step {
  return {
    id: "table",
    title: "Its edition says what can be drawn",
    text: [
      burn ? "A pack keeps its edition for good." : "",
      `The table of an edition is never changed: its SHA-256 was fixed ${
        fixed.by === "contract" ? "in the packs' contract" : "by a transaction of the portal"
      } before the pack was ${burn ? "burned" : "paid for"}.`,
      "The SHA-256 is part of the draw too: with another table everything would be drawn differently.",
    ]
      .filter(Boolean)
      .join(" "),
    facts: [
      { name: "Table", value: `${table.kind}, edition ${table.edition}` },
      { name: "SHA-256", value: course.tableHash, code: true },
      ...fixedFacts(fixed, known),
    ],
  };
}

const nameOf = (table: Table, id: string | undefined) => table.drops.find((drop) => drop.id === id)?.name ?? "";

function beforeStep({ receipt: { before, outcome }, table }: Verified, known: Known): Step {
  const { pity, caps = [], drops } = table;
  const rules = [
    ...(pity ? [pityRule(pity)] : []),
    ...caps.map(({ item, most }) => `Of all ${itemName(item, known)}, packs of the kind give ${count(most)} at most.`),
    ...drops
      .filter(({ substitute }) => substitute)
      .map(({ name, substitute }) => `Where “${name}” would exceed that, “${nameOf(table, substitute)}” takes its place.`),
  ];
  return {
    id: "before",
    title: "What was opened before",
    text: rules.join(" ") || "This table has no pity rule and no limits, so nothing that was opened before counts.",
    facts: [
      ...(pity
        ? [
            { name: "Openings in a row without", value: count(before.without) },
            { name: "Drawn by the pity rule", value: outcome.pity ? "yes" : "no" },
          ]
        : []),
      ...caps.map(({ item, most }) => ({
        name: `Given before: ${itemName(item, known)}`,
        value: `${count(before.given[item] ?? 0)} of ${count(most)}`,
      })),
    ],
  };
}

function drawStep({ receipt: { burn, outcome }, table, drop, course }: Verified): Step {
  return {
    id: "draw",
    title: "The number picks the drop",
    text: [
      `HMAC-SHA256 of the ${burn ? "burn" : "purchase"}'s place and the table's hash, with the randomness as its key, gives random words.`,
      `The word below, divided by ${count(course.sum)}, leaves ${count(course.number)}.`,
      `In the order of the table${outcome.pity && table.pity ? `, and of what is ${orRarer(table.pity.rarity)} alone` : ""}, ` +
        `“${course.picked.name}” has the numbers ${numbers(course)}.`,
      ...(outcome.instead ? [`Not enough was left for it: “${drop.name}” takes its place.`] : []),
    ].join(" "),
    facts: [
      { name: "Random word", value: `0x${course.word}`, code: true },
      { name: "Sum of the weights", value: count(course.sum) },
      { name: "Number", value: count(course.number) },
      { name: "Drop", value: drop.name },
    ],
  };
}

/** "from 0 to 699" */
const numbers = ({ least, picked }: { least: number; picked: { weight: number } }) =>
  `from ${count(least)} to ${count(least + picked.weight - 1)}`;

function tokenStep(choice: TokenChoice, index: number, { length }: TokenChoice[], known: Known): Step {
  const { picked, collection } = choice;
  return {
    id: `token-${index}`,
    title: `A second draw says which one${length > 1 ? `: token ${index + 1} of ${length}` : ""}`,
    text: [
      `The drop gives a new token of ${(known.collection ?? String)(collection)}.`,
      `A further word, divided by ${count(choice.sum)}, leaves ${count(choice.number)},`,
      `and “${picked.name}” has the numbers ${numbers(choice)}.`,
      "One more word, divided by 10^13, leaves the serial number. The token's number is that of the series with the " +
        "13 digits of the serial number after it.",
    ].join(" "),
    facts: [
      { name: "Random word", value: `0x${choice.word}`, code: true },
      { name: "Sum of the weights", value: count(choice.sum) },
      { name: "Number", value: count(choice.number) },
      { name: "Drawn", value: picked.name },
      { name: "Rarity", value: picked.rarity },
      { name: "Series", value: String(picked.series) },
      { name: "Random word of the serial number", value: `0x${choice.serialWord}`, code: true },
      { name: "Serial number", value: String(choice.serial).padStart(13, "0"), code: true },
      { name: "Token", value: choice.id, code: true },
    ],
  };
}

/** The steps of a draw. */
export function stepsOf(verified: Verified, known: Known = {}): Step[] {
  const { receipt, table, course } = verified;
  const { burn, purchase, beacon } = receipt;
  const quicknet = isQuicknet(beacon);
  const published = beacon.genesis + (beacon.round - 1) * beacon.period;
  const { blockTime, margin } = blockOf(receipt);
  return [
    burn ? burnStep(burn, table, known) : purchaseStep(purchase, known),
    tableStep(verified, known),
    {
      id: "beacon",
      title: "A beacon decides, not the portal",
      text: quicknet
        ? "drand's quicknet is a public source of randomness. Independent organisations run it together, and none of them " +
          "knows its next number beforehand."
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
      title: `The time of the ${burn ? "burn" : "anchor"} names the round`,
      text: [
        `It is the first round that is published at least ${plural(2 * beacon.period + margin, "second")} after the time of the block.`,
        quicknet
          ? `When the ${burn ? "pack was burned" : "record was anchored"}, nobody could know its number yet.`
          : "Nobody can choose another one.",
      ].join(" "),
      facts: [
        { name: "Round", value: count(beacon.round) },
        { name: "Published", value: `${utc(published)}, ${plural(published - blockTime, "second")} after the block` },
      ],
    },
    {
      id: "signature",
      title: "The beacon signed the round",
      text:
        "The signature was checked with the beacon's public key. A round has only one, and only the beacon can make it. " +
        "Its SHA-256 is the round's randomness.",
      facts: [
        { name: "Signature", value: beacon.signature, code: true },
        { name: "Randomness", value: course.randomness, code: true },
      ],
    },
    beforeStep(verified, known),
    drawStep(verified),
    ...course.tokens.map((choice, index, all) => tokenStep(choice, index, all, known)),
  ];
}

/** Something that a receipt cannot prove, and how it can be checked. */
export interface Unproven {
  claim: string;
  check: string;
}

/** The limits of a receipt as a proof. `id` is the opening's, `site` the address of the portal, "" if it is not known. */
export function unprovenOf({ receipt: { burn, fixed }, table }: Verified, id: string, site: string): Unproven[] {
  const command = `pantheon verify ${id} --site ${site || "<address of the portal>"} --rpc <address of a node>`;
  const rules = [table.pity ? "the pity rule" : "", table.caps ? "the limits" : ""].filter(Boolean).join(" and ");
  return [
    burn
      ? {
          claim: "That the chain has this burn, by this wallet, in this block and at this time.",
          check: `A block explorer of the chain shows the transaction. The command “${command}” asks a node for it.`,
        }
      : {
          claim: "That the shop has this order, that its payment was recorded then, and that the buyer's browser chose this number.",
          check:
            "Compare them with the shop's confirmation of the payment. " +
            `The command “${command}” compares the record with the public log of payments.`,
        },
    ...(burn
      ? []
      : [
          {
            claim:
              "That the chain has this anchor, in this block and at this time, and that the wallet has not anchored the record before.",
            check: "A block explorer shows all transactions of the wallet to itself. The same command asks a node for this one.",
          },
        ]),
    {
      claim: "That the SHA-256 of the table is where the receipt says, since then.",
      check: `A block explorer shows it in ${
        fixed.by === "contract" ? "the event TableFixed of the transaction" : "the input data of the transaction"
      } that is named above, and the same command asks a node for it.`,
    },
    ...(burn
      ? []
      : [
          {
            claim: "That this edition was the one on sale when the buyer went to pay.",
            check: "The odds show all editions, and since when each is fixed.",
          },
        ]),
    ...(rules
      ? [
          {
            claim: `What had been opened before, which counts for ${rules}.`,
            check: `All receipts of the kind together show it. The same command with “--all” in the place of “${id}” counts them.`,
          },
        ]
      : []),
    {
      claim: "That what was drawn was given.",
      check:
        "The page of the opening names the transactions in which tokens were minted. A block explorer shows them, and " +
        "the same command asks a node for them. Amounts of currencies are in the portal's books alone.",
    },
  ];
}

/** What was given of a drop, as the portal says; see the API's proof of an opening. */
interface Grant {
  contract?: string;
  tokenId?: string;
  currency?: string;
  amount: string;
  state: "pending" | "sending" | "done" | "failed" | "cancelled";
  txId?: string;
  chainId?: number;
}

const states: Record<Grant["state"], string> = {
  pending: "not sent yet",
  sending: "on its way",
  done: "given",
  failed: "could not be given yet",
  cancelled: "not given",
};

/** What is given, summed by token or currency, in an order that does not depend on its own; undefined if a part cannot be told. */
function totals(parts: { item: string | undefined; amount: bigint }[]): string | undefined {
  const sum = new Map<string, bigint>();
  for (const { item, amount } of parts) {
    if (item === undefined) return undefined;
    sum.set(item, (sum.get(item) ?? 0n) + amount);
  }
  return [...sum]
    .map(([item, amount]) => `${item} ${amount}`)
    .sort()
    .join();
}

/**
 * Whether and where what was drawn was given, as the portal says. `text` says what a grant is of. Undefined while nothing is
 * known of it.
 */
export function givenStep(
  { drop, receipt }: Verified,
  grants: readonly Grant[],
  text: (grant: Grant) => string,
  known: Known = {},
): Step | undefined {
  if (!grants.length) return undefined;
  const drawn = [...receipt.outcome.tokens];
  const due = totals(
    drop.gives.map(({ collection, token, currency, amount }) => ({
      item: currency ?? `${collection}/${token ?? drawn.shift()?.id}`,
      amount: BigInt(amount),
    })),
  );
  const given = totals(
    grants.map(({ contract, tokenId, currency, amount }) => {
      const slug = contract && known.slug?.(contract);
      return {
        item: currency ?? (slug && tokenId !== undefined ? `${slug}/${tokenId}` : undefined),
        amount: /^\d+$/.test(amount) ? BigInt(amount) : 0n,
      };
    }),
  );
  const done = grants.every(({ state }) => state === "done");
  return {
    id: "given",
    title: done ? "What was drawn was given" : "What was drawn is being given",
    text:
      "This is what the portal says. Tokens are minted on the chain, where everybody can look them up; currencies are " +
      "booked by the portal.",
    ...(given !== undefined && given !== due && { warning: "What was given is not exactly what was drawn." }),
    facts: grants.flatMap((grant) => [
      { name: text(grant), value: states[grant.state] },
      ...(grant.txId && grant.chainId !== undefined ? [transactionFact(grant.chainId, grant.txId, known)] : []),
    ]),
  };
}
