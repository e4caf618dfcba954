// The webstore, with the development shop: a visitor signs in on the way and buys on a phone, a destiny pack is drawn, an
// order is paid later and then refunded, and the shop asks who the player is.
import assert from "node:assert/strict";
import {
  accessible,
  at,
  balanceOf,
  base,
  call,
  desktop,
  eventually,
  fits,
  focused,
  journey,
  phone,
  player,
  press,
  register,
  shot,
  signIn,
  start,
} from "./browser.mjs";

const shop = `${base}/dev/shop/`;
const browser = await start();
await journey(browser, async () => {
  const before = await player(browser, desktop);
  const account = await register(before.page);
  assert.deepEqual(before.faults, [], "what went wrong while registering");
  await before.page.context().close();

  // A visitor looks around on a phone, and signs in at what they want.
  const { page, faults, messages } = await player(browser, phone, {
    allow: (response) => response.status() === 409 && response.url().endsWith("/webstore/checkout"),
  });
  await page.goto(`${base}/webstore`);
  await page.getByRole("heading", { level: 1, name: "Webstore" }).waitFor();
  const signInToBuy = page.getByRole("link", { name: "Sign in to buy: InfiniGold: A pouch of 500" });
  await signInToBuy.waitFor();
  await page.getByRole("listitem", { name: "Destiny pack: Gold" }).getByText("mythic").waitFor();
  await fits(page, "the webstore on a phone");
  await accessible(page, `the webstore of a visitor ${at(page)}`);
  await largeEnough(page, "the webstore of a visitor");
  await shot(page, "webstore-visitor-390");
  await page.setViewportSize(desktop);
  await fits(page, "the webstore on a desktop");
  await accessible(page, `the webstore of a visitor ${at(page)}`);
  await page.getByText("Gold destiny pack: all odds").click();
  await page.getByRole("table", { name: /^mythic/ }).waitFor();
  await accessible(page, "the odds of a destiny pack");
  await shot(page, "webstore-visitor-1440");
  await page
    .getByRole("listitem", { name: "USDC for the market: 25 USDC" })
    .getByText(/^Sent to your wallet \d+ (second|minute|hour|day)s? after the payment$/)
    .waitFor();

  // Spec: PAGE-15
  // The page of a product, and of none.
  await page.setViewportSize(phone);
  await page.getByRole("listitem", { name: "Destiny pack: Gold" }).getByRole("link", { name: "Gold", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Destiny pack" }).waitFor();
  await page.getByRole("listitem", { name: "Destiny pack: Gold" }).getByText("mythic").waitFor();
  assert.match(await page.title(), /^Destiny pack · /);
  await fits(page, "a product on a phone");
  await accessible(page, `a product ${at(page)}`);
  await largeEnough(page, "a product");
  await shot(page, "webstore-product-390");
  await page.setViewportSize(desktop);
  await fits(page, "a product on a desktop");
  await accessible(page, `a product ${at(page)}`);
  await shot(page, "webstore-product-1440");
  await page.setViewportSize(phone);
  const nothing = await player(browser, phone, { allow: (response) => response.url().endsWith("/webstore/products/999") });
  const missing = await nothing.page.goto(`${base}/webstore/products/999`);
  assert.equal(missing.status(), 404, "the status of a product that there is not");
  await nothing.page.getByText("There is no such product").waitFor();
  await accessible(nothing.page, "no product");
  assert.deepEqual(nothing.faults, [], "what went wrong at no product");
  await nothing.page.context().close();
  await page.getByRole("link", { name: "Back to the webstore" }).click();
  await signInToBuy.waitFor();
  await press(page, signInToBuy);
  await signIn(page, account);
  await page.waitForURL(`${base}/webstore#item-201`);
  const buyPouch = page.getByRole("button", { name: "Buy for €2.99: InfiniGold: A pouch of 500" });
  await buyPouch.waitFor();
  await focused("what was wanted", buyPouch);
  await accessible(page, `the webstore of a player ${at(page)}`);
  await largeEnough(page, "the webstore of a player");
  await shot(page, "webstore-390");

  // Spec: SHOP-3
  // They buy, pay in the shop, and wait for it on the page to which the shop leads back.
  const ofGold = async () => (await call(page, "GET", "/api/auth/currencies")).currencies.ig ?? 0;
  const gold = await ofGold();
  await page.keyboard.press("Enter");
  await page.waitForURL(`${shop}checkout/**`);
  await page.getByRole("button", { name: "Pay 2.99 EUR" }).click();
  await page.waitForURL(`${base}/webstore/orders/*`);
  await page.getByRole("heading", { level: 1, name: /^Order \d+$/ }).waitFor({ timeout: 20_000 });
  await page.getByText("All of it is yours.").waitFor({ timeout: 20_000 });
  assert.equal((await ofGold()) - gold, 500, "the gold was credited");
  await page.getByRole("article").getByText("500 InfiniGold").waitFor();
  await fits(page, "an order on a phone");
  await accessible(page, `an order ${at(page)}`);
  await largeEnough(page, "an order");
  await shot(page, "webstore-order-390");

  // Spec: SHOP-7
  // USDC for the market comes from the treasury, some time after the payment.
  await page.getByRole("link", { name: "Back to the webstore" }).click();
  await page.getByRole("button", { name: "Buy for €10.99: USDC for the market: 10 USDC" }).click();
  await page.waitForURL(`${shop}checkout/**`);
  await page.getByRole("button", { name: "Pay 10.99 EUR" }).click();
  await page.waitForURL(`${base}/webstore/orders/*`);
  await page.getByText(/^Sent after /).waitFor({ timeout: 20_000 });
  await accessible(page, `an order that is sent later ${at(page)}`);
  await shot(page, "webstore-later-390");
  await page.getByText("In your wallet").waitFor({ timeout: 30_000 });
  const { currency } = await (await fetch(`${base}/api/config`)).json();
  assert.equal(await balanceOf(currency.address, account.wallet), 510_000_000n, "the starter kit's USDC and the 10 that were bought");

  // Spec: LIVE-16
  // A destiny pack: for adults, who are asked once. Its draw has a public receipt.
  await page.getByRole("link", { name: "Back to the webstore" }).click();
  await page.getByRole("button", { name: "Buy for €21.99: Destiny pack: Five bronze" }).click();
  const told = () => messages.filter((message) => message === "webstore/kod-pack-reward").length;
  const toldBefore = told();
  await page.getByRole("button", { name: "I am 18 or older" }).click();
  await page.waitForURL(`${shop}checkout/**`);
  await page.getByRole("button", { name: "Pay 21.99 EUR" }).click();
  await page.waitForURL(`${base}/webstore/orders/*`);
  await page.getByText("Being drawn").first().waitFor({ timeout: 20_000 });
  await page.getByRole("heading", { name: "Open 5 × Bronze destiny pack" }).waitFor();
  await page.getByText(/^Round [\d,]+ of the beacon decides\./).waitFor();
  await accessible(page, `packs before they are drawn ${at(page)}`);
  await largeEnough(page, "packs before they are drawn");
  await shot(page, "webstore-drawing-390");
  await page.getByText("All of it is yours.").waitFor({ timeout: 60_000 });
  assert.equal(await page.getByText("Drawn: open it above").count(), 5, "the page does not give away what each pack of the bundle held");
  await press(page, page.getByRole("button", { name: "Open", exact: true }));
  const cards = page.getByRole("heading", { name: "Your 5 cards" });
  await cards.waitFor({ timeout: 20_000 });
  assert.equal(
    await page
      .getByRole("listitem")
      .filter({ has: page.getByRole("link", { name: "Receipt of the draw" }) })
      .filter({ hasText: /Yours|In your wallet/ })
      .count(),
    5,
    "each pack of the bundle",
  );
  assert.equal(await page.getByRole("link", { name: /^Verify this pull/ }).count(), 5, "a card for each pack");
  await fits(page, "the cards of an order on a phone");
  await page.reload();
  await cards.waitFor();
  await accessible(page, `an order of packs ${at(page)}`);
  await shot(page, "webstore-packs-390");
  await eventually("the rewards are told", () => told() - toldBefore === 5);
  await page.getByRole("link", { name: "Receipt of the draw" }).first().click();
  await page.waitForURL(`${base}/packs/openings/*`);
  await page.getByRole("heading", { name: "How it was drawn" }).waitFor({ timeout: 20_000 });

  // Spec: SHOP-5
  // Ordered, and paid later in the shop: the page that waits notices.
  await page.goto(`${base}/webstore`);
  await page.getByRole("button", { name: "Buy for €2.99: Nectar: Newcomer's 300 drops" }).click();
  await page.waitForURL(`${shop}checkout/**`);
  await page.getByRole("button", { name: "Order now, pay later" }).click();
  await page.waitForURL(`${base}/webstore/orders/*`);
  await page.getByText("Waiting for the shop to confirm your payment.").waitFor();
  await fits(page, "a page that waits");
  await accessible(page, `a page that waits ${at(page)}`);
  await largeEnough(page, "a page that waits");
  await shot(page, "webstore-waiting-390");
  const counter = await page.context().newPage();
  await counter.goto(shop);
  await counter.getByRole("button", { name: "Pay" }).click();
  await counter.getByRole("button", { name: "Pay" }).waitFor({ state: "detached" });
  const heading = page.getByRole("heading", { level: 1, name: /^Order \d+$/ });
  await heading.waitFor({ timeout: 20_000 });
  await page.getByText("All of it is yours.").waitFor({ timeout: 20_000 });
  const number = (await heading.textContent()).slice("Order ".length);

  // In the webstore it is sold out for this player; the shop pays back, and the page says so.
  const shelf = await page.context().newPage();
  await shelf.goto(`${base}/webstore`);
  const newcomers = shelf.getByRole("listitem", { name: "Nectar: Newcomer's 300 drops" });
  await newcomers.getByText("Sold out for you").waitFor();
  await counter
    .getByRole("row", { name: new RegExp(`#${number}`) })
    .getByRole("button", { name: "Refund" })
    .click();
  await page
    .getByRole("article", { name: `Order ${number}` })
    .getByText("1 refunded")
    .waitFor({ timeout: 30_000 });
  await page.getByText("The shop has paid you back.").waitFor();
  await page.getByText("Delivered before the refund").waitFor();
  await accessible(page, "an order that was refunded");
  await shot(page, "webstore-refunded-390");
  await newcomers.getByRole("button", { name: /^Buy for/ }).waitFor();
  await shelf.setViewportSize(desktop);
  await shot(shelf, "webstore-1440");
  await shelf.close();
  await counter.close();

  // Spec: SHOP-5
  // All orders.
  await page.getByRole("link", { name: "Your orders" }).click();
  await page.getByRole("heading", { level: 1, name: "Webstore orders" }).waitFor();
  await eventually("four orders", async () => (await page.getByRole("article").count()) === 4);
  await fits(page, "the orders on a phone");
  await accessible(page, `the orders ${at(page)}`);
  await largeEnough(page, "the orders");
  await shot(page, "webstore-orders-390");
  await page.setViewportSize(desktop);
  await accessible(page, `the orders ${at(page)}`);
  await shot(page, "webstore-orders-1440");

  // Spec: PAGE-10, ACCOUNT-9, SHOP-6
  // The shop asks who the player is: a visitor is led to the login and back, and nothing is handed over without a press.
  const asked = await player(browser, phone);
  const question = `${base}/getuserinfo?${new URLSearchParams({ returnUrl: shop })}`;
  await asked.page.goto(question);
  await signIn(asked.page, account);
  await asked.page.waitForURL(question);
  await asked.page.getByText("Your player id, encrypted, good for one hour. Nothing else.").waitFor();
  await fits(asked.page, "the way to the shop on a phone");
  await accessible(asked.page, "the way to the shop");
  await largeEnough(asked.page, "the way to the shop");
  await shot(asked.page, "getuserinfo-390");
  await press(asked.page, asked.page.getByRole("button", { name: `Continue to ${new URL(base).host}` }));
  await asked.page.waitForURL(`${shop}?protectedData=*`);
  await asked.page.getByRole("heading", { name: "Development shop" }).waitFor();
  assert.deepEqual(asked.faults, [], "what went wrong on the way to the shop");

  // An order of nobody.
  const nobody = `${base}/webstore/orders/nobody`;
  const lost = await player(browser, desktop, {
    storageState: await page.context().storageState(),
    allow: (response) => response.url().endsWith("/handoffs/nobody"),
  });
  await lost.page.goto(nobody);
  await lost.page.getByText("There is no such order").waitFor();
  await accessible(lost.page, "an order of nobody");
  assert.deepEqual(lost.faults, [], "what went wrong at an order of nobody");
  assert.deepEqual(faults, [], "what went wrong in the player's browser");
});

/** Asserts that what can be pressed in the page's main part, other than links in running text, is at least 44 px high. */
async function largeEnough(page, where) {
  const small = await page
    .locator("main :is(button, a, summary, input):visible")
    .evaluateAll((controls) =>
      controls
        .filter((element) => !element.closest(".prose") && element.getBoundingClientRect().height < 44)
        .map((element) => `${element.textContent || element.outerHTML} ${element.getBoundingClientRect().height}`),
    );
  assert.deepEqual(small, [], `${where} has small targets`);
}
