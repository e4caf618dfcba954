// Two players of a portal without a development world: Anna lists the avatar that she was given, and Ben holds and buys it. Each step is
// printed as a line of JSON when it is done, for the test that gives them what they trade and stops a replica meanwhile.
import assert from "node:assert/strict";
import { base, call, desktop, eventually, fits, journey, ownerOf, phone, player, press, register, shot, start } from "./browser.mjs";

const done = (what, more) => console.log(JSON.stringify({ done: what, ...more }));
// While a replica stops, a request may fail, and is repeated.
const tolerant = { ignore: /WebSocket|ERR_CONNECTION|50[234]/, allow: (response) => response.status() >= 502 };

const browser = await start();
await journey(browser, async () => {
  const anna = await player(browser, desktop, tolerant);
  const ben = await player(browser, phone, tolerant);
  const seller = await register(anna.page);
  const buyer = await register(ben.page);
  done("two players are registered", { seller: seller.wallet, buyer: buyer.wallet });

  let avatar;
  await eventually("the avatar arrives", async () => {
    [avatar] = (await call(anna.page, "GET", "/api/auth/nft/listAvatars")).items;
    return avatar;
  });
  const { name } = avatar.metadata;
  await anna.page.goto(`${base}/portal/my-inventory`);
  await anna.page.getByRole("link", { name: `Sell ${name}` }).click();
  await anna.page.getByLabel("Price of one, in USDC").fill("20");
  await press(anna.page, anna.page.getByRole("button", { name: "List 1 item" }));
  await anna.page.getByRole("heading", { name: "On the market" }).waitFor({ timeout: 60_000 });
  await shot(anna.page, "afternoon-listed-1440");

  await ben.page.goto(`${base}/kod-marketplace/marketplace/item/${avatar.contract}/${avatar.tokenId}`);
  await ben.page
    .getByRole("button", { name: `Add to cart: ${name}` })
    .first()
    .click();
  await ben.page.getByRole("button", { name: "Cart, 1 item" }).waitFor();
  await fits(ben.page, "the item on a phone");
  done("listed and held");

  await ben.page.getByRole("button", { name: "Cart, 1 item" }).click();
  await ben.page.getByRole("dialog", { name: "Your cart" }).getByRole("link", { name: "Go to checkout" }).click();
  const pay = ben.page.getByRole("button", { name: /^Pay / });
  await eventually("the pay button", () => pay.isEnabled(), 60_000);
  await pay.click();
  await ben.page.getByText("It is yours").waitFor({ timeout: 60_000 });
  await shot(ben.page, "afternoon-bought-390");
  await anna.page.getByText(`Sold: ${name}`).waitFor({ timeout: 60_000 });
  assert.equal(await ownerOf(avatar.contract, avatar.tokenId), buyer.wallet.toLowerCase());
  done("bought");
});
