// A long list of listings, on a phone and on a desktop: only what is near the viewport is rendered, Tab reaches the next
// card, and back, forward and a reload lead to where the reader was.
import assert from "node:assert/strict";
import { accessible, at, base, desktop, eventually, journey, phone, player, shot, start } from "./browser.mjs";

const list = `${base}/kod-marketplace?q=bystander&sort=price-asc`;
const listings = Number(process.env.LISTINGS);
/** The most cards that are rendered at once: a few screens. */
const mostCards = 80;

const browser = await start();
await journey(browser, async () => {
  await Promise.all([phone, desktop].map(readsToTheEnd));
});

// Spec: UI-13
async function readsToTheEnd(viewport) {
  const { page, context, faults } = await player(browser, viewport);
  await page.goto(list, { waitUntil: "networkidle" });
  await page.getByText("Bystander 1", { exact: true }).waitFor();
  await accessible(page, `a long list ${at(page)}`);
  const before = await memory(page, context);
  await scrollsDown(page);
  await page.getByText(`Bystander ${listings}`, { exact: true }).waitFor();
  await shot(page, `long-list_end-${viewport.width}`);
  const after = await memory(page, context);
  assert.ok(after.nodes < 2 * before.nodes, `${after.nodes} elements at the end, ${before.nodes} at the beginning ${at(page)}`);
  await eventually(
    `the browser has released the images of earlier cards ${at(page)}`,
    async () => (await memory(page, context)).documents < 500,
  );
  assert.ok(after.heap < before.heap + 40_000_000, `${after.heap} bytes of heap at the end, ${before.heap} at the beginning ${at(page)}`);
  console.log(
    `${at(page)}: ${before.nodes} → ${after.nodes} elements, ` +
      `${(before.heap / 1e6).toFixed(1)} → ${(after.heap / 1e6).toFixed(1)} MB of heap, ` +
      `${before.documents} → ${after.documents} documents`,
  );
  await scrollsEvenly(page);
  await keepsItsPlace(page);
  await movesByKeyboard(page);
  assert.deepEqual(faults, []);
  await context.close();
}

function cards(page) {
  return page.getByRole("feed", { name: "Listings" }).getByRole("article");
}

/**
 * The page's number of elements, and bytes of its heap after garbage collection. Images are not part of either, but each SVG
 * image in memory counts as a document.
 */
async function memory(page, context) {
  const client = await context.newCDPSession(page);
  await client.send("HeapProfiler.collectGarbage");
  await client.send("Performance.enable");
  const { metrics } = await client.send("Performance.getMetrics");
  const { documents } = await client.send("Memory.getDOMCounters");
  await client.detach();
  return {
    documents,
    nodes: await page.evaluate(() => document.querySelectorAll("*").length),
    heap: metrics.find(({ name }) => name === "JSHeapUsedSize").value,
  };
}

/** Scrolls to the end of the list, page by page as it loads. */
async function scrollsDown(page) {
  await eventually(
    `the end of the list ${at(page)}`,
    async () => {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      assert.ok((await cards(page).count()) <= mostCards, `few cards are rendered ${at(page)}`);
      return (await page.getByText(`Bystander ${listings}`, { exact: true }).count()) === 1;
    },
    180_000,
  );
}

/** Rows that are rendered above the viewport do not move what is in it. */
async function scrollsEvenly(page) {
  const { width, height } = page.viewportSize();
  await page.mouse.move(width / 2, height / 2);
  for (let i = 0; i < 20; i++) {
    const before = await page.evaluate(() => scrollY);
    await page.mouse.wheel(0, -400);
    await eventually(
      `the list scrolls up by 400 px from ${before} ${at(page)}`,
      async () => Math.abs((await page.evaluate(() => scrollY)) - before + 400) < 2,
    );
  }
}

/** The name and position of the first card whose beginning is visible. */
function firstVisible(page) {
  return cards(page).evaluateAll((all) => {
    const places = all
      .map((card) => ({ name: card.querySelector("h3").textContent, top: card.getBoundingClientRect().top }))
      .sort((a, b) => a.top - b.top);
    return places.find(({ top }) => top >= 70);
  });
}

/** Back from an item, and forward and back again, the same cards are where they were. */
// Spec: UI-13
async function keepsItsPlace(page) {
  await page.evaluate((share) => scrollTo(0, document.documentElement.scrollHeight * share), 0.6);
  const isInTheMiddle = (name = "") => Number(/\d+/.exec(name)?.[0]) > 0.4 * listings && Number(/\d+/.exec(name)?.[0]) < 0.8 * listings;
  await eventually(`the middle of the list ${at(page)}`, async () => isInTheMiddle((await firstVisible(page))?.name));
  await page.waitForLoadState("networkidle");
  const seen = await firstVisible(page);
  const is = async () => {
    const now = await firstVisible(page);
    return now && now.name === seen.name && Math.abs(now.top - seen.top) < 40;
  };
  await page.getByRole("link", { name: seen.name, exact: true }).click();
  await page.getByRole("heading", { level: 1, name: seen.name }).waitFor();
  await page.goBack();
  await eventually(`${seen.name} is where it was, on the way back ${at(page)}`, is);
  assert.equal(page.url(), list, "the filters stay");
  await page.goForward();
  await page.getByRole("heading", { level: 1, name: seen.name }).waitFor();
  await page.goBack();
  await eventually(`${seen.name} is where it was, after forward and back ${at(page)}`, is);
  await shot(page, `long-list_back-${page.viewportSize().width}`);
  const isOnTop = async () => {
    const [top] = await page
      .getByRole("link", { name: seen.name, exact: true })
      .evaluateAll((links) => links.map((link) => link.closest("article").getBoundingClientRect().top));
    return Math.abs(top - 80) < 10; // below the header
  };
  await page.reload();
  await eventually(`${seen.name} is at the top after a reload ${at(page)}`, isOnTop, 60_000);
  await shot(page, `long-list_reloaded-${page.viewportSize().width}`);
  await page.getByRole("link", { name: seen.name, exact: true }).click();
  await page.getByRole("heading", { level: 1, name: seen.name }).waitFor();
  await page.reload();
  await page.getByRole("heading", { level: 1, name: seen.name }).waitFor();
  await page.goBack();
  await eventually(`${seen.name} is at the top on the way back from an item that was reloaded ${at(page)}`, isOnTop, 60_000);
}

/** From card to card by Tab, beyond what was rendered at first. */
async function movesByKeyboard(page) {
  await page.evaluate(() => scrollTo(0, 0));
  const first = page.getByRole("link", { name: "Bystander 1", exact: true });
  await first.focus();
  let name = "";
  for (let i = 0; i < 200 && name !== "Bystander 60"; i++) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => document.activeElement?.closest("article")?.querySelector("h3")?.textContent ?? "");
    assert.ok(focused, `Tab stays among the cards after ${name} ${at(page)}`);
    name = focused;
  }
  assert.equal(name, "Bystander 60", `Tab reaches further cards ${at(page)}`);
  // The focus stays where it is while the list is scrolled.
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await page.waitForFunction(
    () => ![...document.querySelectorAll("[role=feed] h3")].some((heading) => heading.textContent === "Bystander 20"),
  );
  assert.equal(await page.evaluate(() => document.activeElement?.closest("article")?.querySelector("h3")?.textContent), "Bystander 60");
}
