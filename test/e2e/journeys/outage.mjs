// What a player sees when the server is down, does not respond or fails: every page says what happened, offers to
// retry, keeps input and holds, and recovers by itself when the server is back.
import assert from "node:assert/strict";
import {
  accessible,
  balanceOf,
  base,
  call,
  desktop,
  eventually,
  fits,
  journey,
  ownerOf,
  phone,
  player,
  readMarket,
  register,
  shot,
  start,
  tryAgain,
} from "./browser.mjs";

/** The test that runs the journey can stop and start the server. */
const remote = process.env.REMOTE;
assert.ok(remote, "REMOTE must be the address at which the server is killed and started");
const order = async (what) => assert.ok((await fetch(`${remote}/${what}`, { method: "POST" })).ok, what);
const kill = () => order("kill");
const revive = () => order("start");

const unanswered = /The server does not answer/;
const words = "We cannot reach our database just now. Please try again in a moment.";
const unavailable = (route) =>
  route.fulfill({
    status: 503,
    contentType: "application/problem+json",
    body: JSON.stringify({ success: false, status: 503, message: words }),
  });

/** Only errors of the page itself count here: calls are expected to fail. */
const broken = (faults) => faults.filter((fault) => fault.startsWith("page error"));

/** Resizes the page, and waits for its layout: media queries follow with the next frame. */
async function resize(page, viewport) {
  await page.setViewportSize(viewport);
  await page.evaluate(() => new Promise((laidOut) => requestAnimationFrame(() => requestAnimationFrame(laidOut))));
}

const browser = await start();
await journey(browser, async () => {
  const anna = await player(browser, desktop);
  const { page } = anna;
  const who = await register(page);
  const config = await (await fetch(`${base}/api/config`)).json();
  const market = await readMarket("listings?sort=price-asc&collection=avatars&limit=1");
  const listing = market.items[0];
  const name = listing.metadata.name;
  const path = `/kod-marketplace/marketplace/item/${listing.assetContractAddress}/${listing.tokenId}`;
  await eventually("the welcome money", async () => (await balanceOf(config.currency.address, who.wallet)) > 0n);

  // Spec: UI-12
  // Each part of the site that calls the server: its call, its text on failure, and its normal text.
  const parts = [
    { where: "/kod-marketplace", asks: "**/api/marketplace/listings?*", says: "The market did not load", shows: /^Add to cart: / },
    { where: path, asks: "**/api/marketplace/items/**", says: "The item did not load", shows: `Add to cart: ${name}` },
    {
      where: "/kod-marketplace/marketplace/checkout",
      asks: "**/api/auth/marketplace/checkout",
      says: "The checkout did not load",
      shows: /^Cart/,
    },
    { where: "/portal/my-inventory", asks: "**/api/auth/{nft/*,currencies}", says: "What you own did not load", shows: "Sign out" },
    {
      where: "/kod-marketplace",
      asks: "**/api/auth/profile",
      says: "This page did not load",
      shows: /^Add to cart: /,
      part: "who is signed in",
    },
  ];
  for (const { where, asks, says, shows, part = where } of parts) {
    await page.route(asks, unavailable);
    await page.goto(base + where);
    const alert = page.getByRole("alert").filter({ hasText: says });
    await alert.getByText(words).waitFor();
    assert.equal(await page.getByText("Nothing here yet").isVisible(), false, `${part} is not taken for empty`);
    await accessible(page, `${part} that did not load`);
    for (const viewport of [phone, desktop]) {
      await resize(page, viewport);
      await fits(page, `${part} that did not load`);
      await shot(page, `failed-${part.replaceAll(/[^a-z]+/g, "-")}-${viewport.width}`);
    }
    await page.unroute(asks, unavailable);
    await tryAgain(alert);
    await page.getByRole("button", { name: shows }).first().waitFor();
  }

  // The server is killed while Anna looks at the market and another player is about to sign in.
  const late = await player(browser, phone);
  await late.page.goto(`${base}/login?from=/kod-marketplace`);
  await late.page.getByRole("button", { name: "Sign in" }).and(late.page.locator(":enabled")).waitFor();
  await page.goto(`${base}/kod-marketplace?collection=avatars&sort=price-asc`);
  await page.getByText("Live", { exact: true }).waitFor();
  await page.waitForFunction(() => {
    const links = [...document.querySelectorAll("link[rel=modulepreload]")];
    return links.length > 0 && links.every((link) => performance.getEntriesByName(link.href).length > 0);
  });
  await kill();

  await late.page.getByLabel("E-mail").fill(who.email);
  await late.page.getByLabel("Password", { exact: true }).fill(who.password);
  await late.page.keyboard.press("Enter");
  await late.page.getByRole("alert").getByText(unanswered).waitFor();
  assert.equal(await late.page.getByLabel("E-mail").inputValue(), who.email, "what was typed is kept");
  assert.equal(await late.page.getByLabel("Password", { exact: true }).inputValue(), who.password, "what was typed is kept");
  await shot(late.page, "lost-login-390");

  const notices = page.getByRole("region", { name: "Notices" });
  await notices.getByText("Connection lost").waitFor();
  await page.getByRole("button", { name: `Add to cart: ${name}` }).click();
  await notices.getByText("Could not add item to cart").waitFor();
  await notices.getByText(unanswered).waitFor();
  await accessible(page, "the market without a server");
  await shot(page, "lost-market-1440");
  await resize(page, phone);
  await fits(page, "the market without a server on a phone");
  await shot(page, "lost-market-390");
  await resize(page, desktop);
  await page.getByRole("link", { name }).click();
  await page.getByText("The item did not load").waitFor();
  await shot(page, "lost-item-1440");

  await revive();
  await page
    .getByRole("button", { name: `Add to cart: ${name}` })
    .first()
    .waitFor();
  await notices.getByText("Connection lost").waitFor({ state: "detached" });
  await late.page.getByRole("button", { name: "Sign in" }).click();
  await late.page
    .getByRole("button", { name: /^Add to cart: / })
    .first()
    .waitFor();

  // Killed again, when Anna is about to pay: nothing is charged, nothing is lost, and a retry succeeds.
  await page
    .getByRole("button", { name: `Add to cart: ${name}` })
    .first()
    .click();
  await page.getByRole("button", { name: "Cart, 1 item" }).waitFor();
  await page.getByRole("link", { name: "Go to checkout" }).click();
  const pay = page.getByRole("button", { name: /^Pay / });
  await eventually("the pay button", () => pay.isEnabled());
  const before = await balanceOf(config.currency.address, who.wallet);
  await kill();
  await pay.click();
  await page.getByRole("alert").getByText(unanswered).waitFor();
  await page.getByText(name).first().waitFor();
  await shot(page, "lost-checkout-1440");
  await revive();
  assert.equal(await balanceOf(config.currency.address, who.wallet), before, "nothing was charged");
  assert.equal((await call(page, "GET", "/api/auth/marketplace/cart")).totalItems, 1, "the unit is still held");
  await page.getByRole("button", { name: /^(Pay|Try again)/ }).click();
  await page.getByText("It is yours").waitFor({ timeout: 20_000 });
  assert.equal(await ownerOf(listing.assetContractAddress, listing.tokenId), who.wallet.toLowerCase(), "the chain says who owns it");
  assert.equal(before - (await balanceOf(config.currency.address, who.wallet)), BigInt(listing.pricePerToken), "paid once");

  assert.deepEqual(broken(anna.faults), [], "what broke in Anna's browser");
  assert.deepEqual(broken(late.faults), [], "what broke in the browser of who came late");
});
