// The proof of an opening, on a phone and on a desktop: the browser repeats the draw; its receipt and a page that checks
// itself are kept, and the page is opened without a network. Then the odds.
//
// OPENING is the id of an opening of the site. Without it the server's answers are made up from a receipt: that of the
// file RECEIPT, or one by drand's quicknet from the draw's test data.
//
//	BASE_URL=http://localhost:8080 OPENING=421614-0x…-0-0 node test/e2e/journeys/fairness.mjs
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { accessible, at, base, desktop, fits, phone, player, press, shot, start, tabTo } from "./browser.mjs";
import { inFull } from "./routes.mjs";

const right = "This page has repeated the draw: it is right.";
const wrong = "This page has repeated the draw: it does not fit.";
const unknown = `/packs/openings/1-0x${"00".repeat(32)}-0-0`;

const opening = process.env.OPENING || undefined;
const vectors = new URL("../../../internal/portal/draw/testdata/receipts.json", import.meta.url);
const made = opening
  ? undefined
  : answersOf(process.env.RECEIPT ? readFileSync(process.env.RECEIPT, "utf8").trim() : JSON.parse(readFileSync(vectors, "utf8")).at(-1));
const id = opening ?? made.proof.openingId;

const folder = await mkdtemp(join(tmpdir(), "fairness-"));
const browser = await start();
try {
  for (const viewport of [desktop, phone]) {
    const visitor = await player(browser, viewport, { allow: (response) => response.url().endsWith(unknown.split("/").at(-1)) });
    const receipt = await repeatsTheDraw(visitor.page);
    const kept = await keeps(visitor.page, receipt);
    await worksWithoutANetwork(kept, receipt, viewport);
    await tellsTheOdds(visitor.page);
    await leadsNowhere(visitor.page);
    assert.deepEqual(visitor.faults, []);
    await visitor.context.close();
  }
} finally {
  await browser.close();
  await rm(folder, { recursive: true });
}

/** What the server says of the opening that a receipt is of, and the odds that have its table. */
function answersOf(receipt) {
  const { burn, purchase, fixed, beacon, outcome, table } = JSON.parse(receipt);
  const { kind, edition, total, token, pity, caps, drops } = JSON.parse(table);
  const time = (seconds) => new Date(seconds * 1000).toISOString();
  const { scheme, publicKey, genesis, period } = beacon;
  const fixedAt = { ...fixed, blockTime: time(fixed.blockTime) };
  const proof = {
    ...(burn
      ? {
          openingId: [burn.chainId, burn.tx, burn.logIndex, burn.number].join("-"),
          burn: { ...burn, tokenId: burn.token, txId: burn.tx, blockTime: time(burn.blockTime) },
        }
      : {
          openingId: [purchase.shop, purchase.order, purchase.line, purchase.unit].join("-"),
          purchase: { ...purchase, recordedAt: time(purchase.recordedAt), anchor: anchorOf(purchase.anchor, time) },
        }),
    kind,
    state: "drawn",
    message: "",
    round: beacon.round,
    roundAt: time(genesis + (beacon.round - 1) * period),
    drawnAt: time(genesis + (beacon.round + 1) * period),
    edition,
    drop: outcome.drop,
    receipt,
    fixed: fixedAt,
    grants: [],
  };
  const odds = {
    beacon: { scheme, publicKey, genesis, period, quicknet: false, urls: [] },
    tables: [
      {
        kind,
        edition,
        hash: createHash("sha256").update(table).digest("hex"),
        total,
        token,
        pity,
        fixed: fixedAt,
        onSale: true,
        caps: caps?.map((cap) => ({ ...cap, given: 0, left: cap.most })),
        drops: drops.map((drop) => ({ ...drop, image: "" })),
        inShop: !burn,
        canonical: table,
        openings: 0,
        free: 0,
        results: [],
        rarities: [],
        waiting: 0,
      },
    ],
  };
  return { proof, odds };
}

/** An anchor as the server's answers have it. */
function anchorOf({ record, tx, blockTime, ...anchor }, time) {
  return { ...anchor, number: record, hash: "a8".repeat(32), txId: tx, blockTime: time(blockTime) };
}

/** The page says what was drawn, and that the browser drew the same. Returns the receipt. */
async function repeatsTheDraw(page) {
  if (made) {
    await page.route(`**/api/packs/openings/${id}`, (route) => route.fulfill({ json: made.proof }));
    await page.route("**/api/packs/odds", (route) => route.fulfill({ json: made.odds }));
  }
  const answer = page.waitForResponse((response) => response.url().endsWith(`/api/packs/openings/${id}`));
  await page.goto(`${base}/packs/openings/${id}`);
  const { receipt } = await (await answer).json();
  await page.getByText(right).waitFor();
  await page.getByRole("heading", { name: "How it was drawn" }).waitFor();
  await page.locator("main img").first().waitFor();
  const table = page.locator("main details").filter({ hasText: "What could be drawn by it" });
  await unfold(page, table.locator("summary").first());
  await table.getByText("Drawn", { exact: true }).waitFor();
  await page.waitForLoadState("networkidle");
  await accessible(page, `the page of an opening ${at(page)}`);
  await fits(page, `the page of an opening ${at(page)}`);
  await shot(page, `opening-${page.viewportSize().width}`);
  return receipt;
}

/** Opens a disclosure, by keyboard. */
async function unfold(page, summary) {
  await tabTo(page, summary);
  await page.keyboard.press("Enter");
}

/** The receipt is saved as it was written. Returns the file of the page that checks itself. */
async function keeps(page, receipt) {
  const save = async (button, name) => {
    const [download] = await Promise.all([page.waitForEvent("download"), press(page, page.getByRole("button", { name: button }))]);
    assert.equal(download.suggestedFilename(), name);
    const file = join(folder, name);
    await download.saveAs(file);
    return file;
  };
  assert.equal(await readFile(await save("Download the receipt", `receipt-${id}.json`), "utf8"), receipt);
  return save("Keep a page that checks itself", `opening-${id}.html`);
}

/** The kept page repeats the draw without site and network, in both colour schemes, and checks other receipts too. */
async function worksWithoutANetwork(file, receipt, viewport) {
  for (const colorScheme of ["light", "dark"]) {
    const { context, page, faults } = await player(browser, viewport, { colorScheme, offline: true });
    const asked = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(String(pathToFileURL(file)));
    await page.getByText(right).waitFor();
    const steps = 7 + JSON.parse(receipt).outcome.tokens.length;
    assert.equal(await page.getByRole("heading", { level: 3 }).count(), steps, "the steps of the draw");
    await accessible(page, `the kept page, ${colorScheme}, ${at(page)}`);
    await fits(page, `the kept page ${at(page)}`);
    await shot(page, `kept-${colorScheme}-${viewport.width}`);

    const changed = receipt.replace(/"(number|unit)":\d+/, (number) => `${number}1`);
    await page.getByLabel("Paste a receipt").fill(changed);
    await press(page, page.getByRole("button", { name: "Check this receipt" }));
    await page.getByRole("status").getByText(wrong).waitFor();
    await accessible(page, `the kept page with a changed receipt, ${colorScheme}, ${at(page)}`);
    await fits(page, `the kept page with a changed receipt ${at(page)}`);
    await page.getByLabel("Or choose its file").setInputFiles(join(folder, `receipt-${id}.json`));
    await page.getByRole("status").getByText(right).waitFor();
    assert.deepEqual(asked, [String(pathToFileURL(file))], "nothing else is loaded");
    assert.deepEqual(faults, []);
    await context.close();
  }
}

/** The odds of the site itself, whatever was drawn so far. */
async function tellsTheOdds(page) {
  await page.unroute("**/api/packs/odds");
  await page.goto(`${base}/packs/odds`);
  for (const kind of ["General pack", "Avatar pack", "God pack"]) await page.getByRole("heading", { name: kind, level: 2 }).waitFor();
  await page.getByRole("heading", { name: "Destiny packs", level: 2 }).waitFor();
  for (const kind of ["Bronze", "Silver", "Gold"])
    await page
      .getByRole("heading", { name: `${kind} destiny pack`, level: 3 })
      .first()
      .waitFor();
  await page.getByRole("heading", { name: "Promised and drawn" }).waitFor();
  for (const summary of await page.locator("main summary").all()) await unfold(page, summary);
  await accessible(page, `the odds ${at(page)}`);
  await fits(page, `the odds ${at(page)}`);
  await shot(page, `odds-${page.viewportSize().width}`);
}

/** An id that no opening has leads to the page for unknown addresses. */
async function leadsNowhere(page) {
  assert.equal((await page.goto(base + unknown)).status(), 404);
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  assert.equal(await page.title(), inFull("Page not found"));
}
