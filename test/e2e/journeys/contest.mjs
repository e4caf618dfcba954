// Three browsers compete: for two units of an item, for a hold that expires while its browser is frozen, and for items whose
// price changes while they are in a cart or in an order, that are listed a second time or 31 times on the contract directly, or
// bought there while they are held. CONTROL_URL advances the server's clock and acts on the contract.
import assert from "node:assert/strict";
import {
  at,
  balanceOf,
  base,
  call,
  desktop,
  eventually,
  journey,
  ownerOf,
  phone,
  player,
  press,
  readMarket,
  register,
  shot,
  start,
  starterKit,
  unitsOf,
} from "./browser.mjs";

const control = async (path) => {
  const answer = await fetch(process.env.CONTROL_URL + path, { method: "POST" });
  assert.equal(answer.ok, true, `${path}: ${await answer.text()}`);
};
const addTo = (page, name) => page.getByRole("button", { name: `Add to cart: ${name}`, exact: true, disabled: false }).first();
const noneLeft = (page, name) => eventually("there is none to add", async () => (await addTo(page, name).count()) === 0);
const itemOf = ({ assetContractAddress, tokenId }) => `${base}/kod-marketplace/marketplace/item/${assetContractAddress}/${tokenId}`;
const cartOf = (page) => page.getByRole("dialog", { name: "Your cart" });

/** Opens the cart and goes on to the page that pays. */
async function toCheckout(page) {
  await page.getByRole("button", { name: /^Cart, / }).click();
  await cartOf(page).getByRole("link", { name: "Go to checkout" }).click();
  const pay = page.getByRole("button", { name: /^Pay / });
  await eventually("the pay button", () => pay.isEnabled());
  return pay;
}

/**
 * The first of the market's listings, cheapest first, that a test accepts and of which the market has `units` in all; null for
 * any number.
 */
async function findListing(units, accept = () => true) {
  const found = [];
  let cursor = "";
  do {
    const page = await readMarket(`listings?sort=price-asc&limit=100${cursor && `&cursor=${cursor}`}`);
    found.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor);
  const same = (some) => found.filter((x) => x.assetContractAddress === some.assetContractAddress && x.tokenId === some.tokenId);
  const total = (some) => same(some).reduce((sum, { quantity }) => sum + quantity, 0);
  const one = found.find((some) => accept(some) && (units === null || total(some) === units));
  assert.ok(one, `the market has nothing of which there are ${units ?? "some"}`);
  return one;
}

const browser = await start();
await journey(browser, async () => {
  const refusals = { allow: (response) => response.status() === 409 };
  const [anna, ben, cleo] = await Promise.all([
    player(browser, desktop, refusals),
    player(browser, phone, refusals),
    player(browser, desktop, refusals),
  ]);
  const [seller, buyer, third] = await Promise.all([register(anna.page), register(ben.page), register(cleo.page)]);
  await Promise.all([anna, ben, cleo].map(({ page }) => starterKit(page)));
  const { currency } = await (await fetch(`${base}/api/config`)).json();

  // Spec: CART-11
  // Three players want an item of which there are two.
  const pair = await findListing(2);
  const name = pair.metadata.name;
  for (const { page } of [anna, ben, cleo]) {
    await page.goto(itemOf(pair));
    await addTo(page, name).waitFor();
  }
  await addTo(anna.page, name).click();
  await ben.page.getByText("Held by another player").first().waitFor({ timeout: 15_000 });
  await addTo(ben.page, name).click();
  await ben.page.getByRole("button", { name: "Cart, 1 item" }).waitFor();
  await anna.page.getByRole("button", { name: "Cart, 1 item" }).waitFor();
  await noneLeft(cleo.page, name);
  await cleo.page.getByText("Held by another player").first().waitFor({ timeout: 15_000 });
  await shot(cleo.page, "contest-none-left-1440");
  // Ben changes his mind. What he gives back is Cleo's.
  await ben.page.getByRole("button", { name: "Cart, 1 item" }).click();
  await cartOf(ben.page)
    .getByRole("button", { name: /^Remove / })
    .click();
  await addTo(cleo.page, name).click();
  await cleo.page.getByRole("button", { name: "Cart, 1 item" }).waitFor();
  await Promise.all([anna, cleo].map(async ({ page }) => (await toCheckout(page)).click()));
  await Promise.all([anna, cleo].map(({ page }) => page.getByText("It is yours").waitFor({ timeout: 40_000 })));
  await ben.page.keyboard.press("Escape");
  await noneLeft(ben.page, name);
  await shot(ben.page, "contest-sold-out-390");
  assert.deepEqual(
    await Promise.all([seller, buyer, third].map(({ wallet }) => unitsOf(pair.assetContractAddress, wallet, pair.tokenId))),
    [1n, 0n, 1n],
    "who has one",
  );

  // Spec: CART-5
  // A hold ends after its time by the server's clock, while its browser sleeps.
  const single = await findListing(1, ({ metadata }) => metadata.collection === "avatars");
  await ben.page.goto(itemOf(single));
  await addTo(ben.page, single.metadata.name).click();
  await ben.page.getByRole("button", { name: "Cart, 1 item" }).waitFor();
  const hand = await ben.page.context().newCDPSession(ben.page);
  await hand.send("Page.setWebLifecycleState", { state: "frozen" });
  await control("/advance?seconds=540");
  await cleo.page.goto(itemOf(single));
  await cleo.page.getByText("Held by another player").first().waitFor();
  await noneLeft(cleo.page, single.metadata.name);
  await control("/advance?seconds=62");
  await addTo(cleo.page, single.metadata.name).waitFor({ timeout: 15_000 });
  await hand.send("Page.setWebLifecycleState", { state: "active" });
  await ben.page.getByRole("button", { name: "Cart, 0 items" }).waitFor();
  await shot(ben.page, "contest-ended-390");

  // Spec: CART-20
  // Anna sells. Her price falls while Ben has the item in his cart, and again between his order and his payment.
  const [god] = (await call(anna.page, "GET", "/api/auth/nft/listElderGods")).items;
  await anna.page.goto(`${base}/portal/sell?item=${god.contract}:${god.tokenId}:1:30`);
  await anna.page.getByRole("button", { name: "List 1 item" }).click();
  await anna.page.getByRole("heading", { name: "On the market" }).waitFor({ timeout: 40_000 });
  const own = { assetContractAddress: god.contract, tokenId: god.tokenId };
  await ben.page.goto(itemOf(own));
  await addTo(ben.page, god.metadata.name).click();
  await anna.page.getByRole("link", { name: "See my listings" }).click();
  const reprice = async (price) => {
    await anna.page.getByRole("button", { name: /^Change the price of / }).click();
    await anna.page.getByRole("dialog").getByLabel("Price of one, in USDC").fill(price);
    await anna.page.getByRole("button", { name: "Change the price", exact: true }).click();
  };
  await anna.page.getByText("1 held").waitFor();
  await reprice("31");
  await anna.page.getByText(/^Players have 1 of these in their carts until/).waitFor();
  await shot(anna.page, "contest-price-held-1440");
  await anna.page.getByRole("button", { name: "Close", exact: true }).click();
  await reprice("25");
  await anna.page.getByRole("heading", { name: "The price is changed" }).waitFor({ timeout: 40_000 });
  await ben.page.getByRole("button", { name: "Cart, 1 item" }).click();
  await cartOf(ben.page).getByText("25.00").first().waitFor();
  await shot(ben.page, "contest-cart-price-390");
  await cartOf(ben.page).getByRole("link", { name: "Go to checkout" }).click();
  const pay = ben.page.getByRole("button", { name: /^Pay / });
  await eventually("the pay button", () => pay.isEnabled());
  await ben.page.getByText("25.00").first().waitFor();
  await reprice("20");
  await anna.page.getByText("20.00").first().waitFor({ timeout: 40_000 });
  await ben.page.getByText("20.00").first().waitFor();
  await shot(ben.page, "contest-checkout-price-390");
  const before = await balanceOf(currency.address, buyer.wallet);
  await eventually("the pay button", () => pay.isEnabled());
  await pay.click();
  await ben.page.getByText("It is yours").waitFor({ timeout: 40_000 });
  assert.equal(before - (await balanceOf(currency.address, buyer.wallet)), 20_000_000n, "Ben paid the price that he saw");

  // Somebody buys past the portal what Ben holds.
  const loose = await findListing(1, ({ metadata, listingId }) => metadata.collection === "avatars" && listingId !== single.listingId);
  await ben.page.goto(itemOf(loose));
  await addTo(ben.page, loose.metadata.name).click();
  await ben.page.getByRole("button", { name: "Cart, 1 item" }).waitFor();
  await control(`/buy?listing=${loose.listingId}`);
  await ben.page.getByText("Somebody else bought this just now, so it has left your cart.").waitFor();
  await shot(ben.page, "contest-bought-outside-390");
  await ben.page.getByRole("button", { name: "Cart, 0 items" }).waitFor();

  // Spec: MARKET-18
  // A seller offers one avatar a second time past the portal, for half the price. There is still one to hold and to buy.
  const twice = await findListing(1, ({ metadata, listingId }) => metadata.collection === "avatars" && listingId !== single.listingId);
  for (const { page } of [ben, cleo]) {
    await page.goto(itemOf(twice));
    await addTo(page, twice.metadata.name).waitFor();
  }
  await control(`/list-again?listing=${twice.listingId}`);
  const lowered = (Number(twice.pricePerToken) / 1e6 - 0.01).toFixed(2);
  for (const { page } of [ben, cleo]) {
    await page.getByText(lowered).first().waitFor({ timeout: 15_000 });
    await page.getByText("1 available").first().waitFor();
    await page.getByText("1 listing").waitFor();
  }
  await Promise.all([ben, cleo].map(({ page }) => addTo(page, twice.metadata.name).click()));
  const has = ({ page }) => page.getByRole("button", { name: "Cart, 1 item" }).count();
  await eventually("one of the two holds it", async () => (await has(ben)) + (await has(cleo)) === 1);
  const [holder, other] = (await has(ben)) ? [ben, cleo] : [cleo, ben];
  await other.page.getByText("Held by another player").first().waitFor({ timeout: 15_000 });
  await noneLeft(other.page, twice.metadata.name);
  await shot(other.page, "contest-listed-twice");
  await (await toCheckout(holder.page)).click();
  await holder.page.getByText("It is yours").waitFor({ timeout: 40_000 });
  assert.equal(await ownerOf(twice.assetContractAddress, twice.tokenId), (holder === ben ? buyer : third).wallet.toLowerCase());
  await noneLeft(other.page, twice.metadata.name);
  assert.deepEqual((await readMarket(`items/${twice.assetContractAddress}/${twice.tokenId}`)).listings, [], "the second offer is none");

  // Two sellers offer what they have 31 times each past the portal, at one price. The market shows one offer of each, and as many
  // units as there are.
  const unique = await findListing(1, ({ metadata, listingId }) => metadata.collection === "avatars" && listingId !== single.listingId);
  const some = await findListing(null, ({ quantity }) => quantity > 1 && quantity < 20); // not the portal's packs
  for (const flooded of [unique, some]) {
    const offers = async () => (await readMarket(`items/${flooded.assetContractAddress}/${flooded.tokenId}`)).listings;
    const others = (await offers()).length - 1;
    await control(`/flood?listing=${flooded.listingId}`);
    await eventually("what there is, is on offer", async () => {
      const listings = await offers();
      return listings.length === others + flooded.quantity && listings.every(({ listingId }) => listingId !== flooded.listingId);
    });
  }
  for (const { page } of [ben, cleo]) {
    await page.goto(`${base}/kod-marketplace`);
    for (const { metadata, price } of [unique, some]) {
      await addTo(page, metadata.name).waitFor();
      const cards = page
        .getByRole("article")
        .filter({ hasText: metadata.name })
        .filter({ hasText: Number(price).toFixed(2) });
      assert.equal(await cards.count(), 1, `cards of ${metadata.name} ${at(page)}`);
    }
    await shot(page, `contest-flooded-${page.viewportSize().width}`);
  }

  // Spec: PAY-3
  // Cleo reloads the page in every state of her order.
  const fourth = await findListing(1, ({ metadata }) => metadata.collection === "avatars");
  await cleo.page.goto(itemOf(fourth));
  await addTo(cleo.page, fourth.metadata.name).click();
  await cleo.page.getByRole("button", { name: "Cart, 1 item" }).waitFor();
  await cleo.page.reload();
  await toCheckout(cleo.page);
  await cleo.page.reload();
  const pays = cleo.page.getByRole("button", { name: /^Pay / });
  await eventually("the pay button after a reload", () => pays.isEnabled());
  const money = await balanceOf(currency.address, third.wallet);
  const submitted = cleo.page.waitForResponse((response) => response.request().postData()?.includes("eth_sendUserOperation") ?? false);
  await pays.click();
  await submitted;
  await cleo.page.reload();
  await cleo.page.getByText("It is yours").waitFor({ timeout: 40_000 });
  await cleo.page.reload();
  await cleo.page.getByRole("heading", { level: 1 }).waitFor();
  assert.equal(money - (await balanceOf(currency.address, third.wallet)), BigInt(fourth.pricePerToken), "paid once");
  assert.equal(await ownerOf(fourth.assetContractAddress, fourth.tokenId), third.wallet.toLowerCase());

  // Ben buys on his phone by keyboard alone.
  const fifth = await findListing(1, ({ metadata }) => metadata.collection === "avatars");
  await ben.page.goto(itemOf(fifth));
  await press(ben.page, addTo(ben.page, fifth.metadata.name));
  await press(ben.page, ben.page.getByRole("button", { name: "Cart, 1 item" }));
  await press(ben.page, cartOf(ben.page).getByRole("link", { name: "Go to checkout" }));
  const byKey = ben.page.getByRole("button", { name: /^Pay / });
  await eventually("the pay button", () => byKey.isEnabled());
  await press(ben.page, byKey);
  await ben.page.getByText("It is yours").waitFor({ timeout: 40_000 });
  assert.equal(await ownerOf(fifth.assetContractAddress, fifth.tokenId), buyer.wallet.toLowerCase());
  await shot(ben.page, "contest-bought-by-keyboard-390");
  for (const { faults } of [anna, ben, cleo]) assert.deepEqual(faults, []);
});
