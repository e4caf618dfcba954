// A player's money, on a phone and on a desktop, by keyboard alone: what is there, the address to add some, the address
// book; a withdrawal to another address, which somebody stops by the emailed link without signing in; one to the player's
// own wallet, which is sent; and everything that is left. Withdrawals wait a few seconds (WITHDRAWAL_DELAY).
import assert from "node:assert/strict";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import {
  accessible,
  approves,
  balanceOf,
  base,
  call,
  desktop,
  eventually,
  fits,
  focused,
  install,
  journey,
  ownerOf,
  phone,
  player,
  press,
  register,
  shot,
  start,
  starterKit,
  tabTo,
} from "./browser.mjs";

/** A friend's address, and one that a thief has made to look like it. */
const friend = "0xFEED00000000000000000000000000000000bEeF".toLowerCase();
const lookalike = "0xfeed11111111111111111111111111111111beef";

const browser = await start();
await journey(browser, async () => {
  await Promise.all([desktop, phone].map(life));
});

/** Refusals are part of this journey: wrong values and codes are tried. */
function refusals(response) {
  return new URL(response.url()).pathname.startsWith("/api/") && [400, 404, 409, 429].includes(response.status());
}

async function life(viewport) {
  const options = { allow: refusals };
  const one = await player(browser, viewport, options);
  const { page } = one;
  const wallet = privateKeyToAccount(generatePrivateKey());
  await install(page, wallet, { chainId: 1 });
  const who = await register(page);
  await starterKit(page);
  const { currency } = await (await fetch(`${base}/api/config`)).json();
  await eventually("the welcome money arrives", async () => (await balanceOf(currency.address, who.wallet)) > 0n);

  await looksAtIt(page, who);
  await savesAnAddress(page);
  await isToldWhatIsWrong(page);
  await asksForTheWrongAddress(page, who);
  await isStoppedByTheLink(viewport, page, who);
  await connectsAWallet(page, who);
  await sendsToTheOwnWallet(page, who, wallet, currency.address);
  await movesEverything(page, who, currency.address);
  assert.deepEqual(one.faults, [], `what went wrong at ${viewport.width} px`);
  await one.context.close();
}

/** Examines the page in its present state, and takes its picture. */
async function look(page, name) {
  await accessible(page, name);
  await fits(page, name);
  await shot(page, `money-${name.replaceAll(" ", "-")}-${page.viewportSize().width}`);
}

/** Chooses a tab by its name, by the arrow keys. */
async function choose(page, name) {
  const tab = page.getByRole("tab", { name, exact: true });
  await tab.waitFor();
  await tabTo(page, page.getByRole("tab", { selected: true }));
  for (let i = 0; i < 5 && (await tab.getAttribute("aria-selected")) !== "true"; i++) {
    const before = await page.getByRole("tab", { selected: true }).innerText();
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction((text) => document.querySelector("[role=tab][aria-selected=true]")?.innerText !== text, before);
  }
  assert.equal(await tab.getAttribute("aria-selected"), "true", `the tab ${name} is chosen`);
}

function field(page, label) {
  return page.getByLabel(label, { exact: true });
}

function heading(page, name) {
  return page.getByRole("heading", { level: 2, name });
}

async function pressButton(page, name) {
  await press(page, page.getByRole("button", { name, exact: true }));
}

async function type(page, label, text) {
  await tabTo(page, field(page, label));
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Backspace");
  await page.keyboard.type(text);
}

/** Chooses an option of a select by its first letters. */
async function select(page, label, text) {
  await tabTo(page, field(page, label));
  await page.keyboard.type(text);
  await page.waitForFunction(
    ([element, start]) => element.selectedOptions[0]?.label.startsWith(start),
    [await field(page, label).elementHandle(), text],
  );
}

async function hasError(page, label, text) {
  await page.waitForFunction(
    ([element, said]) =>
      document.getElementById(element.getAttribute("aria-describedby"))?.textContent.includes(said) &&
      element.getAttribute("aria-invalid") === "true",
    [await field(page, label).elementHandle(), text],
  );
}

/** The newest mail to an address with the subject. */
async function mailTo(email, subject) {
  let text;
  await eventually(`the mail "${subject}" comes`, async () => {
    const { items } = await (await fetch(`${base}/dev/mail`, { headers: { Accept: "application/json" } })).json();
    text = items.find((mail) => mail.to === email && mail.subject === subject)?.text;
    return text !== undefined;
  });
  return text;
}

/** Enters the emailed code of the withdrawal that the page shows. */
// Spec: MONEY-3
async function confirms(page, who, { wrong = false } = {}) {
  const code = /^ {4}(\d{8})$/m.exec(await mailTo(who.email, "Your code for sending from your wallet"))?.[1];
  assert.ok(code, "the mail has the code");
  if (wrong) {
    await type(page, "Code", code === "00000000" ? "00000001" : "00000000");
    await page.keyboard.press("Enter");
    await hasError(page, "Code", "This code is wrong or too old.");
    await look(page, "wrong code");
  }
  await type(page, "Code", code);
  await page.keyboard.press("Enter");
}

// Spec: MONEY-1
async function looksAtIt(page, who) {
  await page.goto(`${base}/portal/my-inventory`);
  await press(page, page.getByRole("navigation", { name: "Your account" }).getByRole("link", { name: "Your money" }));
  await page.waitForURL(`${base}/portal/money`);
  await page.getByRole("heading", { level: 1, name: "Your money" }).waitFor();
  await page.getByText("Gift or reward").first().waitFor();
  await look(page, "overview");
  await choose(page, "Add money");
  await page.getByRole("img", { name: "QR code of your wallet's address" }).waitFor();
  const shown = await page.getByText("Your wallet's address", { exact: true }).locator("xpath=following-sibling::*").innerText();
  assert.equal(shown, who.wallet, "the whole address is shown, and copied without spaces");
  await look(page, "add");
}

// Spec: MONEY-6
async function savesAnAddress(page) {
  await choose(page, "Addresses");
  await page.getByText("No address is saved yet.").waitFor();
  await type(page, "Address", "0x12");
  await pressButton(page, "Save the address");
  await hasError(page, "Address", "Invalid address. After 0x it has 40 characters");
  await hasError(page, "Name", "Enter a name.");
  await type(page, "Address", friend);
  await type(page, "Name", "Ben");
  await page.keyboard.press("Enter");
  await page.getByText("Ben is saved.").waitFor();
  await pressButton(page, "Rename Ben");
  await type(page, "New name", "Benedict");
  await page.keyboard.press("Enter");
  await page.getByText("It is called Benedict now.").waitFor();
  await look(page, "addresses");
}

async function isToldWhatIsWrong(page) {
  await choose(page, "Send");
  await heading(page, "Send").waitFor();
  await look(page, "send");
  await pressButton(page, "Continue");
  await page.getByRole("alert").filter({ hasText: "Enter an amount, or choose items." }).waitFor();
  await hasError(page, "Send to", "Choose where to send it.");
  await type(page, "USDC to send", "1.2.3");
  await select(page, "Send to", "Another");
  await type(page, "Address", lookalike.slice(0, -1));
  await page.keyboard.press("Enter");
  await hasError(page, "USDC to send", "Enter a number with at most 6 digits");
  await hasError(page, "Address", "Invalid address. After 0x it has 40 characters");
  assert.equal(await field(page, "USDC to send").inputValue(), "1.2.3", "what was typed stays");
  await type(page, "USDC to send", "1000000");
  await page.keyboard.press("Enter");
  await hasError(page, "USDC to send", "You have ");
  // Only the server knows a wrong mix of upper and lower case.
  await type(page, "USDC to send", "12.5");
  await type(page, "Address", "0xfeed11111111111111111111111111111111bEEf");
  await page.keyboard.press("Enter");
  await hasError(page, "Address", "");
  await focused("the address", field(page, "Address"));
  await look(page, "send wrong");
}

async function asksForTheWrongAddress(page, who) {
  await type(page, "Address", lookalike);
  await page.keyboard.press("Enter");
  await heading(page, "Check and confirm").waitFor();
  await page.waitForFunction(() => document.activeElement?.tagName === "H2", undefined);
  const note = page.getByRole("note");
  await note.getByText("You know: Benedict").waitFor();
  await look(page, "confirm");
  await page.reload();
  await note.getByText("32 characters in between differ").waitFor();
  await confirms(page, who, { wrong: true });
  await heading(page, /^You can send it from /).waitFor();
  await look(page, "waiting");
}

/** Somebody who is not signed in, in another browser, follows the link of the email. */
// Spec: PAGE-18, MONEY-5
async function isStoppedByTheLink(viewport, page, who) {
  const link = /https?:\/\/\S+\/portal\/withdrawals\/cancel\?token=\S+/.exec(
    await mailTo(who.email, "You can send from your wallet soon"),
  )?.[0];
  assert.ok(link, "the mail has the link");
  const other = await player(browser, viewport, { allow: refusals });
  await other.page.goto(base + new URL(link).pathname + new URL(link).search);
  await other.page.waitForURL(`${base}/portal/withdrawals/cancel`);
  await look(other.page, "link");
  await other.page.reload();
  await pressButton(other.page, "Cancel the withdrawal");
  await other.page.getByText("What was not sent before stays in the wallet.").waitFor();
  await look(other.page, "link done");
  await other.page.goto(base + new URL(link).pathname + new URL(link).search);
  await pressButton(other.page, "Cancel the withdrawal");
  await other.page.getByText("This link is not valid any more.").waitFor();
  assert.deepEqual(other.faults, [], `what went wrong in the other browser at ${viewport.width} px`);
  await other.context.close();

  await heading(page, "Cancelled").waitFor();
  await page.getByText("It was cancelled by the link in our email. Nothing has left your wallet.").waitFor();
  await page.reload();
  await heading(page, "Cancelled").waitFor();
  await look(page, "cancelled");
  const { items } = await call(page, "GET", "/api/auth/withdrawals");
  assert.deepEqual(
    items.map(({ state }) => state),
    ["cancelled"],
  );
}

async function connectsAWallet(page, who) {
  await page.goto(`${base}/portal/edit`);
  await pressButton(page, "Connect Hermes");
  await approves(page, who.email, "Your code for connecting a wallet");
  await page.getByRole("button", { name: "Disconnect" }).waitFor();
}

/** Money and an item of the main chain: two parts. */
// Spec: MONEY-4
async function sendsToTheOwnWallet(page, who, wallet, usdc) {
  const {
    items: [god],
  } = await call(page, "GET", "/api/auth/nft/listElderGods");
  const {
    items: [immortal],
  } = await call(page, "GET", "/api/auth/nft/listImmortals");
  await page.goto(`${base}/kod-marketplace/marketplace/item/${god.contract}/${god.tokenId}`);
  await press(page, page.getByRole("link", { name: "Send it to another wallet" }));
  await page.waitForURL(`${base}/portal/money?tab=send&asset=${god.contract}:${god.tokenId}`);
  const chosen = page.getByRole("checkbox", { name: god.metadata.name });
  await chosen.and(page.locator(":checked")).waitFor();
  await tabTo(page, page.getByRole("checkbox", { name: immortal.metadata.name }));
  await page.keyboard.press("Space");
  await type(page, "USDC to send", "20");
  await select(page, "Send to", "My");
  await look(page, "send items");
  await pressButton(page, "Continue");
  await heading(page, "Check and confirm").waitFor();
  await confirms(page, who);
  await heading(page, "Ready to send").waitFor(); // at once, or a few seconds after the wallet was connected
  await page.reload();
  await page.getByText("To: your own wallet").waitFor();
  await look(page, "ready");
  await pressButton(page, "Send part 1 of 2");
  await page.getByText("Sent.", { exact: true }).first().waitFor();
  await page.reload();
  await pressButton(page, "Send part 2 of 2");
  await heading(page, "Sent").waitFor();
  assert.equal(await page.getByText(/^Transaction 0x/).count(), 2, "each part has its transaction");
  await look(page, "sent");
  await eventually("the wallet has the money", async () => (await balanceOf(usdc, wallet.address)) === 20_000_000n);
  assert.equal(await ownerOf(god.contract, god.tokenId), wallet.address.toLowerCase());
  await choose(page, "Withdrawals");
  await page.getByRole("link", { name: "20.00 USDC and 2 items to your own wallet" }).waitFor();
  await look(page, "withdrawals");
}

// Spec: MONEY-2
async function movesEverything(page, who, usdc) {
  await page.goto(`${base}/portal/money?tab=send`);
  const all = page.getByRole("radio", { name: "Move everything to my own wallet" });
  await all.waitFor();
  await tabTo(page, page.getByRole("radio", { checked: true }));
  await page.keyboard.press("ArrowDown");
  await all.and(page.locator(":checked")).waitFor();
  await pressButton(page, "Continue");
  await heading(page, "Check and confirm").waitFor();
  await confirms(page, who);
  await heading(page, "Ready to send").waitFor();
  await look(page, "everything");
  const sends = page.getByRole("button", { name: /^Send( part|$)/ });
  for (;;) {
    await eventually(
      "something can be sent, or all is",
      async () => (await heading(page, /^Sent/).count()) > 0 || (await sends.and(page.locator(":not([aria-disabled=true])")).count()) > 0,
      20_000,
    );
    if (await heading(page, /^Sent/).count()) break;
    const before = await sends.count();
    await press(page, sends.first());
    await eventually("it is sent", async () => (await sends.count()) < before || (await heading(page, /^Sent/).count()) > 0);
  }
  assert.equal(await balanceOf(usdc, who.wallet), 0n, "nothing is left");
  await choose(page, "In and out");
  await page.getByText("Sent from your wallet").first().waitFor();
  await look(page, "after");
}
