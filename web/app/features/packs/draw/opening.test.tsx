import { act, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { burnReceipt, godTable, portal, purchaseReceipt, sealed, wallet } from "../../../../test/draws";
import { clientConfig } from "../../../../test/make";
import { oddsOf, proofOf, tableOdds, unanchoredOf, waitingOf } from "../../../../test/packs";
import { HttpResponse, http, problem, server } from "../../../../test/server";
import { keepNonce } from "../nonces";
import { OpeningPage } from "./components/opening";
import type { Odds, Proof } from "./queries";

/** One by the development beacon, one by a real round of quicknet. */
const ours = sealed(burnReceipt({ drop: "knife" }, { logIndex: 3 }));
const real = sealed(burnReceipt({ real: true, drop: "fang" }));
const god = sealed(burnReceipt({ drop: "god", variant: "zeus", before: { without: 9, given: { "elder-gods": 2 } } }));
/** One of a purchase, by a real round of quicknet, and its place in the shop. */
const bought = sealed(purchaseReceipt({ real: true, drop: "two-avatars" }));
const unit = `gift-shop, order 9007199254083578, line 1, unit ${JSON.parse(bought).purchase.unit}`;
const fate = sealed(purchaseReceipt({ drop: "fate" }));
const id = `421614-0x${"00".repeat(31)}07-3-2`;

/** The files that were saved: name and text. */
let saved: { name: string; text: Promise<string> }[];

beforeEach(() => {
  saved = [];
  let latest: Blob;
  const createObjectURL = (blob: Blob) => {
    latest = blob;
    return "blob:1";
  };
  Object.assign(URL, { createObjectURL, revokeObjectURL: () => {} }); // jsdom has none
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    const reader = new FileReader();
    const text = new Promise<string>((resolve) => {
      reader.onload = () => resolve(String(reader.result));
    });
    reader.readAsText(latest);
    saved.push({ name: this.download, text });
  });
  server.use(
    http.get("*/api/marketplace/getProducts", () => HttpResponse.json({ products: [] })),
    http.get("*/api/config", () =>
      HttpResponse.json(clientConfig({ gameChain: { id: 421614, name: "Forge", explorerUrl: "https://explorer.example" } })),
    ),
  );
});

afterEach(() => void vi.useRealTimers());

/** Opens the page of an opening. The proofs are the server's answers, one after the other; the last is repeated. */
function open(proofs: Proof | Proof[], odds: Odds | "down" = oddsOf(ours)) {
  const answers = [proofs].flat();
  server.use(
    http.get("*/api/packs/openings/:id", () => HttpResponse.json(answers.length > 1 ? answers.shift() : answers[0])),
    http.get("*/api/packs/odds", () => (odds === "down" ? problem(422, "Not now.") : HttpResponse.json(odds))),
  );
  show(answers[0]?.openingId ?? "");
}

function show(id: string) {
  render(
    <MemoryRouter>
      <OpeningPage id={id} missing={<h1>No such page</h1>} />
    </MemoryRouter>,
  );
}

const step = (name: RegExp) => screen.getByRole("heading", { level: 3, name }).closest("li") as HTMLElement;
/** The facts of a step, as "name: value". */
const factsOf = (part: HTMLElement) => {
  const values = within(part).getAllByRole("definition");
  return within(part)
    .getAllByRole("term")
    .map((term, at) => `${term.textContent}: ${values[at]?.textContent}`);
};
const right = () => screen.findByText("This page has repeated the draw: it is right.");
const wrong = () => screen.findByText("This page has repeated the draw: it does not fit.");

describe("an opening", () => {
  // Spec: PAGE-15, DRAW-21
  it("shows what was drawn, and that the browser drew the same", async () => {
    open(proofOf(real), oddsOf(real));
    await right();
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Moth Fang");
    expect(screen.getAllByText("rare")[0]).toBeVisible();
    expect(screen.getAllByText("1 copy of Arms & relics, number 6")[0]).toBeVisible();
    expect(await screen.findByRole("img", { name: /^Moth Fang/ })).toHaveAttribute(
      "src",
      expect.stringMatching(/^\/metadata\/0x\w+\/6\/image\.svg$/),
    );
    expect(screen.queryByRole("note")).toBeNull();
    expect(step(/A beacon decides/)).toHaveTextContent("drand's quicknet is a public source");
    expect(screen.getByText("657,413")).toBeVisible();
    expect(screen.getByText(/^God pack/)).toHaveTextContent("God pack · edition 2 · burned on");
    expect(screen.getByText("yes, it is among the odds")).toBeVisible();
  });

  it("shows the burn with its wallet and block", async () => {
    open(proofOf(real), oddsOf(real));
    await right();
    expect(factsOf(step(/A pack was burned/))).toEqual([
      "Chain: Forge (421614)",
      `Packs' contract: 0x${"c5".repeat(20)}`,
      "Pack's token: number 3, that is edition 2",
      `Wallet: ${wallet}`,
      `Transaction: 0x${"00".repeat(31)}07 (opens in a new tab)`,
      expect.stringMatching(/^Log in the transaction: \d+$/),
      "Copy, counted from 0: 2",
      "Block: 123 (opens in a new tab)",
      `Hash of the block: 0x${"b1".repeat(32)}`,
      "Time of the block: 2023-09-15 10:59:57 UTC",
    ]);
    expect(screen.getByRole("link", { name: /^0x0+7/ })).toHaveAttribute("href", `https://explorer.example/tx/0x${"00".repeat(31)}07`);
    expect(screen.getByRole("link", { name: /^123/ })).toHaveAttribute("href", "https://explorer.example/block/123");
  });

  it("shows the margin of a chain whose blocks may be dated back", async () => {
    const late = sealed(burnReceipt({}, { margin: 30 }));
    open(proofOf(late), oddsOf(late));
    await right();
    expect(screen.getByText("30 seconds: the chain's blocks may be dated this far behind the clock")).toBeVisible();
    expect(step(/The time of the burn names the round/)).toHaveTextContent("at least 32 seconds after the time of the block");
  });

  it("shows the edition, and where it is fixed", async () => {
    open(proofOf(real), oddsOf(real));
    await right();
    expect(step(/Its edition says what can be drawn/)).toHaveTextContent(
      "its SHA-256 was fixed in the packs' contract before the pack was burned",
    );
    expect(factsOf(step(/Its edition says what can be drawn/)).slice(0, 8)).toEqual([
      "Table: god, edition 2",
      "SHA-256: 1bfb6739a1e10d135e723d34a39f1232d1a724ef15976676e1010c3fa9147ce9",
      "Fixed by: the packs' contract",
      `Contract: 0x${"c5".repeat(20)}`,
      "Chain: Forge (421614)",
      `Transaction: 0x${"f1".repeat(32)} (opens in a new tab)`,
      "Block: 100 (opens in a new tab)",
      "Since: 2023-09-15 09:26:40 UTC",
    ]);
    expect(screen.queryByText(/version/i)).toBeNull();
  });

  // Spec: DRAW-21
  it("says what a receipt cannot prove by itself, and how each is checked", async () => {
    open(proofOf(ours), oddsOf(ours));
    await right();
    const list = screen.getByRole("heading", { name: "What a receipt cannot prove by itself" }).nextElementSibling as HTMLElement;
    const command = `pantheon verify ${id} --site http://localhost:3000 --rpc <address of a node>`;
    expect(
      within(list)
        .getAllByRole("listitem")
        .map(({ textContent }) => textContent),
    ).toEqual([
      expect.stringMatching(/^That the chain has this burn, by this wallet, in this block and at this time\. A block explorer/),
      expect.stringMatching(/^That the SHA-256 of the table is where the receipt says, since then\. .* event TableFixed/),
      expect.stringMatching(/^What had been opened before, which counts for the pity rule and the limits\. All receipts/),
      expect.stringMatching(/^That what was drawn was given\. .* block explorer/),
    ]);
    expect(list).toHaveTextContent(`The command “${command}” asks a node for it.`);
  });

  // Spec: DRAW-21
  it("of a pack from the shop shows the order in the place of the burn", async () => {
    open(proofOf(bought), oddsOf(bought));
    await right();
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Two avatars");
    expect(screen.getAllByText("50 fate")[0]).toBeVisible();
    expect(screen.getByText(/^Gold destiny pack/)).toHaveTextContent(
      `Gold destiny pack · edition 1 · ${unit} · payment recorded at 2023-09-15 10:59:52 UTC`,
    );
    expect(factsOf(step(/A pack was paid for/))).toEqual([
      "Shop: gift-shop",
      "Order: 9007199254083578",
      "Line of the order: 1",
      expect.stringMatching(/^Unit of the line: \d+$/),
      `Number of the buyer's browser: 0x${"0e".repeat(32)}`,
      "Record in the public log of payments: 7",
      "Payment recorded: 2023-09-15 10:59:52 UTC",
      "Anchored up to record: 9",
      "Chain: Forge (421614)",
      `Wallet of the anchor: ${portal}`,
      `Transaction: 0x${"a7".repeat(32)} (opens in a new tab)`,
      "Block: 130 (opens in a new tab)",
      `Hash of the block: 0x${"b7".repeat(32)}`,
      "Time of the block: 2023-09-15 10:59:57 UTC",
    ]);
    expect(screen.getByRole("link", { name: /^0xa7/ })).toHaveAttribute("href", `https://explorer.example/tx/0x${"a7".repeat(32)}`);
    expect(screen.getByRole("link", { name: /^130/ })).toHaveAttribute("href", "https://explorer.example/block/130");
    expect(step(/A pack was paid for/)).toHaveTextContent("and so is a number that the buyer's browser chose");
    expect(step(/Its edition says what can be drawn/)).toHaveTextContent(
      "fixed by a transaction of the portal before the pack was paid for",
    );
    expect(step(/A pack was paid for/)).toHaveTextContent("The round follows from the block of that transaction.");
    const round = step(/The time of the anchor names the round/);
    expect(round).toHaveTextContent(
      "at least 6 seconds after the time of the block. When the record was anchored, nobody could know its number yet.",
    );
    expect(factsOf(round)).toContain("Published: 2023-09-15 11:00:03 UTC, 6 seconds after the block");
    expect(screen.getByText(/^HMAC-SHA256 of the purchase's place/)).toBeVisible();
    expect(screen.getByText(/^That the shop has this order/)).toBeVisible();
    expect(screen.getByText(/^That the chain has this anchor, .* and that the wallet has not anchored the record before/)).toBeVisible();
    expect(screen.getByText(/^That this edition was the one on sale/)).toBeVisible();
    expect(screen.queryByText(/burn/i)).toBeNull();
  });

  it("of a purchase shows the margin of the anchor's chain", async () => {
    const late = sealed(purchaseReceipt({}, { anchor: { margin: 30 } }));
    open(proofOf(late), oddsOf(late));
    await right();
    expect(factsOf(step(/A pack was paid for/))).toContain("Margin: 30 seconds: the chain's blocks may be dated this far behind the clock");
    expect(step(/The time of the anchor names the round/)).toHaveTextContent("at least 32 seconds after the time of the block");
  });

  it("of a purchase says if this browser has chosen its number", async () => {
    const shop = sealed(purchaseReceipt());
    keepNonce("h1", `0x${"0e".repeat(32)}`);
    open(proofOf(shop), oddsOf(shop));
    await right();
    expect(step(/A pack was paid for/)).toHaveTextContent(
      "chose before the payment. Your browser chose this number before the order existed.",
    );
  });

  it("of a purchase without a number of the buyer's browser says so", async () => {
    const without = sealed(purchaseReceipt({}, { nonce: `0x${"00".repeat(32)}` }));
    open(proofOf(without), oddsOf(without));
    await right();
    expect(factsOf(step(/A pack was paid for/))).toContain("Number of the buyer's browser: none");
    expect(screen.queryByText(/browser chose before the payment/)).toBeNull();
  });

  it("of a drop of currencies alone shows the pack, and its name once", async () => {
    open(proofOf(fate, { grants: [] }), oddsOf(fate));
    await right();
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("25 fate");
    expect(screen.getByRole("img", { name: "Gold destiny pack" })).toBeVisible();
    expect(screen.getAllByText("25 fate").map(({ tagName }) => tagName)).not.toContain("LI");
    expect(screen.queryByRole("heading", { name: /What was drawn/ })).toBeNull();
  });

  it("of a new token is called by its variant, shows its picture and its second draw, and counts pity and caps", async () => {
    open(proofOf(god), oddsOf(god));
    await right();
    const token = JSON.parse(god).outcome.tokens[0].id as string;
    expect(token).toMatch(/^201\d{13}$/);
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Zeus");
    expect(screen.getByText("An Elder God, and a second draw said which.")).toBeVisible();
    expect(screen.getByText(`Zeus (mythic), a new token of Elder Gods, number ${token}`)).toBeVisible();
    expect(await screen.findByRole("img", { name: /^Zeus/ })).toHaveAttribute("src", expect.stringContaining(`/${token}/image.svg`));
    const before = step(/What was opened before/);
    expect(before).toHaveTextContent("After 9 openings in a row without anything epic or rarer");
    expect(before).toHaveTextContent(
      "Of all new tokens of Elder Gods, packs of the kind give 3 at most. Where “An Elder God” would exceed that, " +
        "“Meridian <Blade>” takes its place.",
    );
    expect(factsOf(before)).toEqual([
      "Openings in a row without: 9",
      "Drawn by the pity rule: yes",
      "Given before: new tokens of Elder Gods: 2 of 3",
    ]);
    const second = step(/A second draw says which one/);
    expect(second).toHaveTextContent(
      "The drop gives a new token of Elder Gods. A further word, divided by 4, leaves 0, and “Zeus” has the numbers from 0 to 0.",
    );
    expect(factsOf(second)).toEqual([
      expect.stringMatching(/^Random word: 0x[0-9a-f]{16}$/),
      "Sum of the weights: 4",
      "Number: 0",
      "Drawn: Zeus",
      "Rarity: mythic",
      "Series: 201",
      expect.stringMatching(/^Random word of the serial number: 0x[0-9a-f]{16}$/),
      `Serial number: ${token.slice(3)}`,
      `Token: ${token}`,
    ]);
  });

  it("whose drop had run out says what took its place", async () => {
    const gone = sealed(
      burnReceipt(
        { drop: "blade", before: { without: 9, given: { "elder-gods": 3 } } },
        burnReceipt({ drop: "god", before: { without: 9, given: { "elder-gods": 0 } } }).burn,
      ),
    );
    open(proofOf(gone), oddsOf(gone));
    await right();
    expect(step(/The number picks the drop/)).toHaveTextContent("Not enough was left for it: “Meridian <Blade>” takes its place.");
  });

  // Spec: DRAW-21
  it("says whether and where what was drawn was given", async () => {
    open(proofOf(god), oddsOf(god));
    await right();
    const given = step(/What was drawn was given/);
    const token = JSON.parse(god).outcome.tokens[0].id;
    expect(factsOf(given)).toEqual([
      `1 copy of Elder Gods, number ${token}: given`,
      `Transaction: 0x${"9a".repeat(32)} (opens in a new tab)`,
      "50 fate: given",
    ]);
    expect(within(given).getByRole("link", { name: /^0x9a/ })).toHaveAttribute("href", `https://explorer.example/tx/0x${"9a".repeat(32)}`);
    expect(within(given).queryByRole("note")).toBeNull();
  });

  it("says what is still on its way, and what is not what was drawn", async () => {
    const [token, fate] = proofOf(god).grants as [Proof["grants"][number], Proof["grants"][number]];
    open(
      proofOf(god, {
        grants: [
          { ...fate, amount: "49", state: "failed" },
          { ...token, state: "sending" },
        ],
      }),
      oddsOf(god),
    );
    await right();
    const given = step(/What was drawn is being given/);
    expect(factsOf(given)).toEqual([
      expect.stringMatching(/: could not be given yet$/),
      expect.stringMatching(/: on its way$/),
      expect.stringMatching(/^Transaction/),
    ]);
    expect(within(given).getByRole("note")).toHaveTextContent("What was given is not exactly what was drawn.");
  });

  it("by a development beacon says that this is no public randomness", async () => {
    open(proofOf(ours));
    await right();
    expect(screen.getAllByText(/^The development beacon: no public randomness\./)).toHaveLength(2);
  });

  // Spec: DRAW-21
  it("with a changed byte does not fit, and says why", async () => {
    open(proofOf(ours, { receipt: ours.replace('"drop":"knife"', '"drop":"knive"') }));
    await wrong();
    expect(screen.getByText("The receipt was changed: its digest does not fit.")).toBeVisible();
    expect(screen.getByText("The portal says that it held “Ferryman's Knife”.")).toBeVisible();
    expect(screen.queryByRole("heading", { name: "How it was drawn" })).toBeNull();
  });

  const paid = proofOf(bought).purchase as NonNullable<Proof["purchase"]>;
  const { anchor: known, ...unanchored } = paid;
  const anchor = known as NonNullable<typeof known>;
  const fixed = proofOf(ours).fixed as NonNullable<Proof["fixed"]>;
  const published = oddsOf(ours).tables[0] as Odds["tables"][number];
  // Spec: DRAW-21
  it.each<[string, Proof, Odds, string]>([
    [
      "whose receipt is another opening's",
      proofOf(ours, { openingId: "421614-0x07-9-9" }),
      oddsOf(ours),
      "The receipt is that of another opening.",
    ],
    [
      "of a purchase whose receipt is another's",
      proofOf(bought, { openingId: "gift-shop-1-1-0" }),
      oddsOf(bought),
      "The receipt is that of another opening.",
    ],
    [
      "of which the portal says something else",
      proofOf(ours, { drop: "god" }),
      oddsOf(ours),
      "The portal says that something else was drawn.",
    ],
    [
      "by another edition than the portal says",
      proofOf(ours, { edition: 1 }),
      oddsOf(ours),
      "The portal says that something else was drawn.",
    ],
    ...(
      [
        ["block", { block: 124 }],
        ["block's hash", { blockHash: `0x${"b2".repeat(32)}` }],
        ["block's time", { blockTime: "2026-01-01T00:00:01Z" }],
        ["wallet", { wallet: `0x${"ac".repeat(20)}` }],
        ["contract", { contract: `0x${"ac".repeat(20)}` }],
        ["token", { tokenId: "4" }],
        ["margin", { margin: 3 }],
      ] as const
    ).map(([what, some]): [string, Proof, Odds, string] => [
      `with another ${what} of the burn`,
      proofOf(ours, { burn: { ...(proofOf(ours).burn as NonNullable<Proof["burn"]>), ...some } }),
      oddsOf(ours),
      "The portal says something else of the burn.",
    ]),
    ...[{ record: 8 }, { nonce: `0x${"0f".repeat(32)}` }, { recordedAt: "2023-09-15T10:59:53Z" }].map(
      (some): [string, Proof, Odds, string] => [
        `with another ${Object.keys(some)} of the payment`,
        proofOf(bought, { purchase: { ...(proofOf(bought).purchase as NonNullable<Proof["purchase"]>), ...some } }),
        oddsOf(bought),
        "The portal says something else of the payment.",
      ],
    ),
    ...(
      [
        { number: 8 },
        { chainId: 421613 },
        { wallet },
        { txId: `0x${"a8".repeat(32)}` },
        { block: 131 },
        { blockHash: `0x${"b8".repeat(32)}` },
        { blockTime: "2023-09-15T10:59:58Z" },
        { margin: 3 },
      ] as const
    ).map((some): [string, Proof, Odds, string] => [
      `with another ${Object.keys(some)} of the anchor`,
      proofOf(bought, { purchase: { ...paid, anchor: { ...anchor, ...some } } }),
      oddsOf(bought),
      "The portal says something else of the payment's anchor.",
    ]),
    [
      "whose anchor the portal does not have",
      { ...proofOf(bought), purchase: unanchored },
      oddsOf(bought),
      "The portal says something else of the payment's anchor.",
    ],
    [
      "by a table that is not the published one",
      proofOf(ours),
      oddsOf(ours, { tables: [tableOdds(published.canonical.replace('"weight":5,', '"weight":6,'))] }),
      "The table is not the one that is published for this edition.",
    ],
    [
      "by a table of another edition",
      proofOf(ours),
      oddsOf(ours, { tables: [tableOdds(JSON.stringify({ ...godTable, edition: 3 }))] }),
      "The table is not the one that is published for this edition.",
    ],
    ...(
      [
        ["published in another block", { ...published, fixed: { ...fixed, block: 101 } }, fixed],
        ["published at another time", { ...published, fixed: { ...fixed, blockTime: "2023-09-15T09:26:41Z" } }, fixed],
        ["fixed in another transaction by the opening", published, { ...fixed, tx: `0x${"f2".repeat(32)}` }],
      ] as const
    ).map(([what, table, fixed]): [string, Proof, Odds, string] => [
      `by a table that is ${what}`,
      proofOf(ours, { fixed }),
      oddsOf(ours, { tables: [table] }),
      "The portal says that the table was fixed in another place or at another time.",
    ]),
    [
      "by another beacon than the announced one",
      proofOf(ours),
      oddsOf(ours, { beacon: oddsOf(real).beacon }),
      "The beacon is not the one that the portal announces.",
    ],
  ])("%s does not fit", async (_, proof, odds, reason) => {
    open(proof, odds);
    expect(await screen.findByText(reason)).toBeVisible();
    await wrong();
  });

  it("by quicknet fits whatever beacon the portal has now", async () => {
    open(proofOf(real), oddsOf(real, { beacon: oddsOf(ours).beacon }));
    await right();
    expect(screen.queryByText("The beacon is not the one that the portal announces.")).toBeNull();
  });

  it("says that it could not compare the table, if the announced ones do not load", async () => {
    open(proofOf(real), "down");
    await right();
    const note = await screen.findByText(/^The published tables did not load/);
    server.use(http.get("*/api/packs/odds", () => HttpResponse.json(oddsOf(real))));
    await userEvent.click(within(note).getByRole("button", { name: "Try again" }));
    await vi.waitFor(() => expect(note).not.toBeInTheDocument());
  });

  // Spec: DRAW-21
  it("that waits counts down to its round, and shows the draw by itself", async () => {
    open([waitingOf(ours, 700), proofOf(ours)]);
    expect(await screen.findByText(/^It waits for round 3,603 of the beacon/)).toBeVisible();
    expect(screen.getByRole("timer")).toBeVisible();
    await right();
  });

  // Spec: DRAW-21
  it("of a pack from the shop has no round until its record is on the chain, and asks again", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    open([unanchoredOf(bought), proofOf(bought)], oddsOf(bought));
    const text = await screen.findByText(/^The record of the payment, number 7 of the public log, is not on the chain yet/);
    expect(text).toHaveTextContent("The round of the beacon that decides follows from that block.");
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Its round is not known yet");
    expect(screen.queryByRole("timer")).toBeNull();
    expect(screen.queryByText(/657,413/)).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    await right();
  });

  // Spec: DRAW-21
  it("of a pack from the shop names its round once its record is on the chain", async () => {
    open([waitingOf(bought, 700), proofOf(bought)], oddsOf(bought));
    expect(await screen.findByText(/^It waits for round 657,413 of the beacon/)).toBeVisible();
    expect(screen.getByText(/^The block that anchors the record of the payment has named this round/)).toBeVisible();
    expect(screen.getByRole("img", { name: "Gold destiny pack" })).toBeVisible();
    expect(screen.getByText(/^Gold destiny pack/)).toHaveTextContent(unit);
    await right();
  });

  // Spec: DRAW-21
  it("that is late says so, and asks again", async () => {
    open([waitingOf(ours, -20_000), proofOf(ours)]);
    expect(await screen.findByText(/^The draw is late: round 3,603 was expected 20 seconds ago\./)).toBeVisible();
    await right();
  });

  it("that can never be drawn says why", async () => {
    open({ ...waitingOf(ours, -1), state: "failed", message: "No table was in force when the pack was burned." });
    expect(await screen.findByText("No table was in force when the pack was burned.")).toBeVisible();
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("This pack could not be drawn");
  });

  it("of a pack from the shop that can never be drawn is not called burned", async () => {
    open({ ...waitingOf(bought, -1), state: "failed", message: "No drop table was in force at the time of the purchase." });
    expect(await screen.findByText("No drop table was in force at the time of the purchase.")).toBeVisible();
    expect(screen.getByText(/^The pack is paid for, and nothing was drawn for it\./)).toBeVisible();
    expect(screen.getByText(/^Gold destiny pack/)).toHaveTextContent(unit);
    expect(screen.queryByText(/burn/)).toBeNull();
  });

  // Spec: DRAW-21
  it.each([404, 422])("that nobody knows is the page for unknown addresses (%i)", async (status) => {
    server.use(http.get("*/api/packs/openings/:id", () => problem(status, "No such opening.")));
    show("1-0xab-0-0");
    expect(await screen.findByRole("heading", { name: "No such page" })).toBeVisible();
  });

  it("that did not load can be asked for again", async () => {
    server.use(http.get("*/api/packs/openings/:id", () => problem(403, "Not from here.")));
    show("1-0xab-0-0");
    expect(await screen.findByText("Not from here.")).toBeVisible();
    expect(screen.getByRole("button", { name: "Try again" })).toBeVisible();
  });

  // Spec: DRAW-20
  it("can be kept: its receipt as it was written, and as a page that has it", async () => {
    open(proofOf(ours));
    await right();
    await userEvent.click(screen.getByRole("button", { name: "Download the receipt" }));
    await userEvent.click(screen.getByRole("button", { name: "Keep a page that checks itself" }));
    await vi.waitFor(() => expect(saved).toHaveLength(2), { timeout: 10_000 });
    const [receipt, page] = saved;
    expect(receipt?.name).toBe(`receipt-${id}.json`);
    expect(await receipt?.text).toBe(ours);
    expect(page?.name).toBe(`opening-${id}.html`);
    const html = (await page?.text) ?? "";
    const kept = JSON.parse(/<script type="application\/json" id="kept">([^<]*)<\/script>/.exec(html)?.[1] ?? "");
    expect(kept).toEqual({ receipt: ours, from: `http://localhost:3000/packs/openings/${id}` });
  });
});
