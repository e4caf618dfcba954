// A thief has a player's session, in a browser of their own, and tries to sell the player's item for nearly nothing, and to buy an
// item of an accomplice for nearly all that the player has. The thief is asked for the code that only the player gets. The player,
// who has it, can do the same. Then the thief, who has the password too, deletes the account with all that is in it, and the player
// keeps it by the link in the mail about that.
import assert from "node:assert/strict";
import {
  accessible,
  approves,
  balanceOf,
  base,
  call,
  desktop,
  emailTo,
  eventually,
  fits,
  focused,
  journey,
  phone,
  player,
  register,
  shot,
  start,
  starterKit,
} from "./browser.mjs";

const browser = await start();
await journey(browser, async () => {
  const allow = (response) =>
    (response.status() === 400 && response.url().includes("/api/auth/approvals/")) ||
    (response.status() === 409 && response.url().includes("/api/auth/delete-account"));
  const owner = await player(browser, desktop, { allow });
  const who = await register(owner.page);
  await starterKit(owner.page);
  const [god] = (await call(owner.page, "GET", "/api/auth/nft/listElderGods")).items;
  const { currency } = await (await fetch(`${base}/api/config`)).json();
  const live = async () => (await call(owner.page, "GET", "/api/auth/marketplace/my-listings?state=live")).items;

  const thief = await player(browser, phone, { allow, storageState: await owner.page.context().storageState() });
  const dialog = await sells(thief.page, god);
  await dialog.getByText(`Sell ${god.metadata.name}`).waitFor();
  await dialog.getByText("Price", { exact: true }).waitFor();
  await dialog.getByText("Usual price").waitFor();
  await accessible(thief.page, "the question on a phone");
  await fits(thief.page, "the question on a phone");
  await shot(thief.page, "approve-390");
  const code = thief.page.getByLabel("Code", { exact: true });
  await code.fill("12345678");
  await thief.page.keyboard.press("Enter");
  await dialog.getByText("This code is wrong or too old").waitFor();
  await focused("the code", code);
  await thief.page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await thief.page.getByText("You did not confirm it, so nothing was sent.").waitFor();
  assert.equal(await thief.page.getByLabel("Price of one, in USDC").inputValue(), "0.02", "what was typed stays");
  await accessible(thief.page, "a sale that was not approved");
  await shot(thief.page, "not-approved-390");
  assert.deepEqual(await live(), [], "nothing is listed");

  const accomplice = await player(browser, desktop);
  await register(accomplice.page);
  await starterKit(accomplice.page);
  const [trifle] = (await call(accomplice.page, "GET", "/api/auth/nft/listElderGods")).items;
  await accomplice.page.goto(`${base}/portal/sell?item=${trifle.contract}:${trifle.tokenId}:1:490`);
  await accomplice.page.getByRole("button", { name: "List 1 item" }).click();
  await accomplice.page.getByRole("heading", { name: "On the market" }).waitFor({ timeout: 40_000 });
  const money = await balanceOf(currency.address, who.wallet);
  const purchase = await buys(thief.page, trifle);
  await purchase.getByText(`Buy ${trifle.metadata.name}`).waitFor();
  await accessible(thief.page, "the question about a purchase");
  await fits(thief.page, "the question about a purchase");
  await shot(thief.page, "approve-purchase-390");
  await thief.page.keyboard.press("Escape");
  await purchase.waitFor({ state: "detached" });
  await thief.page.getByText("You did not confirm it, so nothing was sent.").waitFor();
  await accessible(thief.page, "a purchase that was not approved");
  await shot(thief.page, "purchase-not-approved-390");
  assert.equal(await balanceOf(currency.address, who.wallet), money, "nothing is paid");

  const question = await sells(owner.page, god);
  await accessible(owner.page, "the question");
  await shot(owner.page, "approve-1440");
  await approves(owner.page, who.email, "Your code for a trade");
  await question.waitFor({ state: "detached" });
  await owner.page.getByRole("heading", { name: "On the market" }).waitFor({ timeout: 20_000 });
  assert.equal((await live()).length, 1, "it is listed once");

  await deletes(thief.page, who.password);
  await accessible(thief.page, "an account that will be deleted");
  await fits(thief.page, "an account that will be deleted");
  await shot(thief.page, "will-be-deleted-390");
  await owner.page.goto(`${base}/portal/my-inventory`);
  await owner.page.getByText("Your account will be deleted on").waitFor();
  await accessible(owner.page, "the portal of an account that will be deleted");
  await shot(owner.page, "will-be-deleted-1440");
  await eventually("its listing is off the market", async () => (await live()).length === 0);
  const keep = /https?:\/\/\S+\/support\/deleteaccount\?token=\S+/.exec(await emailTo(who.email, "Your account will be deleted"))?.[0];
  const reader = await player(browser, desktop);
  await reader.page.goto(keep);
  await reader.page.getByRole("button", { name: "Keep my account" }).waitFor();
  await accessible(reader.page, "keeping an account");
  await shot(reader.page, "keep-account-1440");
  await reader.page.getByRole("button", { name: "Keep my account" }).click();
  await reader.page.getByText("You keep your account").waitFor();
  await shot(reader.page, "account-kept-1440");
  await owner.page.reload();
  await owner.page.getByRole("heading", { level: 1 }).waitFor();
  assert.equal(await owner.page.getByText("Your account will be deleted on").count(), 0, "it is kept");
  await eventually("its listing is back", async () => (await live()).length === 1);
  for (const { page, faults, context } of [owner, thief, accomplice, reader]) {
    assert.deepEqual(faults, [], page.url());
    await context.close();
  }
});

/** Deletes the account by its password, and gives up what is in it. */
// Spec: SAFE-10
async function deletes(page, password) {
  await page.goto(`${base}/king-of-destiny/support/deleteaccount`);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Delete my account for good" }).click();
  await page.getByText("There is still something in your account:").waitFor();
  await accessible(page, "what is left in an account");
  await fits(page, "what is left in an account");
  await shot(page, "left-in-account-390");
  await page.getByLabel("To give it up, type: I give all this up").fill("I give all this up");
  await page.getByRole("button", { name: "Delete my account for good" }).click();
  await page.getByText("Your account will be deleted on").waitFor();
}

/** Lists an item for 0.02 USDC, and returns the question that follows. */
// Spec: SELL-5
async function sells(page, { contract, tokenId }) {
  await page.goto(`${base}/portal/sell?item=${contract}:${tokenId}`);
  await page.getByLabel("Price of one, in USDC").fill("0.02");
  await page.getByRole("button", { name: "List 1 item" }).click();
  const dialog = page.getByRole("dialog", { name: "Is this you?" });
  await dialog.waitFor({ timeout: 20_000 });
  return dialog;
}

/** Holds an item, goes to the checkout and pays; returns the question that follows. */
async function buys(page, { contract, tokenId, metadata }) {
  await page.goto(`${base}/kod-marketplace/marketplace/item/${contract}/${tokenId}`);
  await page
    .getByRole("button", { name: `Add to cart: ${metadata.name}`, exact: true, disabled: false })
    .first()
    .click();
  await page.getByRole("button", { name: "Cart, 1 item" }).click();
  await page.getByRole("dialog", { name: "Your cart" }).getByRole("link", { name: "Go to checkout" }).click();
  const pay = page.getByRole("button", { name: /^Pay / });
  await eventually("the pay button", () => pay.isEnabled());
  await pay.click();
  const dialog = page.getByRole("dialog", { name: "Is this you?" });
  await dialog.waitFor({ timeout: 20_000 });
  return dialog;
}
