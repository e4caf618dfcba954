// A thief has a player's session, in a browser of their own, and tries to sell the player's item for nearly nothing. The thief is
// asked for the code that only the player gets. The player, who has it, can do the same.
import assert from "node:assert/strict";
import { accessible, approves, base, call, desktop, fits, focused, journey, phone, player, register, shot, start, starterKit } from "./browser.mjs";

const browser = await start();
await journey(browser, async () => {
  const allow = (response) => response.status() === 400 && response.url().includes("/api/auth/approvals/");
  const owner = await player(browser, desktop, { allow });
  const who = await register(owner.page);
  await starterKit(owner.page);
  const [god] = (await call(owner.page, "GET", "/api/auth/nft/listElderGods")).items;
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

  const question = await sells(owner.page, god);
  await accessible(owner.page, "the question");
  await shot(owner.page, "approve-1440");
  await approves(owner.page, who.email, "Your code for a trade");
  await question.waitFor({ state: "detached" });
  await owner.page.getByRole("heading", { name: "On the market" }).waitFor({ timeout: 20_000 });
  assert.equal((await live()).length, 1, "it is listed once");
  for (const { page, faults, context } of [owner, thief]) {
    assert.deepEqual(faults, [], page.url());
    await context.close();
  }
});

/** Lists an item for 0.02 USDC, and returns the question that follows. */
async function sells(page, { contract, tokenId }) {
  await page.goto(`${base}/portal/sell?item=${contract}:${tokenId}`);
  await page.getByLabel("Price of one, in USDC").fill("0.02");
  await page.getByRole("button", { name: "List 1 item" }).click();
  const dialog = page.getByRole("dialog", { name: "Is this you?" });
  await dialog.waitFor({ timeout: 20_000 });
  return dialog;
}
