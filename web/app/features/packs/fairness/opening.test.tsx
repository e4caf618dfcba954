import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { clientConfig } from "../../../../test/make";
import { oddsOf, proofOf, purchaseAt, receiptAt, tableOdds, waitingOf } from "../../../../test/packs";
import { HttpResponse, http, problem, server } from "../../../../test/server";
import { OpeningPage } from "./components/opening";
import type { Odds, Proof } from "./queries";

/** One by the development beacon, one by a real round of quicknet. */
const ours = receiptAt(5);
const real = receiptAt(-1);
/** One of a purchase, by a real round of quicknet, and its place in the shop. */
const bought = purchaseAt(-1);
const unit = "gift-shop, order 9007199254083578, line 1, unit 2";

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
    http.get("*/api/config", () => HttpResponse.json(clientConfig({ gameChain: { id: 421614, name: "Forge", explorerUrl: "https://explorer.example" } }))),
  );
});

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

const right = () => screen.findByText("This page has repeated the draw: it is right.");
const wrong = () => screen.findByText("This page has repeated the draw: it does not fit.");

describe("an opening", () => {
  it("shows what was drawn, and that the browser drew the same", async () => {
    open(proofOf(real), oddsOf(real));
    await right();
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Moth Fang");
    expect(screen.getAllByText("rare")[0]).toBeVisible();
    expect(screen.getByText("1 copy of Arms & relics, number 6")).toBeVisible();
    expect(await screen.findByRole("img", { name: /^Moth Fang/ })).toHaveAttribute("src", expect.stringMatching(/^\/metadata\/0x\w+\/6\/image\.svg$/));
    expect(screen.queryByRole("note")).toBeNull();
    const beacon = screen.getByRole("heading", { name: /A beacon decides/ }).closest("li") as HTMLElement;
    expect(beacon).toHaveTextContent("drand's quicknet is a public source");
    expect(screen.getByText("657,413")).toBeVisible();
    expect(screen.getByRole("link", { name: /^0x0+a0805/ })).toHaveAttribute("href", `https://explorer.example/tx/0x${"0".repeat(59)}a0805`);
    expect(screen.getByText("Forge (421614)")).toBeVisible();
    expect(screen.getByText("yes, it is among the odds")).toBeVisible();
  });

  it("of a pack from the shop shows the order in the place of the burn", async () => {
    open(proofOf(bought), oddsOf(bought));
    await right();
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("An Elder God");
    expect(screen.getByText("50 fate")).toBeVisible();
    expect(screen.getByText(/^Gold destiny pack/)).toHaveTextContent(`Gold destiny pack · ${unit} · payment recorded at 2023-09-15 10:59:57 UTC`);
    const origin = screen.getByRole("heading", { name: /A pack was paid for/ }).closest("li") as HTMLElement;
    expect(
      within(origin)
        .getAllByRole("definition")
        .map((value) => value.textContent),
    ).toEqual(["gift-shop", "9007199254083578", "1", "2", "2023-09-15 10:59:57 UTC"]);
    expect(screen.getByRole("heading", { name: /The time of the payment names the round/ }).closest("li")).toHaveTextContent("6 seconds after the record");
    expect(screen.getByText(/^HMAC-SHA256 of the purchase's place/)).toBeVisible();
    expect(screen.getByText(/^That the shop has this order/)).toBeVisible();
    expect(screen.queryByText(/burn|block|pity rule and/i)).toBeNull();
    expect(screen.queryByRole("link", { name: /0x/ })).toBeNull();
  });

  it("of a drop of currencies alone shows the pack, and its name once", async () => {
    const fate = purchaseAt(0);
    open(proofOf(fate), oddsOf(fate));
    await right();
    expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("25 fate");
    expect(screen.getByRole("img", { name: "Gold destiny pack" })).toBeVisible();
    expect(screen.getAllByText("25 fate").map(({ tagName }) => tagName)).not.toContain("LI");
  });

  it("of a drop with a new token shows its number and picture, and counts pity and caps", async () => {
    open(proofOf(receiptAt(10)), oddsOf(receiptAt(10)));
    await right();
    expect(screen.getByText("A new token of Elder Gods, number 5528515748952128")).toBeVisible();
    expect(screen.getByText("50 fate")).toBeVisible();
    expect(await screen.findByRole("img", { name: /^An Elder God/ })).toHaveAttribute("src", expect.stringContaining("/5528515748952128/image.svg"));
    const before = screen.getByRole("heading", { name: /What was opened before/ }).closest("li") as HTMLElement;
    expect(before).toHaveTextContent("After 9 openings in a row without anything epic or rarer");
    expect(within(before).getByText("0 of 3")).toBeVisible();
    expect(within(before).getByText("yes")).toBeVisible();
  });

  it("by a development beacon says that this is no public randomness", async () => {
    open(proofOf(ours));
    await right();
    expect(screen.getAllByText(/^The development beacon: no public randomness\./)).toHaveLength(2);
  });

  it("with a changed byte does not fit, and says why", async () => {
    open(proofOf(ours, { receipt: ours.replace('"drop":"knife"', '"drop":"knive"') }));
    await wrong();
    expect(screen.getByText("The receipt was changed: its digest does not fit.")).toBeVisible();
    expect(screen.getByText("The portal says that it held “Ferryman's Knife”.")).toBeVisible();
    expect(screen.queryByRole("heading", { name: "How it was drawn" })).toBeNull();
  });

  it.each<[string, Proof, Odds, string]>([
    [
      "whose receipt is another opening's",
      proofOf(ours, { openingId: proofOf(receiptAt(6)).openingId }),
      oddsOf(ours),
      "The receipt is that of another opening.",
    ],
    [
      "of a purchase whose receipt is another's",
      proofOf(bought, { openingId: proofOf(purchaseAt(6)).openingId }),
      oddsOf(bought),
      "The receipt is that of another opening.",
    ],
    [
      "of a purchase by a table that another had followed",
      proofOf(bought),
      oddsOf(bought, {
        tables: oddsOf(bought).tables.flatMap((table) => [tableOdds(table.canonical.replace('"version":1', '"version":2')), table]),
      }),
      "At the time of the payment version 2 of the table was in force.",
    ],
    ["of which the portal says something else", proofOf(ours, { drop: "god" }), oddsOf(ours), "The portal says that something else was drawn."],
    [
      "by a table that was not announced",
      proofOf(ours),
      oddsOf(ours, { tables: [tableOdds(oddsOf(ours).tables[0]?.canonical.replace('"weight":5,', '"weight":6,') ?? "")] }),
      "The table is not among those that were announced.",
    ],
    [
      "by a table that another had followed",
      proofOf(ours),
      oddsOf(ours, {
        tables: oddsOf(ours).tables.flatMap((table) => [tableOdds(table.canonical.replace('"version":2', '"version":3')), table]),
      }),
      "At the time of the burn version 3 of the table was in force.",
    ],
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
    const note = await screen.findByText(/^The announced tables did not load/);
    server.use(http.get("*/api/packs/odds", () => HttpResponse.json(oddsOf(real))));
    await userEvent.click(within(note).getByRole("button", { name: "Try again" }));
    await vi.waitFor(() => expect(note).not.toBeInTheDocument());
  });

  it("that waits counts down to its round, and shows the draw by itself", async () => {
    open([waitingOf(ours, 700), proofOf(ours)]);
    expect(await screen.findByText(/^It waits for round 3,608 of the beacon/)).toBeVisible();
    expect(screen.getByRole("timer")).toBeVisible();
    await right();
  });

  it("of a pack from the shop names its round at once", async () => {
    open([waitingOf(bought, 700), proofOf(bought)], oddsOf(bought));
    expect(await screen.findByText(/^It waits for round 657,413 of the beacon/)).toBeVisible();
    expect(screen.getByText(/^The time of the payment has named this round/)).toBeVisible();
    expect(screen.getByRole("img", { name: "Gold destiny pack" })).toBeVisible();
    expect(screen.getByText(/^Gold destiny pack/)).toHaveTextContent(unit);
    await right();
  });

  it("that is late says so, and asks again", async () => {
    open([waitingOf(ours, -20_000), proofOf(ours)]);
    expect(await screen.findByText(/^The draw is late: round 3,608 was expected 20 seconds ago\./)).toBeVisible();
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

  it("can be kept: its receipt as it was written, and as a page that has it", async () => {
    open(proofOf(ours));
    await right();
    await userEvent.click(screen.getByRole("button", { name: "Download the receipt" }));
    await userEvent.click(screen.getByRole("button", { name: "Keep a page that checks itself" }));
    await vi.waitFor(() => expect(saved).toHaveLength(2), { timeout: 10_000 });
    const [receipt, page] = saved;
    expect(receipt?.name).toBe(`receipt-421614-0x${"0".repeat(63)}5-5-2.json`);
    expect(await receipt?.text).toBe(ours);
    expect(page?.name).toBe(`opening-421614-0x${"0".repeat(63)}5-5-2.html`);
    const html = (await page?.text) ?? "";
    const kept = JSON.parse(/<script type="application\/json" id="kept">([^<]*)<\/script>/.exec(html)?.[1] ?? "");
    expect(kept).toEqual({ receipt: ours, from: `http://localhost:3000/packs/openings/421614-0x${"0".repeat(63)}5-5-2` });
  });
});
