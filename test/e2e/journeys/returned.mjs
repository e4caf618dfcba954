// A listed item leaves its seller's wallet and comes back: Anna lists a pack and opens it, and Ben, who has the listing in
// view, cannot buy it any more. She buys another pack, and it is for sale again once she confirms its price.
import assert from "node:assert/strict";
import { base, call, desktop, eventually, journey, phone, player, register, shot, start, starterKit } from "./browser.mjs";

const browser = await start();
await journey(browser, async () => {
  const anna = await player(browser, desktop);
  const ben = await player(browser, phone);
  await Promise.all([register(anna.page), register(ben.page)]);
  for (const { page } of [anna, ben]) await call(page, "POST", "/api/auth/packs/confirm-age");
  await Promise.all([anna, ben].map(({ page }) => starterKit(page)));
  let pack;
  await eventually("the starter kit's pack", async () => {
    [pack] = (await call(anna.page, "GET", "/api/auth/nft/listPacks")).items;
    return Boolean(pack);
  });
  const name = pack.metadata.name;
  const { products } = await (await fetch(`${base}/api/marketplace/getProducts`)).json();
  const product = products.find(
    ({ contract, productId }) => contract.toLowerCase() === pack.contract.toLowerCase() && productId === pack.tokenId,
  ).name;

  await anna.page.goto(`${base}/portal/sell?item=${pack.contract}:${pack.tokenId}:1:33`);
  await anna.page.getByRole("button", { name: "List 1 item" }).click();
  await anna.page.getByRole("heading", { name: "On the market" }).waitFor({ timeout: 20_000 });
  await ben.page.goto(`${base}/kod-marketplace/marketplace/item/${pack.contract}/${pack.tokenId}`);
  const offers = ben.page.getByRole("list", { name: "Listings" }).getByRole("listitem");
  const offer = offers.filter({ hasText: "33.00" });
  const hold = offer.getByRole("button", { name: /^Add to cart/ });
  await hold.waitFor();

  // She opens it.
  await anna.page.goto(`${base}/kod-marketplace/packs`);
  await anna.page.getByRole("button", { name: `Open ${product}`, exact: true }).click();
  await anna.page.getByRole("button", { name: "Open", exact: true }).click();
  await offer.waitFor({ state: "detached", timeout: 20_000 });
  await anna.page.getByRole("heading", { name: "Your card" }).waitFor({ timeout: 30_000 });
  await anna.page.goto(`${base}/portal/notifications`);
  await anna.page.getByRole("listitem").getByText(`No longer for sale: ${name}`).waitFor();
  await anna.page.goto(`${base}/portal/listings?state=invalid`);
  await anna.page.getByText("Nobody can buy it now", { exact: false }).waitFor();
  await shot(anna.page, "stopped-1440");

  // Another one comes from the shop.
  await anna.page.goto(`${base}/kod-marketplace`);
  const card = anna.page.getByRole("article", { name: product, exact: true });
  await card.getByRole("button", { name: `Buy ${product}`, exact: true }).click();
  await card.getByRole("link", { name: "Go to checkout" }).click();
  const pay = anna.page.getByRole("button", { name: /^Pay / });
  await eventually("the pay button", () => pay.isEnabled());
  await pay.click();
  await anna.page.getByText("It is yours").waitFor({ timeout: 20_000 });
  await anna.page.goto(`${base}/portal/notifications`);
  await anna.page.getByRole("listitem").getByText(`Back in your wallet: ${name}`).waitFor({ timeout: 20_000 });
  await ben.page.reload();
  await ben.page.getByRole("heading", { name, level: 1 }).waitFor();
  await offers.first().waitFor();
  assert.equal(await offer.count(), 0, "nobody can buy it at the old price");

  // Spec: MARKET-19
  // She confirms the price.
  await anna.page.goto(`${base}/portal/listings?state=invalid`);
  await anna.page.getByText("It left your wallet and is back.", { exact: false }).waitFor();
  await shot(anna.page, "returned-1440");
  await anna.page.getByRole("button", { name: `Sell ${name} again at this price` }).click();
  await anna.page.getByRole("heading", { name: "The price is changed" }).waitFor({ timeout: 20_000 });
  await hold.click();
  await ben.page.getByRole("button", { name: "Cart, 1 item" }).waitFor();
  await anna.page.getByRole("tab", { name: "Live" }).click();
  await anna.page.getByText("1 held").waitFor();
  assert.deepEqual(anna.faults, [], "what went wrong in Anna's browser");
  assert.deepEqual(ben.faults, [], "what went wrong in Ben's browser");
});
