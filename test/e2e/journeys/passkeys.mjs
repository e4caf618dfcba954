// Passkeys, on a phone and on a desktop, with Chromium's virtual authenticator: a player adds one, signs in by it, confirms a withdrawal
// by it, meets a device that does not know them, goes on by a code, removes the passkey, and is told so at the next sign-in. A thief with
// the password gets in, and no further. All of the player's part by keyboard. A new passkey confirms after a few seconds
// (WITHDRAWAL_DELAY).
import assert from "node:assert/strict";
import {
  accessible,
  approves,
  balanceOf,
  base,
  call,
  desktop,
  eventually,
  fits,
  journey,
  phone,
  player,
  press,
  register,
  shot,
  signIn,
  start,
  starterKit,
  tabTo,
} from "./browser.mjs";

/** Somebody to send to. */
const friend = "0xfeed00000000000000000000000000000000beef";

const browser = await start();
await journey(browser, async () => {
  await Promise.all([desktop, phone].map(life));
});

/** Refusals are part of this journey: what needs an approval, a passkey that is not known any more, a session that was ended. */
function refusals(response) {
  return new URL(response.url()).pathname.startsWith("/api/") && [401, 403, 409].includes(response.status());
}

/** Gives the page a device that has no passkeys yet. */
async function device(page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    /** Whether the device recognises who holds it. */
    knows: (isUserVerified) => cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
    passkeys: async () => (await cdp.send("WebAuthn.getCredentials", { authenticatorId })).credentials,
  };
}

function button(page, name) {
  return page.getByRole("button", { name, exact: true });
}

async function look(page, name) {
  await accessible(page, name);
  await fits(page, name);
  await shot(page, `passkeys-${name.replaceAll(" ", "-")}-${page.viewportSize().width}`);
}

async function life(viewport) {
  const one = await player(browser, viewport, { allow: refusals });
  const { page } = one;
  const phoneOfPlayer = await device(page);
  const who = await register(page);
  await starterKit(page);
  const { currency } = await (await fetch(`${base}/api/config`)).json();
  await eventually("the welcome money arrives", async () => (await balanceOf(currency.address, who.wallet)) > 0n);
  await adds(page, who, phoneOfPlayer);
  await signsIn(page, who, phoneOfPlayer);
  await withdraws(page);
  await thief(viewport, who);
  await losesIt(page, who, phoneOfPlayer);
  assert.deepEqual(one.faults, [], `what went wrong at ${viewport.width} px`);
  await one.context.close();
}

// Spec: ACCOUNT-29
async function adds(page, who, own) {
  await page.goto(`${base}/portal/edit`);
  await tabTo(page, page.getByLabel("Name of the new passkey"));
  await page.keyboard.type("My phone");
  await press(page, button(page, "Add a passkey"));
  await approves(page, who.email, "Your code for adding a passkey");
  await page.getByText("The passkey is added. You can sign in with it now.").waitFor();
  assert.equal((await own.passkeys()).length, 1, "the device has a passkey");
  await page.getByText("My phone", { exact: true }).waitFor();
  await look(page, "settings");
}

// Spec: ACCOUNT-30
async function signsIn(page, who, own) {
  await call(page, "GET", "/api/auth/logout");
  await own.knows(false); // else it answers what the e-mail field offers
  await page.goto(`${base}/portal/login`);
  await button(page, "Sign in with a passkey").waitFor();
  await look(page, "login");
  await own.knows(true);
  await press(page, button(page, "Sign in with a passkey"));
  await page.waitForURL(`${base}/kod-marketplace`);
  await call(page, "GET", "/api/auth/logout");
  await page.goto(`${base}/login`); // the player chooses the passkey in the list of the e-mail field: the virtual device does so at once
  await page.waitForURL(`${base}/kod-marketplace`);
  const profile = await call(page, "GET", "/api/auth/profile");
  assert.equal(profile.AccountInfo.PlayFabId, who.playFabId, "the passkey's player is signed in");
}

/** Asks for a withdrawal, and opens its page. */
async function asks(page) {
  const { gameChain, currency } = await (await fetch(`${base}/api/config`)).json();
  const { withdrawal } = await call(page, "POST", "/api/auth/withdrawals", {
    to: friend,
    assets: [{ chainId: gameChain.id, contract: currency.address, amount: "1" }],
  });
  await page.goto(`${base}/portal/money?tab=send&withdrawal=${withdrawal.withdrawalId}`);
}

// Spec: SAFE-15
async function withdraws(page) {
  await eventually("the new passkey confirms", async () => {
    const [passkey] = (await call(page, "GET", "/api/auth/passkeys")).items;
    return Date.parse(passkey.approvesFrom) < Date.now();
  });
  await asks(page);
  await button(page, "Use your passkey").waitFor();
  await look(page, "withdrawal");
  await press(page, button(page, "Use your passkey"));
  await page.getByRole("heading", { level: 2, name: /^(You can send it from|Ready to send)/ }).waitFor();
}

/** Somebody with the password meets the passkey, and has neither it nor the mailbox. */
async function thief(viewport, who) {
  const other = await player(browser, viewport, { allow: refusals });
  const { page } = other;
  await page.goto(`${base}/login?from=${encodeURIComponent("/portal/edit")}`);
  await signIn(page, who);
  await button(page, "Remove My phone").click();
  await button(page, "Use your passkey").waitFor();
  await look(page, "thief");
  await button(page, "I do not have it here").click();
  await page.getByText("It is good for this and nothing else.").waitFor();
  await page.getByLabel("Code", { exact: true }).fill("00000000");
  await page.keyboard.press("Enter");
  await page.getByText("This code is wrong or too old.").waitFor();
  assert.equal((await call(page, "GET", "/api/auth/passkeys")).items.length, 1, "the passkey is there");
  await other.context.close();
}

async function losesIt(page, who, own) {
  await own.knows(false);
  await asks(page);
  await press(page, button(page, "Use your passkey"));
  await page.getByText("Your device did not confirm it. Please try again.").waitFor();
  await press(page, button(page, "I do not have it here"));
  await approvesWithdrawal(page, who);
  await page.goto(`${base}/portal/edit`);
  await press(page, button(page, "Remove My phone"));
  await press(page, button(page, "I do not have it here"));
  await approves(page, who.email, "Your code for removing a passkey");
  await page.getByText("“My phone” is removed. You can delete it on your device too.").waitFor();

  await own.knows(true);
  await call(page, "GET", "/api/auth/logout");
  await page.goto(`${base}/login`);
  await page.getByText("We do not know this passkey.").waitFor();
  await look(page, "unknown");
  await signIn(page, who);
  await page.waitForURL((url) => url.pathname !== "/login");
}

async function approvesWithdrawal(page, who) {
  await page.getByText("It confirms this withdrawal and no other.").waitFor();
  const { items } = await (await fetch(`${base}/dev/mail`, { headers: { Accept: "application/json" } })).json();
  const mail = items.find((m) => m.to === who.email && m.subject === "Your code for sending from your wallet");
  await page.getByLabel("Code", { exact: true }).fill(/^ {4}(\d{8})$/m.exec(mail.text)[1]);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 2, name: /^(You can send it from|Ready to send)/ }).waitFor();
}
