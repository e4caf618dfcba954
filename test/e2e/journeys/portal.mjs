// A player's own pages, on a phone and on a desktop: their content, the navigation between them, and the leaderboards
// around the player. Their layout is tested in crawl.mjs.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  accessible,
  at,
  base,
  desktop,
  eventually,
  fits,
  journey,
  phone,
  player,
  register,
  shot,
  signIn,
  start,
  starterKit,
} from "./browser.mjs";

/** The calls that carry wallet and visit: those of the specification's table, and the leaderboards'. */
const named = /^\/api\/(auth|smartWallet|marketplace|webstore|leaderboards|proxy\/(feature-flag|auth))\//;

const flags = "/api/proxy/feature-flag/getEvaluatedFeatureFlags";

const browser = await start();
await journey(browser, async () => {
  const large = await player(browser, desktop);
  const me = await register(large.page, "/kod-marketplace");
  await starterKit(large.page);
  const state = await large.context.storageState();
  const small = await player(browser, phone, { storageState: state });
  const both = [large.page, small.page];

  await Promise.all(both.map(walksByTheMenu));
  await tellsWhatIsOwned(large.page);
  await Promise.all(both.map(searchesTheInventory));
  await Promise.all(both.map(standsOnNoBoard));
  if (process.env.SCORE) {
    await scores(me);
    await Promise.all(both.map((page) => standsOnTheBoard(page, me)));
  }
  assert.deepEqual([...large.faults, ...small.faults], []);
  await namesTheWallet(me);
});

/** The menu navigates without reloading the site. */
async function walksByTheMenu(page) {
  await page.goto(`${base}/portal/edit/activity`);
  await page.evaluate(() => (window.walked = true));
  for (const [label, path] of [
    ["Arks", "/shipwright/account/arks"],
    ["Settings", "/portal/edit"],
    ["What I own", "/portal/my-inventory"],
  ]) {
    await page.getByRole("navigation", { name: "Your account" }).getByRole("link", { name: label, exact: true }).click();
    await page.waitForURL(base + path);
  }
  assert.equal(await page.evaluate(() => window.walked), true);
}

/** The pages show the starter kit. */
// Spec: PAGE-8, PAGE-9, PLAYER-1, PLAYER-2, PLAYER-3
async function tellsWhatIsOwned(page) {
  await page.goto(`${base}/portal/edit/activity`);
  await page.getByText("Signed in").first().waitFor();
  await page.getByText("Received").first().waitFor();
  await page.getByRole("link", { name: "Piggy Bank", exact: true }).waitFor();

  await page.goto(`${base}/portal/edit/achievements`);
  await page.getByRole("listitem").filter({ hasText: "A god in the house" }).getByText("Reached on").waitFor();
  await page.getByRole("listitem").filter({ hasText: "Sold and wrapped" }).getByText("Not yet").waitFor();

  await page.goto(`${base}/portal/power-pack`);
  await page.getByText("You own 1.").waitFor();

  await page.goto(`${base}/shipwright/account/followers`);
  await page.getByText("60", { exact: true }).waitFor();
  await page.getByText("Your ark would give 15 followers more").waitFor();

  await page.goto(`${base}/shipwright/account/arks`);
  await page.getByText("15 followers and 11 tokens aboard").waitFor();
  await page.getByRole("region", { name: "Tariff" }).getByRole("row").filter({ hasText: "Sun Ark" }).waitFor();

  await page.goto(`${base}/portal/my-games`);
  const siege = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Immortal Siege" }) });
  await siege.getByText("Opens later").waitFor();
  await siege.getByRole("listitem").filter({ hasText: "Immortals" }).getByText("1", { exact: true }).waitFor();
}

/** The inventory has filters, which the URL stores. */
// Spec: ITEM-11
async function searchesTheInventory(page) {
  await page.goto(`${base}/portal/my-inventory`);
  const cards = page.locator("main article");
  await cards.first().waitFor();
  await page.waitForLoadState("networkidle");
  const all = await cards.count();
  await page.getByLabel("Search your inventory").fill("piggy");
  await eventually("two piggy banks are left", async () => (await cards.count()) === 2);
  await page.getByLabel("Rarity").selectOption("legendary");
  await eventually("one of them is legendary", async () => (await cards.count()) === 1);
  await page.reload();
  await eventually("the address remembers it", async () => (await cards.count()) === 1);
  await page.getByLabel("Search your inventory").fill("no such thing");
  await page.getByText("No items match").waitFor();
  await accessible(page, `an inventory in which nothing fits ${at(page)}`);
  await fits(page, `an inventory in which nothing fits ${at(page)}`);
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await eventually("everything is there again", async () => (await cards.count()) === all);
}

/** Leaderboards are paged from the top for players who are not on them. */
async function standsOnNoBoard(page) {
  for (const path of ["/kod-leaderboard", "/mount-olympus/leaderboard"]) {
    await page.goto(base + path);
    await page.getByText("You are not on it").first().waitFor();
    await page.getByRole("button", { name: "From the top" }).click();
    const rows = page.getByRole("table").getByRole("rowheader");
    await eventually("the first lines are there", async () => (await rows.count()) === 15);
    const first = await rows.first().innerText();
    await page.getByRole("button", { name: "Lower ranks" }).click();
    await eventually("the next lines are there", async () => (await rows.first().innerText()) !== first && (await rows.count()) === 15);
    await accessible(page, `${path} ${at(page)}`);
    await fits(page, `${path} ${at(page)}`);
    await page.getByRole("button", { name: "Higher ranks" }).click();
    await eventually("the first lines are there again", async () => (await rows.first().innerText()) === first);
  }
}

/** The game reports a score: the 50th on the board. */
// Spec: PLAYER-5
async function scores(me) {
  const { items } = await (await fetch(`${base}/api/leaderboards/kod?limit=99`)).json();
  execFileSync(process.env.SCORE, ["player", "score", `id:${me.playFabId}`, "kod", String(items[49].score + 1), "--reason", "a match"]);
}

/** A leaderboard opens at the player's own line. */
// Spec: PLAYER-4
async function standsOnTheBoard(page, me) {
  await page.goto(`${base}/kod-leaderboard`);
  const mine = page.getByRole("row").filter({ hasText: "You" });
  await mine.waitFor();
  assert.match(await mine.innerText(), new RegExp(`^50\\s+${me.name}`));
  const ranks = await page.getByRole("table").getByRole("row").locator("td:first-child").allInnerTexts();
  assert.deepEqual([Number(ranks[0]), Number(ranks.at(-1))], [43, 57], "the player's line is in the middle");
  await accessible(page, `the board around the player ${at(page)}`);
  await fits(page, `the board around the player ${at(page)}`);
  await shot(page, `portal_leaderboard-around-${page.viewportSize().width}`);
  await page.goto(`${base}/portal/my-games`);
  await page.getByText("You are number 50").waitFor();
}

/**
 * Every call of a player's page carries the visit, and from the first profile on the wallet: after a sign-in by
 * password during client-side navigation, and on a freshly loaded page.
 */
// Spec: SESSION-12
async function namesTheWallet(me) {
  const { page, context, faults } = await player(browser, desktop);
  const unnamed = [];
  let called = [];
  let known = false;
  /** Whether this page has yet to fetch the flags: concurrently with the profile, so either may come first. */
  let beside = true;
  page.on("response", (response) => {
    known ||= new URL(response.url()).pathname === "/api/auth/profile" && response.ok();
  });
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (request.isNavigationRequest()) {
      known = false;
      beside = true;
    }
    if (!named.test(pathname)) return;
    called.push(pathname);
    const { "x-wallet-address": wallet, "x-session-id": visit } = request.headers();
    const excused = pathname === flags && wallet === undefined && beside;
    if (pathname === flags) beside = false;
    if (!visit || (known && wallet !== me.wallet && !excused))
      unnamed.push(`${new URL(page.url()).pathname} → ${pathname}: wallet ${wallet}, visit ${visit}`);
  });
  const calls = async (...paths) => {
    for (const path of paths) await eventually(`a call of ${path}`, () => called.includes(path));
    called = [];
  };

  await page.goto(`${base}/login?from=%2Fkod-leaderboard`);
  await signIn(page, me);
  await page.waitForURL(`${base}/kod-leaderboard`);
  await page.getByRole("table").getByRole("rowheader").first().waitFor();
  await page.evaluate(() => (window.walked = true));
  await calls("/api/auth/login", "/api/auth/profile", "/api/leaderboards/kod");
  await page.getByRole("banner").getByRole("link", { name: me.name }).click();
  await page.waitForURL(`${base}/portal/my-inventory`);
  await calls(
    "/api/auth/protectedData",
    "/api/auth/whitelist",
    "/api/auth/currencies",
    "/api/auth/nft/listImmortals",
    "/api/auth/nft/listPasses",
  );
  await page.getByRole("banner").getByRole("link", { name: "Enter the market" }).click();
  await page.waitForURL(`${base}/kod-marketplace`);
  await page
    .getByRole("button", { name: /^Add to cart: / })
    .first()
    .waitFor();
  await calls("/api/marketplace/listings", "/api/auth/marketplace/cart", "/api/smartWallet/embedded-token", "/api/auth/pubSubAccessToken");
  assert.equal(await page.evaluate(() => window.walked), true, "the site was not loaded anew on the way");

  for (const [path, ...paths] of [
    ["/kod-leaderboard", "/api/auth/profile", "/api/leaderboards/kod"],
    ["/portal/my-inventory", "/api/auth/profile", "/api/auth/whitelist", "/api/auth/protectedData"],
  ]) {
    await page.goto(base + path);
    await page.waitForLoadState("networkidle");
    await calls(...paths, flags);
  }
  assert.deepEqual(unnamed, []);
  assert.deepEqual(faults, []);
  await context.close();
}
