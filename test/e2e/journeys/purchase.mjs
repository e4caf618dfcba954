// The portal's main purpose: a new player registers, gets a wallet, holds an item, pays without gas, and owns it;
// another player, in another browser, sees hold and sale happen.
import assert from "node:assert/strict";
import {
  accessible,
  balanceOf,
  base,
  call,
  chain,
  desktop,
  eventually,
  fits,
  journey,
  ownerOf,
  phone,
  player,
  readMarket,
  register,
  royaltyOf,
  shot,
  start,
  unitsOf,
  written,
} from "./browser.mjs";

const browser = await start();
await journey(browser, async () => {
  // Ben's order
  const anna = await player(browser, desktop, { allow: (response) => response.status() === 404 && response.url().includes("/checkout/") });
  // his age
  const ben = await player(browser, phone, { allow: (response) => response.status() === 409 && response.url().endsWith("/addToCart") });
  // Spec: WALLET-1, WALLET-20
  const buyer = await register(anna.page);
  const watcher = await register(ben.page);
  assert.notEqual(buyer.wallet, watcher.wallet);

  const config = await (await fetch(`${base}/api/config`)).json();
  const market = await readMarket("listings?sort=price-asc&collection=avatars&limit=1");
  const listing = market.items[0];
  const name = listing.metadata.name;
  console.log(`buying ${name} (${listing.listingId}) for ${listing.price}`);

  // Both look at the item's own page.
  const path = `/kod-marketplace/marketplace/item/${listing.assetContractAddress}/${listing.tokenId}`;
  await anna.page.goto(base + path);
  await ben.page.goto(base + path);
  const hold = anna.page.getByRole("button", { name: `Add to cart: ${name}` }).first();
  await hold.waitFor();
  await ben.page
    .getByRole("button", { name: `Add to cart: ${name}` })
    .first()
    .waitFor();
  await accessible(anna.page, "the item's page");
  await fits(ben.page, "the item's page on a phone");
  await shot(anna.page, "item-1440");
  await shot(ben.page, "item-390");

  // Spec: LIVE-20, MARKET-22, CART-1
  // Anna holds it; Ben sees that without a reload, with a countdown, and cannot take it.
  await hold.click();
  const clicked = Date.now();
  const held = ben.page.getByText("Held by another player").first();
  await held.waitFor({ timeout: 15_000 });
  console.log(`seen as held by the other player after ${Date.now() - clicked} ms`);
  await ben.page
    .getByRole("button", { name: `Held: ${name}` })
    .first()
    .waitFor({ state: "visible" });
  assert.equal(
    await ben.page
      .getByRole("button", { name: `Held: ${name}` })
      .first()
      .isDisabled(),
    true,
    "Ben cannot take it",
  );
  await shot(ben.page, "held-390");
  await anna.page.getByRole("button", { name: "Cart, 1 item" }).waitFor();

  // Ben has a list open too, and filters it by what is free: the held item is not in that list.
  const list = await ben.page.context().newPage();
  await list.goto(`${base}/kod-marketplace?collection=avatars&sort=price-asc`);
  const card = list.getByRole("article").filter({ hasText: name });
  await card.waitFor();
  await list.getByRole("button", { name: "Filters" }).click();
  const filters = list.getByRole("dialog", { name: "Filters" });
  await filters.getByRole("checkbox", { name: "Only what is free now" }).check();
  await fits(list, "the drawer of filters");
  await accessible(list, "the drawer of filters");
  await shot(list, "filters-390");
  await filters.getByRole("button", { name: "Show listings" }).click();
  await filters.waitFor({ state: "detached" });
  assert.equal(list.url(), `${base}/kod-marketplace?collection=avatars&sort=price-asc&free=true`);
  await card.waitFor({ state: "detached" });
  await list.getByRole("article").first().waitFor();
  await fits(list, "what is free on a phone");
  await shot(list, "free-390");
  await list.getByRole("button", { name: "Remove the filter Free now" }).click();
  await card.getByRole("link").first().focus();

  // The cart shows a running countdown.
  await anna.page.getByRole("button", { name: "Cart, 1 item" }).click();
  const dialog = anna.page.getByRole("dialog", { name: "Your cart" });
  await dialog.getByText(name).waitFor();
  await accessible(anna.page, "the cart");
  await shot(anna.page, "cart-1440");
  await dialog.getByRole("link", { name: "Go to checkout" }).click();

  // Spec: PAGE-7, PAY-3
  // The welcome money has arrived; paying takes one click.
  await eventually("the welcome money", async () => (await balanceOf(config.currency.address, buyer.wallet)) >= 500_000_000n);
  const before = await balanceOf(config.currency.address, buyer.wallet);
  const purse = anna.page.getByRole("link", { name: "Your wallet" });
  await purse.getByText(written(before)).waitFor({ timeout: 15_000 });
  const sellerBefore = await balanceOf(config.currency.address, listing.seller);
  const pay = anna.page.getByRole("button", { name: /^Pay / });
  await eventually("the pay button", () => pay.isEnabled());
  await accessible(anna.page, "checkout");
  await fits(anna.page, "checkout");
  await shot(anna.page, "checkout-1440");
  const paid = Date.now();
  await pay.click();
  await anna.page.getByText("It is yours").waitFor({ timeout: 20_000 });
  console.log(`bought ${Date.now() - paid} ms after the click`);
  await shot(anna.page, "bought-1440");

  // Spec: PAY-1, GAS-5
  // Check on chain.
  const price = BigInt(listing.pricePerToken);
  assert.equal(await ownerOf(listing.assetContractAddress, listing.tokenId), buyer.wallet.toLowerCase(), "the chain says who owns it");
  assert.equal(before - (await balanceOf(config.currency.address, buyer.wallet)), price, "the buyer paid the price and nothing else");
  const proceeds = price - (await royaltyOf(listing.assetContractAddress, listing.tokenId, price));
  assert.equal((await balanceOf(config.currency.address, listing.seller)) - sellerBefore, proceeds, "the seller got it, less the royalty");
  assert.equal(BigInt(await chain("eth_getBalance", [buyer.wallet, "latest"])), 0n, "no gas money was needed");
  await purse.getByText(written(before - price)).waitFor({ timeout: 15_000 });

  // Ben's page updated by itself.
  await ben.page.getByText("Held by another player").first().waitFor({ state: "detached", timeout: 15_000 });
  await eventually(
    "the other browser's listing is gone",
    async () => (await ben.page.getByRole("button", { name: `Add to cart: ${name}` }).count()) === 0,
  );
  await shot(ben.page, "sold-390");
  const withFocus = () => list.evaluate(() => document.activeElement?.closest("article")?.textContent ?? "");
  await eventually("the card that takes the place of the sold one has the focus", async () => {
    const card = await withFocus();
    return card !== "" && !card.includes(name);
  });

  // Spec: MARKET-6
  // It is the first of what was sold.
  await list.getByRole("navigation", { name: "Lists of the market" }).getByRole("link", { name: "Sold" }).click();
  await list
    .getByRole("region", { name: "Avatars" })
    .getByRole("listitem")
    .first()
    .filter({ hasText: name })
    .getByText(written(price))
    .waitFor();
  await fits(list, "what was sold on a phone");
  await accessible(list, "what was sold");
  await shot(list, "sold-list-390");
  await list.close();

  // Spec: MARKET-9
  // The sale is in the item's activity, with the buyer's name and nothing else of hers.
  await ben.page.getByRole("tab", { name: "Activity" }).click();
  await ben.page.getByRole("list", { name: "Activity" }).getByRole("listitem").filter({ hasText: "Sold" }).getByText(buyer.name).waitFor();
  await fits(ben.page, "an item's activity on a phone");
  await accessible(ben.page, "an item's activity");
  await shot(ben.page, "activity-390");

  // It is in the inventory.
  await anna.page.getByRole("link", { name: "See what I own" }).click();
  await anna.page.getByText(name).first().waitFor();
  await accessible(anna.page, "the inventory");

  // New arrivals appear while the page is open.
  const money = anna.page.locator("dl > div", { hasText: "USDC" });
  await money.getByText(written(before - price)).waitFor();
  // Spec: MONEY-7
  await call(anna.page, "POST", "/api/dev/faucet");
  const asked = Date.now();
  await money.getByText(written(before - price + 100_000_000n)).waitFor({ timeout: 15_000 });
  console.log(`test money shown ${Date.now() - asked} ms after the faucet's answer`);
  await shot(anna.page, "inventory-1440");
  await anna.page.setViewportSize(phone);
  await fits(anna.page, "the inventory on a phone");
  await shot(anna.page, "inventory-390");

  // Spec: LIVE-9, LIVE-10
  // A KOD pack, of which there are many: Ben buys one on the phone and is notified.
  const packs = await readMarket("listings?sort=price-asc&collection=chests&limit=1");
  const pack = packs.items[0];
  await ben.page.goto(`${base}/kod-marketplace/marketplace/item/${pack.assetContractAddress}/${pack.tokenId}`);
  await ben.page
    .getByRole("button", { name: `Add to cart: ${pack.metadata.name}` })
    .first()
    .click();
  await ben.page.getByRole("button", { name: "I am 18 or older" }).click();
  await ben.page.getByRole("button", { name: "Cart, 1 item" }).click();
  await ben.page.getByRole("dialog", { name: "Your cart" }).getByRole("link", { name: "Go to checkout" }).click();
  const benPays = ben.page.getByRole("button", { name: /^Pay / });
  await eventually("the pay button", () => benPays.isEnabled());
  await fits(ben.page, "checkout on a phone");
  await shot(ben.page, "checkout-390");
  const owned = await unitsOf(pack.assetContractAddress, watcher.wallet, pack.tokenId);
  await benPays.click();
  await ben.page.getByText("It is yours").waitFor({ timeout: 20_000 });
  assert.equal((await unitsOf(pack.assetContractAddress, watcher.wallet, pack.tokenId)) - owned, 1n, "the pack is Ben's");
  const heard = ({ messages }, message) => messages.filter((m) => m === message).length;
  await eventually("Ben is told of his purchase", () => heard(ben, "kod-pack/purchase-complete") > 0);
  await eventually("everybody is told of the packs that are left", () => heard(anna, "kod-pack/inventory-change") > 0);
  assert.equal(heard(ben, "kod-pack/purchase-complete"), 1, "once");
  assert.equal(heard(anna, "kod-pack/purchase-complete"), 0, "nobody else is");

  // Spec: PAY-3
  // A reload shows the same order, not another purchase.
  const order = await call(ben.page, "GET", "/api/auth/marketplace/checkout");
  assert.equal(order.order, undefined, "no order is open any more");

  // Spec: PAY-4
  // The receipt's link works after a reload, and not for another player.
  await ben.page.getByRole("link", { name: "Receipt" }).click();
  await ben.page.getByRole("heading", { level: 1, name: "Receipt" }).waitFor();
  const receipt = ben.page.url();
  await ben.page.goto(`${base}/portal/edit/activity`);
  await ben.page
    .getByRole("link", { name: /^Receipt: / })
    .first()
    .click();
  await ben.page.waitForURL(receipt);
  await ben.page.reload();
  await ben.page.getByText("You paid").waitFor();
  await fits(ben.page, "the receipt on a phone");
  await accessible(ben.page, "the receipt");
  await shot(ben.page, "receipt-390");
  await anna.page.goto(receipt);
  await anna.page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor();

  assert.deepEqual(anna.faults, [], "what went wrong in Anna's browser");
  assert.deepEqual(ben.faults, [], "what went wrong in Ben's browser");
});
