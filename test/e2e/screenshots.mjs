// Takes pictures of a running portal with a fresh demo world: every page in the specification, the steps of a purchase, the
// phases of an opening and of a burn, and claims, at both widths. Writes them to data/screenshots or to the named folder, and
// renews those in docs/screenshots, which documents show:
//
//   BASE_URL=http://127.0.0.1:8080 node test/e2e/screenshots.mjs [folder]
import assert from "node:assert/strict";
import { copyFile, mkdir, readdir, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { balanceOf, base, call, desktop, eventually, phone, player, readMarket, register, start, starterKit } from "./journeys/browser.mjs";
import { closed, listed, own, slug, unlisted } from "./journeys/routes.mjs";

const shown = new URL("../../docs/screenshots/", import.meta.url);
const folder = process.argv[2] ? pathToFileURL(`${resolve(process.argv[2])}/`) : new URL("../../data/screenshots/", import.meta.url);
/** The width of the stored pictures in pixels, by the width of the window: of whole pages, and of the visible part. */
const kept = { whole: { 1440: 540, 390: 225 }, seen: { 1440: 1080, 390: 390 } };
const quality = 0.3;
/**
 * The maximum shown height of a page, in pixels of the window: exceeded only by the API page, which no canvas holds.
 */
const tallest = 16_000;
/** The maximum size of one picture in docs/screenshots, in bytes: these are part of every clone of the repository. */
const most = 100_000;

/** The name of a page's picture, whatever the brand. */
const named = (path) => path.slice(1).replace(slug, "brand").replaceAll("/", "_") || "home";
/** Pages shown as part of the purchase. */
const market = "/kod-marketplace";
const checkout = `${market}/marketplace/checkout`;
const inventory = "/portal/my-inventory";
const inPassing = [market, checkout, inventory];

/** Converts a PNG to a smaller WebP image, in the browser. */
async function webp(studio, png, width) {
  const data = await studio.evaluate(
    async ([source, to, q]) => {
      const bitmap = await createImageBitmap(await (await fetch(source)).blob());
      const canvas = document.createElement("canvas");
      canvas.width = to;
      canvas.height = Math.round((bitmap.height * to) / bitmap.width);
      const context = canvas.getContext("2d");
      context.imageSmoothingQuality = "high";
      context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
      return canvas.toDataURL("image/webp", q);
    },
    [`data:image/png;base64,${png.toString("base64")}`, width, quality],
  );
  return Buffer.from(data.split(",")[1], "base64");
}

/** Waits for what the page loads, and scrolls so that lazy content loads. */
async function settle(page) {
  await page.waitForLoadState("networkidle");
  await page.locator("main [aria-busy=true]").first().waitFor({ state: "detached" });
  await page.evaluate(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += innerHeight / 2) {
      scrollTo(0, y);
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    }
    scrollTo(0, 0);
    // A list renders its rows near the viewport again; their lazy pictures below it are never loaded.
    const shown = [...document.images].filter((image) => image.complete || image.getBoundingClientRect().top < innerHeight);
    await Promise.all(shown.map((image) => image.decode().catch(() => {})));
  });
  await page.waitForLoadState("networkidle");
}

/** Shows the market as switched off, whatever the server says. */
async function closeTheMarket(page) {
  await page.route("**/getEvaluatedFeatureFlags?*", async (route) => {
    const answer = await (await route.fetch()).json();
    answer.flags.maintenance_mode.enabled = true;
    await route.fulfill({ json: answer });
  });
}

/** Stops the page's timers and frames; `runFor` advances them. */
async function stopTime(page) {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 200);
}

/** Shows every animation and transition as it is some milliseconds after its begin, or at its end. */
async function showAnimations(page, at) {
  await page.evaluate((time) => {
    for (const animation of document.getAnimations()) {
      const { endTime, delay } = animation.effect?.getComputedTiming() ?? {};
      animation.pause();
      animation.currentTime = Math.min(time ?? 1e6, endTime === Number.POSITIVE_INFINITY ? (delay ?? 0) + 900 : endTime);
    }
  }, at);
}

/** The phases of an opening of six packs, from the sealed pack to the grid; then the cards without motion. */
async function opening(page, keep) {
  const [pack] = (await (await fetch(`${base}/api/marketplace/getProducts`)).json()).products;
  await page.goto(base + market);
  const card = page.getByRole("article", { name: pack.name });
  while ((await card.getByRole("status").nth(1).textContent()) !== "5") await card.getByRole("button", { name: "One more" }).click();
  await card.getByRole("button", { name: `Buy 5 × ${pack.name}` }).click();
  await page.getByRole("button", { name: "I am 18 or older" }).click();
  await card.getByText("5 in your cart").waitFor();
  await card.getByRole("link", { name: "Go to checkout" }).click();
  const pay = page.getByRole("button", { name: /^Pay / });
  await eventually("the pay button", () => pay.isEnabled());
  await pay.click();
  await page.getByRole("link", { name: "Open it now" }).click();
  await page.getByRole("article", { name: pack.name }).getByText("You have 6").waitFor();
  await settle(page);
  await keep(page, "packs", false);

  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.clock.install();
  await page.getByRole("button", { name: `Open 6 × ${pack.name}` }).click();
  await page.getByText("Hold the pack until the ring is full.").waitFor();
  await eventually(
    "the draw",
    async () => {
      const { items } = await call(page, "GET", "/api/auth/packs/openings");
      return items.length === 6 && items.every(({ state }) => state === "done");
    },
    60_000,
  );
  await page.waitForTimeout(1000); // the page hears of it by a message
  await stopTime(page);
  const scene = page.locator(".opening");
  const phase = () => scene.getAttribute("data-phase");
  const up = () => scene.locator(".opening-card[data-up]").count();
  const until = async (what, check) => {
    for (let steps = 0; !(await check()); steps++) {
      assert.ok(steps < 400, what);
      await page.clock.runFor(50);
      await page.evaluate(() => document.getAnimations().forEach((animation) => void animation.play()));
    }
  };
  const still = async (name, at) => {
    await showAnimations(page, at);
    await keep(page, `opening_${name}`, false);
  };
  await still("idle", 1200);
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await until("charging", async () => (await phase()) === "charging");
  await page.clock.runFor(600);
  await still("charge", 650);
  await until("the tear", async () => (await phase()) === "tear");
  await still("torn", 430);
  await until("the backs", async () => (await phase()) === "fan");
  await page.clock.runFor(700);
  await still("backs");
  await until("four cards", async () => (await up()) === 4);
  await still("flipped");
  await until("the last card", async () => (await phase()) === "last");
  await page.clock.runFor(900);
  await still("last");
  await page.clock.resume();
  await page.getByRole("heading", { name: "Your 6 cards" }).waitFor({ timeout: 30_000 });
  await page.waitForTimeout(1500);
  await settle(page);
  await keep(page, "opening_grid", false);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.reload();
  await page.getByRole("button", { name: "Play again" }).click();
  await stopTime(page);
  await until("four cards without motion", async () => (await up()) >= 4);
  await keep(page, "opening_reduced", false);
  await page.clock.resume();
}

/** Two piggy banks on the way to pieces, and what they gave. */
async function breaking(page, keep) {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.goto(base + inventory);
  await page.getByRole("button", { name: "Choose all" }).click();
  await page.getByRole("button", { name: "Break 2 piggy banks", exact: true }).click();
  await keep(page, "burning_question", false);
  await page.getByRole("dialog").getByRole("button", { name: "Break them" }).click();
  await page.locator("[data-piece]").first().waitFor({ state: "attached", timeout: 30_000 });
  await stopTime(page);
  await page.locator("[data-light]").scrollIntoViewIfNeeded();
  await showAnimations(page, 1150);
  await keep(page, "burning_breaking", false);
  await page.evaluate(() => document.getAnimations().forEach((animation) => void animation.play()));
  await page.clock.resume();
  await page.getByRole("heading", { name: "2 piggy banks broken: 300 fate" }).waitFor();
  await page.locator("[data-burning]").getByText("Yours", { exact: true }).first().waitFor();
  await page.emulateMedia({ reducedMotion: "reduce" });
  await keep(page, "burning_yours", false);
}

/** A vault to claim and the season's avatar; then both claimed. */
async function claiming(page, keep) {
  await page.goto(`${base}/vault/claim`);
  const claim = page.getByRole("button", { name: /^Claim the vault of/ });
  await claim.waitFor();
  await page.getByRole("heading", { name: "Your vaults" }).evaluate((heading) => heading.scrollIntoView());
  await page.waitForLoadState("networkidle");
  await keep(page, "claims_vault", false);
  await claim.click();
  await page.getByText(/^Opens again on/).waitFor();
  await keep(page, "claims_claimed", false);
  await page.goto(base + inventory);
  const avatar = page.getByRole("button", { name: "Claim your avatar" });
  await avatar.waitFor();
  await avatar.evaluate((button) => button.scrollIntoView({ block: "center" }));
  await page.waitForLoadState("networkidle");
  await keep(page, "claims_avatar", false);
}

const browser = await start();
try {
  await mkdir(folder, { recursive: true });
  const studio = await (await browser.newContext()).newPage();
  const taken = [];
  const sizes = new Map();
  const keep = async (page, name, fullPage = true) => {
    const { width } = page.viewportSize();
    const height = Math.min(await page.evaluate(() => document.documentElement.scrollHeight), tallest);
    const png = await page.screenshot(fullPage ? { fullPage, clip: { x: 0, y: 0, width, height } } : {});
    const picture = await webp(studio, png, (fullPage ? kept.whole : kept.seen)[width]);
    assert.ok(picture.length > 0, `${name} became a picture at ${width} px`);
    sizes.set(`${name}-${width}.webp`, picture.length);
    await writeFile(new URL(`${name}-${width}.webp`, folder), picture);
    if (width === desktop.width) taken.push(name);
  };

  for (const viewport of [desktop, phone]) {
    const visitor = await player(browser, viewport);
    await visitor.page.goto(base);
    await settle(visitor.page);
    await keep(visitor.page, "first-sight", false);
    for (const path of [...listed.keys(), ...unlisted.keys(), "/no-such-page"].filter((path) => !inPassing.includes(path))) {
      await visitor.page.goto(base + path);
      await settle(visitor.page);
      await keep(visitor.page, named(path));
    }
    await closeTheMarket(visitor.page);
    for (const path of closed.keys()) {
      await visitor.page.goto(base + path);
      await settle(visitor.page);
      await keep(visitor.page, named(path));
    }
    await visitor.page.unrouteAll({ behavior: "ignoreErrors" });
    await visitor.context.close();

    const { context, page } = await player(browser, viewport);
    const { wallet } = await register(page);
    const { currency } = await (await fetch(`${base}/api/config`)).json();
    await eventually("the welcome money", async () => (await balanceOf(currency.address, wallet)) > 0n, 60_000);
    const { items } = await readMarket("listings?sort=price-asc&collection=avatars&limit=1");
    const [listing] = items;
    await page.goto(base + market);
    await settle(page);
    await keep(page, named(market), false);
    await page.goto(`${base}/kod-marketplace/marketplace/item/${listing.assetContractAddress}/${listing.tokenId}`);
    await page
      .getByRole("button", { name: `Add to cart: ${listing.metadata.name}` })
      .first()
      .click();
    await page.getByRole("button", { name: "Cart, 1 item" }).waitFor();
    await settle(page);
    await keep(page, "item");
    await page.getByRole("button", { name: "Cart, 1 item" }).click();
    await page.getByRole("dialog", { name: "Your cart" }).getByText(listing.metadata.name).waitFor();
    await keep(page, "cart", false);
    await page.getByRole("link", { name: "Go to checkout" }).click();
    const pay = page.getByRole("button", { name: /^Pay / });
    await eventually("the pay button", () => pay.isEnabled());
    await settle(page);
    await keep(page, named(checkout));
    await pay.click();
    await page.getByText("It is yours").waitFor();
    await settle(page);
    await keep(page, "bought");
    await page.goto(base + inventory);
    await settle(page);
    await keep(page, named(inventory));
    for (const path of [...own.keys()].filter((path) => !inPassing.includes(path))) {
      await page.goto(base + path);
      await settle(page);
      await keep(page, named(path));
    }
    await starterKit(page);
    await claiming(page, keep);
    await opening(page, keep);
    await breaking(page, keep);
    await context.close();
  }
  const missing = [...listed.keys(), ...unlisted.keys(), ...own.keys(), ...closed.keys()].filter((path) => !taken.includes(named(path)));
  assert.deepEqual(missing, [], "every page of the specification has its picture");
  for (const file of await readdir(shown)) {
    assert.ok(sizes.get(file) <= most, `${file} is a page, in ${most} bytes at most: ${sizes.get(file)}`);
    await copyFile(new URL(file, folder), new URL(file, shown));
  }
  console.log(`${taken.length} pages at two widths, in ${folder.pathname}`);
} finally {
  await browser.close();
}
