// What a newcomer stumbles over, in a real browser: Back on the market, a wrong price, the focus after adding to the
// cart, controls for fingers, the width of the drawer, the balance on a phone, and signing out in another tab.
import assert from "node:assert/strict";
import { base, call, desktop, eventually, fits, journey, phone, player, readMarket, register, shot, signIn, start } from "./browser.mjs";

const holdName = /^(Hold|Add to cart)/;
const market = "/kod-marketplace";

/** The listings, below the shelf of packs. */
const forSale = (page) => page.getByRole("region", { name: /^(Everything for sale|Listings)$/ });

/** The name of the element that has the focus. */
const focused = (page) => page.evaluate(() => document.activeElement?.tagName);

/** Controls with less than 44 × 44 px to hit, and text below 12 px. Links within a sentence are as high as their line (WCAG 2.2, 2.5.8). */
const tooSmall = (page) =>
  page.evaluate(() => {
    const isShown = (e) =>
      e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !e.closest(".sr-only, [aria-hidden=true], [inert]");
    const isInText = (e) => e.tagName === "A" && getComputedStyle(e).display === "inline";
    const found = [];
    for (const e of document.querySelectorAll("a[href], button, summary, select, input:not([type=checkbox]):not([type=radio])")) {
      const { width, height } = e.getBoundingClientRect();
      if (!isShown(e) || isInText(e) || width <= 1) continue;
      if (width < 43.5 || height < 43.5)
        found.push(`${Math.round(width)}×${Math.round(height)} ${e.tagName} ${(e.ariaLabel ?? e.textContent).trim().slice(0, 40)}`);
    }
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { parentElement: e, data } = texts.currentNode;
      if (!data.trim() || !isShown(e) || e.closest("svg, script, style, noscript")) continue;
      const size = Number.parseFloat(getComputedStyle(e).fontSize);
      if (size < 12) found.push(`${size} px: ${data.trim().slice(0, 40)}`);
    }
    return [...new Set(found)];
  });

const browser = await start();
await journey(browser, async () => {
  await onADesktop();
  await onAPhone();
});

async function onADesktop() {
  const { page, context, faults } = await player(browser, desktop);
  await register(page);
  const heading = page.locator("main h1");
  const cards = page.getByRole("article");
  await cards.first().waitFor();

  // Choosing moves no filter.
  const filter = page.getByRole("complementary", { name: "Filters" }).getByRole("button", { name: /^Arms & relics/ });
  await filter.waitFor();
  const before = await filter.boundingBox();
  await filter.click();
  await page.waitForURL(/collection=game-items/);
  await page.getByRole("heading", { level: 2, name: "Arms & relics" }).waitFor();
  assert.deepEqual(await filter.boundingBox(), before, "the filter stays under the cursor");
  assert.equal(await heading.evaluate((h) => h.getBoundingClientRect().height < 80), true, "the title is one line");

  // Spec: MARKET-21
  // Several rarities; Back undoes the filters one by one and does not leave the market before.
  const panel = page.getByRole("complementary", { name: "Filters" });
  await panel.getByRole("button", { name: "rare", exact: true }).click();
  await panel.getByRole("button", { name: "epic", exact: true }).click();
  await page.waitForURL(/rarity=rare&rarity=epic/);
  await page.getByRole("list", { name: "Filters in use" }).getByRole("button", { name: "Remove the filter Epic" }).waitFor();
  await cards.first().waitFor();
  await eventually("only these rarities", async () =>
    (await cards.locator("span.caption").allTextContents()).every((t) => !/^(common|uncommon|legendary|mythic)$/.test(t)),
  );
  await shot(page, "filters-1440");
  await cards.first().getByRole("link").focus();
  for (const search of ["?collection=game-items&rarity=rare", "?collection=game-items", ""]) {
    await page.goBack();
    await page.waitForURL(`${base}${market}${search}`);
  }
  await page.getByRole("list", { name: "Filters in use" }).waitFor({ state: "detached" });
  assert.notEqual(await focused(page), "BODY", "the focus is kept when another list replaces the one that has it");
  await cards.first().waitFor();

  // A wrong price range is refused at the field; the list stays.
  const [from, to] = ["Lowest price", "Highest price"].map((name) => panel.getByRole("textbox", { name }));
  await from.fill("9");
  await to.fill("1");
  await to.press("Enter");
  await panel.getByText("The highest price is below the lowest.").waitFor();
  assert.deepEqual([await from.inputValue(), await to.inputValue()], ["9", "1"], "what was typed stays");
  assert.ok(await cards.first().isVisible(), "the list stays");

  // After adding, the focus is kept and the toast leads to the cart, which reaches the page's edge.
  await eventually("the welcome money", async () => (await page.getByRole("link", { name: /^Your wallet/ }).textContent()).includes("500"));
  await page.getByRole("combobox", { name: "Order" }).selectOption("price-asc"); // the newcomer can pay the cheapest
  await page.waitForURL(/sort=price-asc/);
  // The address changes before the list does.
  const { items } = await call(page, "GET", "/api/marketplace/listings?sort=price-asc&limit=1");
  await forSale(page).getByRole("article").first().filter({ hasText: items[0].metadata.name }).waitFor();
  const hold = forSale(page).getByRole("button", { name: holdName }).first();
  await hold.focus();
  await page.keyboard.press("Enter");
  const notices = page.getByRole("region", { name: "Notices" });
  const view = notices.getByRole("button", { name: "View cart" });
  await view.hover(); // a toast under the pointer stays
  assert.notEqual(await focused(page), "BODY", "the focus is kept");
  const width = await heading.evaluate((h) => h.getBoundingClientRect().x);
  await view.click();
  const drawer = page.getByRole("dialog", { name: "Your cart" });
  await drawer.waitFor();
  await eventually("the drawer reaches the edge", async () => {
    const box = await drawer.boundingBox();
    return Math.abs(box.x + box.width - desktop.width) < 0.5;
  });
  assert.equal(await heading.evaluate((h) => h.getBoundingClientRect().x), width, "the page behind the drawer does not move");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Cart, 1 item" }).and(page.locator(":focus")).waitFor();

  // Spec: SESSION-16
  // Signing out in another tab is said here; signing in there leads back.
  const other = await context.newPage();
  await page.goto(`${base}${market}?sort=price-asc`);
  await cards.first().waitFor();
  await other.goto(`${base}${market}`);
  await other.getByRole("article").first().waitFor();
  const who = await call(other, "GET", "/api/auth/profile");
  await other.locator("header summary").click();
  await other.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL(`${base}${market}/timeout`);
  await page.getByText("You signed out in another tab of this browser.").waitFor();
  await shot(page, "signed-out-elsewhere-1440");
  await other.goto(`${base}/login`);
  await signIn(other, { email: who.AccountInfo.PrivateInfo.Email, password: "correct horse battery" });
  await page.waitForURL(`${base}${market}?sort=price-asc`);
  await cards.first().waitFor();
  // Where the closed connection is noticed before the other tab's word, asking for a new one says that the session has ended.
  assert.deepEqual(
    faults.filter((fault) => !/^401 GET .*\/pubSubAccessToken/.test(fault)),
    [],
  );
}

async function onAPhone() {
  const { page, faults } = await player(browser, phone, { hasTouch: true });
  await register(page, `${market}?sort=price-asc`);
  const cards = page.getByRole("article");
  await cards.first().waitFor();
  const purse = page.getByRole("link", { name: /^Your wallet/ });
  await eventually("the header shows the balance", async () => (await purse.innerText()).includes("500"));
  const small = [];
  const isRight = async (where) => {
    await fits(page, where);
    small.push(...(await tooSmall(page)).map((control) => `${where}: ${control}`));
    await shot(page, `newcomer-${where.replaceAll(" ", "-")}-390`);
  };
  await isRight("the market");
  await forSale(page).getByRole("button", { name: holdName }).first().click();
  const toast = page.getByRole("region", { name: "Notices" }).getByRole("button", { name: "View cart" });
  await toast.hover(); // a toast under the pointer stays
  const box = await toast.boundingBox();
  assert.ok(box.y > phone.height / 2, "toasts are at the bottom, on a phone too");
  await isRight("the market with a toast");
  await toast.click();
  await page.getByRole("dialog", { name: "Your cart" }).waitFor();
  await isRight("the cart");
  await page.getByRole("link", { name: "Go to checkout" }).click();
  await page.getByRole("button", { name: /^Pay / }).waitFor();
  await isRight("the checkout");
  const { items } = await readMarket("listings?sort=price-asc&collection=avatars&limit=1");
  await page.goto(`${base}${market}/marketplace/item/${items[0].assetContractAddress}/${items[0].tokenId}`);
  await page.getByRole("button", { name: holdName }).first().waitFor();
  await isRight("an item");
  for (const [path, where] of [
    ["/portal/my-inventory", "the inventory"],
    ["/portal/sell", "selling"],
    ["/portal/listings", "own listings"],
    ["/portal/my-games", "own games"],
    ["/portal/edit", "the settings"],
    [`${market}/packs`, "own packs"],
    [`${market}/create-smart-wallet`, "the wallet"],
    ["/kod-leaderboard", "the leaderboard"],
    ["/packs/odds", "the odds"],
    ["/king-of-destiny/support/deleteaccount", "how to delete an account"],
  ]) {
    await page.goto(base + path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForLoadState("networkidle"); // typefaces and lists
    await isRight(where);
  }
  assert.deepEqual(small, []);
  assert.deepEqual(faults, []);
}
