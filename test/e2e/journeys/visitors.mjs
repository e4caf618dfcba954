// The market is open to visitors, on a phone and on a desktop: they browse, look at an item, and sign in to hold it.
// What others hold reaches them without a realtime connection.
import assert from "node:assert/strict";
import {
  accessible,
  at,
  base,
  desktop,
  fits,
  focused,
  journey,
  phone,
  player,
  readMarket,
  register,
  shot,
  start,
  starterKit,
  tabTo,
} from "./browser.mjs";

const market = "/kod-marketplace";

const browser = await start();
await journey(browser, async () => {
  const sitemap = await (await fetch(`${base}/sitemap.xml`)).text();
  assert.ok(sitemap.includes(`<loc>${base}${market}</loc>`), "search engines find the market");
  const robots = (await fetch(base + market)).headers.get("X-Robots-Tag");
  assert.equal(robots, null, "search engines may list the market");

  // A new player's kit is indexed after the market, which is complete once the kit has arrived.
  const holder = await player(browser, desktop);
  await register(holder.page);
  await starterKit(holder.page);
  const { items } = await readMarket("listings?sort=price-asc&collection=avatars&limit=3");
  await Promise.all([holdsByMouse(phone, items[0]), holdsByKeyboard(desktop, items[1]), seesWhatOthersHold(holder, items[2])]);
});

/** Opens the market as a visitor, and records the calls for players and the realtime connections. */
async function visitor(viewport) {
  const one = await player(browser, viewport);
  const forPlayers = [];
  one.page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/api/auth/") && !/\/(login|register)$/.test(pathname)) forPlayers.push(pathname);
  });
  one.page.on("websocket", (socket) => forPlayers.push(socket.url()));
  await one.page.goto(`${base}${market}?collection=avatars&sort=price-asc`, { waitUntil: "networkidle" });
  await one.page
    .getByRole("button", { name: /^Add to cart: / })
    .first()
    .waitFor();
  return { ...one, forPlayers };
}

async function isSound(page, where, name) {
  assert.equal(await page.locator("h1").count(), 1, `${where} has one first heading`);
  await accessible(page, `${where} ${at(page)}`);
  await fits(page, `${where} ${at(page)}`);
  await shot(page, `visitors_${name}-${page.viewportSize().width}`);
}

/** A visitor looks at an item, creates an account for it, and finds it in the cart on the item's page. */
// Spec: ACCESS-10
async function holdsByMouse(viewport, item) {
  const { page, context, faults, forPlayers } = await visitor(viewport);
  await isSound(page, "the market", "market");
  const address = `${base}/kod-marketplace/marketplace/item/${item.assetContractAddress}/${item.tokenId}`;
  await page.goto(address, { waitUntil: "networkidle" });
  await page.getByRole("heading", { level: 1, name: item.metadata.name }).waitFor();
  await isSound(page, "an item", "item");
  await page
    .getByRole("button", { name: `Add to cart: ${item.metadata.name}` })
    .first()
    .click();
  const dialog = page.getByRole("dialog", { name: "Sign in to add it to your cart" });
  await dialog.getByText(item.metadata.name).waitFor();
  await isSound(page, "the question to sign in", "question");
  assert.deepEqual(forPlayers, [], "a visitor's page asks for nothing of players");
  await dialog.getByRole("link", { name: "Create a free account" }).click();
  await createsAnAccount(page);
  await page.waitForURL(address);
  await page.getByText(`${item.metadata.name} is held for you`).waitFor();
  await page.getByRole("button", { name: "Cart, 1 item" }).waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Cart, 1 item" }).waitFor();
  assert.deepEqual(faults, []);
  await context.close();
}

/** The same without a mouse, from the market, whose filters stay. */
async function holdsByKeyboard(viewport, item) {
  const { page, context, faults, forPlayers } = await visitor(viewport);
  await isSound(page, "the market", "market");
  await tabTo(page, page.getByRole("button", { name: `Add to cart: ${item.metadata.name}` }));
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Sign in to add it to your cart" });
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await focused("the button that opened the dialog", page.getByRole("button", { name: `Add to cart: ${item.metadata.name}` }));
  await page.keyboard.press("Enter");
  await dialog.waitFor();
  assert.deepEqual(forPlayers, [], "a visitor's page asks for nothing of players");
  await tabTo(page, dialog.getByRole("link", { name: "Create a free account" }));
  await page.keyboard.press("Enter");
  await createsAnAccount(page);
  await page.waitForURL(`${base}${market}?collection=avatars&sort=price-asc`);
  await page.getByText(`${item.metadata.name} is held for you`).waitFor();
  assert.deepEqual(faults, []);
  await context.close();
}

async function createsAnAccount(page) {
  const name = `V${Math.random().toString(36).slice(2, 10)}`;
  await page.getByLabel("E-mail").fill(`${name.toLowerCase()}@example.org`);
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
  await page.getByRole("button", { name: "Create account" }).click();
}

/** A player's hold shows on an open page of a visitor, whose other pages are still closed. */
// Spec: ACCESS-10
async function seesWhatOthersHold(holder, item) {
  const { page, context, faults, forPlayers } = await visitor(desktop);
  await holder.page.goto(page.url());
  await holder.page.getByRole("button", { name: `Add to cart: ${item.metadata.name}` }).click();
  await holder.page.getByText(`${item.metadata.name} is held for you`).waitFor();
  await page.getByRole("button", { name: `Held: ${item.metadata.name}` }).waitFor({ timeout: 30_000 });
  assert.deepEqual(forPlayers, [], "a visitor's page asks for nothing of players");
  for (const path of ["/kod-marketplace/marketplace/checkout", "/kod-marketplace/packs"]) {
    await page.goto(base + path);
    await page.waitForURL(`${base}/login?from=${encodeURIComponent(path)}`);
  }
  assert.deepEqual([...faults, ...holder.faults], []);
  await Promise.all([context.close(), holder.context.close()]);
}
