// A player's own part of the house: every page on a phone and on a desktop, and the leaderboards around the player.
import assert from "node:assert/strict";
import { accessible, base, call, desktop, eventually, fits, phone, player, register, shot, start } from "./browser.mjs";

/** Every page for a signed-in player, with its title and first heading. */
const pages = [
  ["/portal/my-inventory", "What I own"],
  ["/portal/my-immortals", "My immortals", "The roll of the wall"],
  ["/portal/power-pack", "Power packs", "Best left sealed"],
  ["/shipwright/account/arks", "Arks", "Moored and afloat"],
  ["/shipwright/account/followers", "Followers", "Who came ashore"],
  ["/shipwright/account/tokens", "Tokens", "Out of the hold"],
  ["/portal/my-games", "My games", "Three doors"],
  ["/portal/edit/achievements", "Achievements", "Struck in bronze"],
  ["/portal/edit/activity", "Activity", "All in the book"],
];

const browser = await start();
try {
  const large = await player(browser, desktop);
  const me = await register(large.page, "/kod-marketplace");
  await eventually("the starter kit arrives", async () => {
    const lists = await Promise.all(["listArks", "listImmortals", "listPowerPacks", "listElderGods"].map((list) => call(large.page, "GET", `/api/auth/nft/${list}`)));
    const { currencies } = await call(large.page, "GET", "/api/auth/currencies");
    return lists.every(({ total }) => total === 1) && currencies.gt > 0;
  });
  const state = await large.context.storageState();
  const small = await player(browser, phone, undefined, state);

  for (const [path, title, heading = me.name] of pages) {
    await Promise.all([visit(large.page, path, title, heading, "1440"), visit(small.page, path, title, heading, "390")]);
  }
  await walksByTheMenu(small.page);
  await tellsWhatIsOwned(large.page);
  await searchesTheInventory(large.page);
  await standsOnTheBoards(large.page, me);
  assert.deepEqual([...large.faults, ...small.faults], []);
  await namesTheWallet(state, me);
} finally {
  await browser.close();
}

/** A page as a whole: title, one heading, no room wasted sideways, nothing for axe to find. */
async function visit(page, path, title, heading, size) {
  await page.goto(base + path);
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  await page.waitForLoadState("networkidle");
  assert.match(await page.title(), new RegExp(`^${title} · `), path);
  assert.equal(await page.locator("h1").count(), 1, `${path} has one first heading`);
  assert.equal(await page.getByRole("alert").count(), 0, `${path} loaded whole`);
  const here = page.getByRole("navigation", { name: "Yours" }).locator("[aria-current=page]");
  assert.equal(await here.count(), 1, `${path} is marked in the menu`);
  await here.waitFor({ state: "visible" });
  await fits(page, `${path} at ${size}`);
  await accessible(page, `${path} at ${size}`);
  await shot(page, `portal${path.replaceAll("/", "_")}-${size}`);
}

/** The menu leads from page to page without loading the site anew. */
async function walksByTheMenu(page) {
  await page.evaluate(() => (window.walked = true));
  for (const [label, path] of [["Arks", "/shipwright/account/arks"], ["Settings", "/portal/edit"], ["What I own", "/portal/my-inventory"]]) {
    await page.getByRole("navigation", { name: "Yours" }).getByRole("link", { name: label, exact: true }).click();
    await page.waitForURL(base + path);
  }
  assert.equal(await page.evaluate(() => window.walked), true);
}

/** The pages tell of the starter kit. */
async function tellsWhatIsOwned(page) {
  await page.goto(`${base}/portal/edit/activity`);
  await page.getByText("Signed in").first().waitFor();
  await page.getByText("Received").first().waitFor();
  await page.getByRole("link", { name: "Piggy Bank", exact: true }).waitFor();

  await page.goto(`${base}/portal/edit/achievements`);
  await page.getByRole("listitem").filter({ hasText: "A god in the house" }).getByText("Reached on").waitFor();
  await page.getByRole("listitem").filter({ hasText: "Sold and wrapped" }).getByText("Not yet").waitFor();

  await page.goto(`${base}/portal/power-pack`);
  await page.getByText("You hold 1.").waitFor();

  await page.goto(`${base}/shipwright/account/followers`);
  await page.getByText("60", { exact: true }).waitFor();
  await page.getByText("Your 1 ark would give 15 followers more").waitFor();

  await page.goto(`${base}/shipwright/account/arks`);
  await page.getByText("15 followers and 11 tokens aboard").waitFor();
  await page.getByRole("region", { name: "Tariff" }).getByRole("row").filter({ hasText: "Sun Ark" }).waitFor();

  await page.goto(`${base}/portal/my-games`);
  const siege = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Immortal Siege" }) });
  await siege.getByText("Opens later").waitFor();
  await siege.getByRole("listitem").filter({ hasText: "Immortals" }).getByText("1", { exact: true }).waitFor();
}

/** The inventory is looked at in parts, and the address remembers which. */
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
  await page.getByText("Nothing of yours fits").waitFor();
  await page.getByRole("button", { name: "Show everything" }).click();
  await eventually("everything is there again", async () => (await cards.count()) === all);
}

/** Boards are read page by page, and open at the player's own line. */
async function standsOnTheBoards(page, me) {
  for (const path of ["/kod-leaderboard", "/mount-olympus/leaderboard"]) {
    await page.goto(base + path);
    await page.getByText("You are not on it").first().waitFor();
    await page.getByRole("button", { name: "From the top" }).click();
    const rows = page.getByRole("table").getByRole("rowheader");
    await eventually("the first lines are there", async () => (await rows.count()) === 15);
    const first = await rows.first().innerText();
    await page.getByRole("button", { name: "Further down" }).click();
    await eventually("the next lines are there", async () => (await rows.first().innerText()) !== first && (await rows.count()) === 15);
    await accessible(page, path);
  }
  if (!process.env.SCORE) return;
  // The game reports a score: the 50th on the board.
  const { execFileSync } = await import("node:child_process");
  const { items } = await (await fetch(`${base}/api/leaderboards/kod?limit=99`)).json();
  execFileSync(process.env.SCORE, ["score", "--board", "kod", "--player", me.playFabId, "--score", String(items[49].score + 1)]);
  await page.goto(`${base}/kod-leaderboard`);
  const mine = page.getByRole("row").filter({ hasText: "You" });
  await mine.waitFor();
  assert.match(await mine.innerText(), new RegExp(`^50\\s+${me.name}`));
  const ranks = await page.getByRole("table").getByRole("row").locator("td:first-child").allInnerTexts();
  assert.deepEqual([Number(ranks[0]), Number(ranks.at(-1))], [43, 57], "the player's line is in the middle");
  await shot(page, "portal_leaderboard-around");
  await page.goto(`${base}/portal/my-games`);
  await page.getByText("You stand at number 50").waitFor();
}

/** Every call of a player's page names the wallet and the visit. */
async function namesTheWallet(state, me) {
  const { page, context } = await player(browser, desktop, undefined, state);
  const unnamed = [];
  const called = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith("/api/auth/") || pathname === "/api/auth/profile") return; // the profile tells which wallet it is
    called.push(pathname);
    const headers = request.headers();
    if (headers["x-wallet-address"] !== me.wallet || !headers["x-session-id"]) unnamed.push(`${pathname}: ${headers["x-wallet-address"]} ${headers["x-session-id"]}`);
  });
  await page.goto(`${base}/portal/my-inventory`);
  await page.waitForLoadState("networkidle");
  assert.ok(called.includes("/api/auth/protectedData") && called.includes("/api/auth/whitelist"), called.join(" "));
  assert.deepEqual(unnamed, []);
  await context.close();
}
