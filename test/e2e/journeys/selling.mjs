// A player sells and another buys, each in a browser of their own: Anna lists an item from her inventory, Ben sees it at
// once and holds it, Anna sees that it is held, Ben buys it, and Anna reads what she received. Another listing she ends,
// and lists again.
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
  readMarket,
  register,
  shot,
  start,
  starterKit,
  tabTo,
} from "./browser.mjs";

const browser = await start();
await journey(browser, async () => {
  const anna = await player(browser, desktop);
  const ben = await player(browser, phone);
  const seller = await register(anna.page);
  await register(ben.page);
  await starterKit(anna.page);
  const { currency } = await (await fetch(`${base}/api/config`)).json();
  const [god] = (await call(anna.page, "GET", "/api/auth/nft/listElderGods")).items;
  const bank = (await call(anna.page, "GET", "/api/auth/nft/listPiggyBanks")).items.find(
    ({ metadata }) => metadata.collection === "piggy-banks",
  );
  const name = god.metadata.name;
  const item = `/kod-marketplace/marketplace/item/${god.contract}/${god.tokenId}`;

  // Ben looks at the item before it is for sale.
  await ben.page.goto(base + item);
  await ben.page.getByText("Nobody offers one right now.").waitFor();
  // Anna owns it, and her page of it says so.
  await anna.page.goto(base + item);
  await anna.page.getByText("You own this").waitFor();
  await accessible(anna.page, "the page of an item that one owns");

  // Spec: SELL-1
  // From the inventory to the price.
  await anna.page.goto(`${base}/portal/my-inventory`);
  await anna.page.getByRole("link", { name: `Sell ${name}` }).click();
  await anna.page.getByRole("heading", { name: "Sell", exact: true }).waitFor();
  const price = anna.page.getByLabel("Price of one, in USDC");
  await price.waitFor();
  const list = anna.page.getByRole("button", { name: "List 1 item" });
  await price.fill("0");
  await list.click();
  await anna.page.getByText("The price must be above 0.").waitFor();
  assert.equal(await price.inputValue(), "0", "what was typed stays");
  await focused("the price", price);
  await price.fill("33.333333");
  const fees = await readMarket(`fees?contract=${god.contract}&tokenId=${god.tokenId}`);
  const units = 33_333_333n;
  const receives = units - (units * BigInt(fees.platformBps)) / 10_000n - (units * BigInt(fees.royaltyBps)) / 10_000n;
  assert.equal(fees.royaltyBps, 250, "the development world's royalty");
  assert.equal(receives, 32_500_000n);
  await anna.page.locator("fieldset", { hasText: "You receive" }).getByText("32.50", { exact: true }).waitFor();
  await accessible(anna.page, `the page for selling ${at(anna.page)}`);
  await fits(anna.page, "the page for selling");
  await shot(anna.page, "sell-1440");
  await anna.page.setViewportSize(phone);
  await fits(anna.page, "the page for selling on a phone");
  await accessible(anna.page, `the page for selling ${at(anna.page)}`);
  await largeEnough(anna.page, "the page for selling");
  await shot(anna.page, "sell-390");
  await anna.page.setViewportSize(desktop);
  await press(anna.page, list);
  await anna.page.getByRole("heading", { name: "On the market" }).waitFor({ timeout: 20_000 });
  await accessible(anna.page, "a listing that is done");
  await shot(anna.page, "listed-1440");

  // Spec: LIVE-19
  // Ben sees it without doing anything, and holds it; Anna sees that it is held, and not by whom.
  const hold = ben.page.getByRole("button", { name: `Add to cart: ${name}` }).first();
  await hold.waitFor({ timeout: 15_000 });
  await anna.page.getByRole("link", { name: "See my listings" }).click();
  await anna.page.getByText("0 held").waitFor();
  await hold.click();
  await anna.page.getByText("1 held").waitFor({ timeout: 15_000 });
  await accessible(anna.page, `the seller's listings ${at(anna.page)}`);
  await shot(anna.page, "listings-1440");

  // Ben buys it.
  await ben.page.getByRole("button", { name: "Cart, 1 item" }).click();
  await ben.page.getByRole("dialog", { name: "Your cart" }).getByRole("link", { name: "Go to checkout" }).click();
  const pay = ben.page.getByRole("button", { name: /^Pay / });
  await eventually("the pay button", () => pay.isEnabled());
  const before = await balanceOf(currency.address, seller.wallet);
  await pay.click();
  await anna.page.getByText(`Sold: ${name}`).waitFor({ timeout: 20_000 });
  await ben.page.getByText("It is yours").waitFor({ timeout: 20_000 });
  await anna.page.getByText("Nothing on the market").waitFor({ timeout: 15_000 });
  assert.equal((await balanceOf(currency.address, seller.wallet)) - before, receives, "the seller got what was quoted");
  await anna.page.getByRole("tab", { name: "Sold" }).click();
  await anna.page.getByText("1 sold. You received 32.50 USDC").waitFor();
  await accessible(anna.page, "what was sold");
  await shot(anna.page, "sold-listings-1440");

  // Spec: SELL-6, SELL-7
  // The news of it is counted at the bell. Seen in one browser, it is read in another.
  const bell = (page, unread) =>
    page.getByRole("link", { name: unread ? `Notifications, ${unread} unread` : "Notifications", exact: true });
  await bell(anna.page, 1).waitFor();
  const elsewhere = await player(browser, phone, { storageState: await anna.page.context().storageState() });
  await elsewhere.page.goto(`${base}/portal/money`);
  await bell(elsewhere.page, 1).click();
  await elsewhere.page.getByRole("heading", { name: "Notifications" }).waitFor();
  await elsewhere.page.getByRole("listitem").getByText("You received 32.50 USDC.").waitFor();
  await elsewhere.page.getByText("New", { exact: true }).waitFor();
  await accessible(elsewhere.page, `the notifications ${at(elsewhere.page)}`);
  await fits(elsewhere.page, "the notifications on a phone");
  await shot(elsewhere.page, "notifications-390");
  await bell(elsewhere.page, 0).waitFor();
  await bell(anna.page, 0).waitFor({ timeout: 15_000 });
  assert.deepEqual(elsewhere.faults, [], "what went wrong in Anna's other browser");
  await elsewhere.page.context().close();
  await bell(anna.page, 0).click();
  await anna.page.getByRole("listitem").getByText("You received 32.50 USDC.").waitFor();
  assert.equal(await anna.page.getByText("New", { exact: true }).count(), 0, "what was seen elsewhere is not new");
  await accessible(anna.page, `the notifications ${at(anna.page)}`);
  await shot(anna.page, "notifications-1440");

  // A piggy bank, listed by what she wants to receive, by keyboard; then ended and listed again at another price.
  await anna.page.goto(`${base}/portal/sell?item=${bank.contract}:${bank.tokenId}`);
  const receive = anna.page.getByRole("radio", { name: "You receive" });
  await receive.waitFor({ state: "attached" });
  await tabTo(anna.page, anna.page.getByRole("radio", { name: "Buyer pays" }));
  await anna.page.keyboard.press("ArrowRight");
  assert.equal(await receive.isChecked(), true);
  await anna.page.getByLabel("For one, in USDC").fill("9.75");
  await anna.page.getByText("9.999999").first().waitFor();
  await anna.page.getByRole("button", { name: "List 1 item" }).click();
  await anna.page.getByRole("heading", { name: "On the market" }).waitFor({ timeout: 20_000 });
  await anna.page.getByRole("link", { name: "See my listings" }).click();
  await anna.page.getByText("9.999999").first().waitFor();

  await anna.page.getByRole("button", { name: /^Change the price of / }).click();
  await anna.page.getByRole("dialog").getByLabel("Price of one, in USDC").fill("8");
  await accessible(anna.page, "a price that is changed");
  await shot(anna.page, "reprice-1440");
  await anna.page.getByRole("button", { name: "Change the price", exact: true }).click();
  await anna.page.getByRole("heading", { name: "The price is changed" }).waitFor({ timeout: 20_000 });
  await anna.page.getByText("8.00").first().waitFor({ timeout: 15_000 });

  await anna.page.getByRole("button", { name: /^End the listing of / }).click();
  await anna.page.getByRole("button", { name: "End it" }).click();
  await anna.page.getByRole("heading", { name: "Off the market" }).waitFor({ timeout: 20_000 });
  await anna.page.getByText("Nothing on the market").waitFor({ timeout: 15_000 });
  await anna.page.getByRole("tab", { name: "Ended" }).click();
  await anna.page.getByRole("link", { name: /^List .* again$/ }).click();
  assert.equal(await anna.page.getByLabel("Price of one, in USDC").inputValue(), "8", "its price is filled in");
  await anna.page.getByRole("button", { name: "List 1 item" }).click();
  await anna.page.getByRole("heading", { name: "On the market" }).waitFor({ timeout: 20_000 });
  await anna.page.setViewportSize(phone);
  await anna.page.getByRole("link", { name: "See my listings" }).click();
  await anna.page.getByText("0 held").waitFor();
  await fits(anna.page, "the seller's listings on a phone");
  await accessible(anna.page, `the seller's listings ${at(anna.page)}`);
  await largeEnough(anna.page, "the seller's listings");
  await shot(anna.page, "listings-390");

  const told = () => anna.messages.filter((message) => /^listing\//.test(message));
  await eventually("the seller is told of each step", () => told().length === 4);
  assert.deepEqual(told(), ["listing/new", "listing/new", "listing/remove", "listing/new"]);
  assert.deepEqual(anna.faults, [], "what went wrong in Anna's browser");
  assert.deepEqual(ben.faults, [], "what went wrong in Ben's browser");
});

/** Asserts that what can be pressed in the page's main part is at least 44 px high. */
async function largeEnough(page, where) {
  const small = await page
    .locator("main :is(button, a, input:not([type=radio]), label:has(input[type=radio])):visible")
    .evaluateAll((controls) =>
      controls
        .filter((element) => element.getBoundingClientRect().height < 44)
        .map((element) => `${element.textContent || element.outerHTML} ${element.getBoundingClientRect().height}`),
    );
  assert.deepEqual(small, [], `${where} has small targets`);
}
