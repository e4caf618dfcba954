// What a player does with the account itself, on a desktop and on a phone: register, rename, change the password,
// connect a wallet, sign out here and elsewhere, reset a forgotten password by email, and delete the account, by code
// and by password. All of it by keyboard alone.
import assert from "node:assert/strict";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import {
  accessible,
  approves,
  base,
  call,
  desktop,
  emailTo,
  eventually,
  fits,
  focused,
  install,
  journey,
  phone,
  player,
  press,
  ready,
  register,
  shot,
  start,
  tabTo,
} from "./browser.mjs";

const browser = await start();
await journey(browser, async () => {
  await Promise.all(
    [desktop, phone].map(async (viewport) => {
      await life(viewport);
      await shortLife(viewport);
      await changesTheEmail(viewport);
    }),
  );
});

/** Refusals are part of this journey: invalid values are tried in every field, and sessions end elsewhere. */
function refusals(response) {
  const path = new URL(response.url()).pathname;
  return path.startsWith("/api/") && [400, 401, 409].includes(response.status());
}

/** The options of a window: each size has a network of its own, as logins from one address are limited. */
function from({ width }) {
  const address = width === phone.width ? "192.0.2.1" : "198.51.100.1";
  return { allow: refusals, extraHTTPHeaders: { "X-Forwarded-For": address } };
}

/** A new player who does not exist yet. */
function newcomer() {
  const name = `A${Math.random().toString(36).slice(2, 10)}`;
  return { name, email: `${name.toLowerCase()}@example.org`, password: "three odd herons" };
}

/** The life of one account, at one window size. */
async function life(viewport) {
  const at = viewport.width;
  const one = await player(browser, viewport, from(viewport));
  const two = await player(browser, viewport, from(viewport));
  const who = newcomer();
  const wallet = privateKeyToAccount(generatePrivateKey());
  await install(one.page, wallet, { chainId: 1 });

  await registers(one.page, who, at);
  await signsIn(two.page, who, at);
  await isToldWhatIsWrong(one.page, at);
  await confirmsTheEmail(one.page, who, at);
  await renames(one.page, who);
  await bringsAWallet(one.page, who, wallet, at);
  await changesThePassword(one.page, who);
  await isSignedOut(two.page, "the password was changed elsewhere");
  await signsIn(two.page, who, at, "/portal/login");
  await endsOneSession(one.page);
  await isSignedOut(two.page, "that one session was ended in the other browser");
  await signsIn(two.page, who, at);
  await signsOutElsewhere(one.page, at);
  await isSignedOut(two.page, "it was signed out from the other browser");
  await signsOut(one.page);
  await signsIn(one.page, who, at, "/portal/login");
  await forgetsThePassword(two.page, who, at);
  await isSignedOut(one.page, "the password was set anew by mail");
  await signsIn(one.page, who, at);
  await leaves(one.page, two.page, who, at);

  assert.deepEqual(one.faults, [], `what went wrong in the first browser at ${at} px`);
  assert.deepEqual(two.faults, [], `what went wrong in the second browser at ${at} px`);
  await one.context.close();
  await two.context.close();
}

/** An account that is deleted on the deletion page, by its password. */
async function shortLife(viewport) {
  const { page, context, faults } = await player(browser, viewport, from(viewport));
  const who = newcomer();
  await page.goto(`${base}/register?from=${encodeURIComponent("/king-of-destiny/support/deleteaccount")}`);
  await ready(page, "Create account");
  await type(page, "Name", who.name);
  await type(page, "E-mail", who.email);
  await type(page, "Password", who.password);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${base}/king-of-destiny/support/deleteaccount`);
  // The address changes before the page, and the page before has a password too.
  await page.getByRole("button", { name: "Delete my account for good" }).waitFor();
  await type(page, "Password", "not this one");
  await pressButton(page, "Delete my account for good");
  await refused(page, "Password", "not your password", { keeps: "not this one" });
  await accessible(page, "deleting an account with a wrong password");
  await type(page, "Password", who.password);
  await page.keyboard.press("Enter");
  await isGone(page, who, viewport.width);
  assert.deepEqual(faults, [], `what went wrong while leaving by password at ${viewport.width} px`);
  await context.close();
}

/** Replaces a field's text, by keyboard. */
async function type(page, label, text) {
  await tabTo(page, page.getByLabel(label, { exact: true }));
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Backspace");
  await page.keyboard.type(text);
}

/** Presses a button, by keyboard. */
async function pressButton(page, name) {
  await press(page, page.getByRole("button", { name, exact: true }));
}

/** Follows a link, by keyboard. */
async function follow(page, name) {
  await press(page, page.getByRole("link", { name, exact: true }));
}

/** The field shows its error, keeps what was typed, and has the focus if it is the first. */
async function refused(page, label, note, { focus = true, keeps = undefined } = {}) {
  const field = page.getByLabel(label, { exact: true });
  const description = () =>
    field.evaluate((element) => document.getElementById(element.getAttribute("aria-describedby"))?.textContent ?? "");
  await eventually(`${label} says "${note}"`, async () => (await description()).includes(note)).catch(async (cause) => {
    await shot(page, `not-refused-${label}`);
    assert.fail(`${cause.message}: it says "${await description()}"`);
  });
  assert.equal(await field.getAttribute("aria-invalid"), "true", `${label} is marked`);
  if (focus) await focused(label, field);
  if (keeps !== undefined) assert.equal(await field.inputValue(), keeps, `${label} keeps what was typed`);
}

// Spec: ACCOUNT-1
async function registers(page, who, at) {
  await page.goto(`${base}/register?from=${encodeURIComponent("/portal/edit")}`);
  await accessible(page, "/register");
  await fits(page, "/register");
  await pressButton(page, "Create account");
  await refused(page, "Name", "Choose a name.");
  await refused(page, "E-mail", "Enter your e-mail address.", { focus: false });
  await refused(page, "Password", "Enter a password.", { focus: false });
  await type(page, "Name", "ab");
  await type(page, "E-mail", "nobody");
  await type(page, "Password", "12345");
  await pressButton(page, "Create account");
  await refused(page, "Name", "at least 3 characters", { keeps: "ab" });
  await accessible(page, "/register with everything wrong");
  await shot(page, `register-wrong-${at}`);
  await type(page, "Name", who.name);
  await type(page, "E-mail", who.email);
  await type(page, "Password", "password");
  await page.keyboard.press("Enter");
  await refused(page, "Password", "easy to guess", { keeps: "password" }); // only the server checks these
  await type(page, "Password", who.password);
  const show = page.getByRole("button", { name: "Show password" });
  await tabTo(page, show);
  await page.keyboard.press("Enter");
  assert.equal(await page.getByLabel("Password", { exact: true }).getAttribute("type"), "text", "the password is shown");
  await pressButton(page, "Create account");
  await page.waitForURL(`${base}/portal/edit`);
}

// Spec: ACCOUNT-5
async function signsIn(page, who, at, door = "/login") {
  await page.goto(`${base}${door}?from=${encodeURIComponent("/portal/edit")}`);
  await accessible(page, door);
  await fits(page, door);
  await shot(page, `${door.slice(1).replace("/", "-")}-${at}`);
  await ready(page, "Sign in");
  await type(page, "E-mail", who.email);
  await type(page, "Password", "not this one");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").filter({ hasText: "Invalid email or password" }).waitFor();
  assert.equal(await page.getByLabel("E-mail", { exact: true }).inputValue(), who.email, "the address is kept");
  await type(page, "Password", who.password);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${base}/portal/edit`);
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
}

async function isSignedOut(page, why) {
  await page.goto(`${base}/portal/edit`);
  await page.waitForURL(`${base}/login?from=%2Fportal%2Fedit`);
  assert.equal(await page.evaluate(() => localStorage.getItem("pantheon.token")), null, `the token is forgotten: ${why}`);
}

// Spec: ACCOUNT-27
async function isToldWhatIsWrong(page, at) {
  await page.reload(); // signed in elsewhere since
  await page.getByRole("button", { name: "Sign out elsewhere" }).waitFor();
  await accessible(page, "/portal/edit");
  await fits(page, "/portal/edit");
  await shot(page, `settings-${at}`);
  await type(page, "Name", "ab");
  await pressButton(page, "Save the name");
  await refused(page, "Name", "at least 3 characters", { keeps: "ab" });
  await type(page, "Present password", "not this one");
  await type(page, "New password", "12345");
  await pressButton(page, "Change the password");
  await refused(page, "New password", "at least 8 characters", { keeps: "12345" });
  await type(page, "New password", "four odd herons");
  // Back to the field before it, which is now invalid.
  await pressButton(page, "Change the password");
  await refused(page, "Present password", "not your present password", { keeps: "not this one" });
  await accessible(page, "/portal/edit with wrong values");
  await page.reload();
}

// Spec: ACCOUNT-15
async function renames(page, who) {
  who.name = `${who.name} II`;
  await type(page, "Name", who.name);
  await page.keyboard.press("Enter");
  await page.getByText(`You are ${who.name} now.`).waitFor();
  const { AccountInfo } = await call(page, "GET", "/api/auth/profile");
  assert.equal(AccountInfo.TitleInfo.DisplayName, who.name);
}

// Spec: ACCOUNT-16
async function changesThePassword(page, who) {
  await type(page, "Present password", who.password);
  who.password = "four odd herons";
  await type(page, "New password", who.password);
  await page.keyboard.press("Enter");
  await page.getByText("Your password is changed. Everywhere else you are signed out.").waitFor();
  assert.equal(await page.getByLabel("New password", { exact: true }).inputValue(), "", "the fields are empty again");
}

/** The settings can connect an external wallet. */
async function bringsAWallet(page, who, wallet, at) {
  const section = page.getByRole("region", { name: "Your own wallet" });
  await pressButton(page, "Connect Hermes");
  await approves(page, who.email, "Your code for connecting a wallet");
  await section.getByTitle(wallet.address).waitFor();
  assert.equal((await call(page, "GET", "/api/auth/profile")).userVerifiedWallet.walletAddress, wallet.address);
  await accessible(page, "/portal/edit with a wallet");
  await fits(page, "/portal/edit with a wallet");
  await shot(page, `settings-wallet-${at}`);
  await pressButton(page, "Disconnect");
  await approves(page, who.email, "Your code for disconnecting your wallet");
  await section.getByRole("button", { name: "Connect Hermes" }).waitFor();
  assert.equal((await call(page, "GET", "/api/auth/profile")).userVerifiedWallet, undefined);
}

/** One of the sessions is ended on its own. */
// Spec: ACCOUNT-18
async function endsOneSession(page) {
  await page.reload();
  const other = page.getByRole("button", { name: /^Sign out .*, since / });
  await other.waitFor();
  assert.equal(await other.count(), 1, "there is one other session");
  await press(page, other);
  await page.getByRole("status").filter({ hasText: "is signed out." }).waitFor();
  await other.waitFor({ state: "detached" });
  assert.ok(await page.getByText("This one", { exact: true }).isVisible(), "this session goes on");
  await accessible(page, "/portal/edit after ending one session");
}

/** Signing out leads to the first page, and deletes the session in the browser and on the server. */
async function signsOut(page) {
  const token = await page.evaluate(() => localStorage.getItem("pantheon.token"));
  await pressButton(page, "Sign out");
  await page.waitForURL(`${base}/`);
  await page.getByRole("banner").getByRole("link", { name: "Sign in" }).waitFor();
  const kept = await page.evaluate(() =>
    ["pantheon.token", "pantheon.session", "pantheon.wallet-token", "pantheon.marketing"].filter(
      (key) => localStorage.getItem(key) !== null,
    ),
  );
  assert.deepEqual(kept, [], "the browser has forgotten the session");
  await eventually(
    "the server has ended the session",
    async () => (await fetch(`${base}/api/auth/profile`, { headers: { Authorization: token } })).status === 401,
  );
  await isSignedOut(page, "the player signed out");
}

// Spec: ACCOUNT-18
async function signsOutElsewhere(page, at) {
  await page.reload();
  const here = page.getByText("This one", { exact: true });
  await here.waitFor();
  await pressButton(page, "Sign out elsewhere");
  await page.getByText("You are signed out elsewhere: 1 session ended.").waitFor();
  await page.getByRole("button", { name: "Sign out elsewhere" }).waitFor({ state: "detached" });
  assert.ok(await here.isVisible(), "this session goes on");
  await accessible(page, "/portal/edit after signing out elsewhere");
  await shot(page, `signed-out-elsewhere-${at}`);
}

/** Confirms the registered address by the emailed code, and cancels the change to another address. */
// Spec: ACCOUNT-21
async function confirmsTheEmail(page, who, at) {
  await pressButton(page, "Use another");
  await page.getByLabel("E-mail", { exact: true }).waitFor();
  await accessible(page, "/portal/edit with another address");
  await fits(page, "/portal/edit with another address");
  await shot(page, `email-other-${at}`);
  await pressButton(page, "Back to the code");
  const label = "Confirmation code";
  const code = await codeFor(who.email, "Your code to confirm your email");
  await type(page, label, code === "00000000" ? "00000001" : "00000000");
  await page.keyboard.press("Enter");
  await refused(page, label, "wrong or too old");
  await accessible(page, "/portal/edit with a wrong confirmation code");
  await fits(page, "/portal/edit with a wrong confirmation code");
  await shot(page, `email-${at}`);
  await type(page, label, code);
  await page.keyboard.press("Enter");
  const outcome = page.getByText(`${who.email} is confirmed.`);
  await outcome.waitFor();
  await focused("the outcome", outcome);
  await accessible(page, "/portal/edit with a confirmed address");
}

/** Replaces a confirmed address: a code to the old one approves it, a code to the new one confirms it, and both are told. */
// Spec: ACCOUNT-20
async function changesTheEmail(viewport) {
  const { page, context, faults } = await player(browser, viewport, from(viewport));
  const at = viewport.width;
  const who = await register(page);
  await page.goto(`${base}/portal/edit`);
  await ready(page, "Confirm");
  await type(page, "Confirmation code", await codeFor(who.email, "Your code to confirm your email"));
  await page.keyboard.press("Enter");
  await page.getByText(`${who.email} is confirmed.`).waitFor();
  const old = who.email;
  who.email = `new-${old}`;
  await pressButton(page, "Use another");
  await type(page, "E-mail", who.email);
  await page.keyboard.press("Enter");
  await page.getByText("It is good for this and nothing else.").waitFor();
  await accessible(page, "/portal/edit with a change of address to approve");
  await fits(page, "/portal/edit with a change of address to approve");
  await shot(page, `email-change-${at}`);
  await approves(page, old, "Your code for another email address");
  await page.getByLabel("Confirmation code", { exact: true }).waitFor();
  await shot(page, `email-changed-code-${at}`);
  await type(page, "Confirmation code", await codeFor(who.email, "Your code to confirm your email"));
  await page.keyboard.press("Enter");
  await page.getByText(`${who.email} is confirmed.`).waitFor();
  await emailTo(old, "The email of your account was changed");
  await emailTo(who.email, "The email of your account was changed");
  assert.deepEqual(faults, [], `what went wrong while changing the address at ${at} px`);
  await context.close();
}

/** The code of the newest email to an address with a subject. */
async function codeFor(email, subject) {
  const code = /^ {4}(\d{8})$/m.exec(await emailTo(email, subject))?.[1];
  assert.ok(code, "the mail has the code");
  return code;
}

// Spec: PAGE-18, ACCOUNT-13, ACCOUNT-14
async function forgetsThePassword(page, who, at) {
  await follow(page, "Forgot your password?");
  await page.waitForURL(`${base}/forgot-password`);
  await accessible(page, "/forgot-password");
  await fits(page, "/forgot-password");
  await pressButton(page, "Send me a link");
  await refused(page, "E-mail", "Enter your e-mail address.");
  await shot(page, `forgot-password-${at}`);
  await type(page, "E-mail", who.email);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${base}/reset-password`);
  await page.getByText(who.email).waitFor();
  await page.getByRole("button", { name: /^Send it again in \d+ s$/ }).waitFor();
  await accessible(page, "/reset-password");
  await fits(page, "/reset-password");
  await shot(page, `reset-password-${at}`);

  const link = /https?:\/\/\S+\/new-password\?token=\S+/.exec(await emailTo(who.email, "Choose a new password"))?.[0];
  assert.ok(link, "the email has the link");
  await page.goto(link);
  await page.waitForURL(`${base}/new-password`); // without the token
  await page.reload(); // which must not lose it
  await accessible(page, "/new-password");
  await fits(page, "/new-password");
  await ready(page, "Set the password");
  await type(page, "New password", "qwerty123");
  await page.keyboard.press("Enter");
  await refused(page, "New password", "easy to guess", { keeps: "qwerty123" });
  await shot(page, `new-password-${at}`);
  who.password = "five odd herons";
  await type(page, "New password", who.password);
  await page.keyboard.press("Enter");
  await page.getByText("Your password is changed").waitFor();
  await accessible(page, "/new-password when it is done");

  await page.goto(link); // a second time
  await ready(page, "Set the password");
  await type(page, "New password", "six odd herons");
  await page.keyboard.press("Enter");
  await page.getByText("This link no longer works").waitFor();
  await page.getByRole("link", { name: "Ask for a new link" }).waitFor();
}

// Spec: SAFE-9
async function leaves(page, other, who, at) {
  // A visitor is sent to the login, and returns.
  await other.goto(`${base}/king-of-destiny/support/deleteaccount`);
  const way = other.getByRole("link", { name: "Sign in to delete your account" });
  await way.waitFor();
  await accessible(other, "deleting an account as a visitor");
  await press(other, way);
  await other.waitForURL(`${base}/login?from=${encodeURIComponent("/king-of-destiny/support/deleteaccount")}`);
  await ready(other, "Sign in");
  await type(other, "E-mail", who.email);
  await type(other, "Password", who.password);
  await other.keyboard.press("Enter");
  await other.waitForURL(`${base}/king-of-destiny/support/deleteaccount`);
  await pressButton(other, "Delete my account for good");
  await refused(other, "Password", "Enter your password.");
  await accessible(other, "deleting an account");
  await fits(other, "deleting an account");
  await shot(other, `delete-${at}`);

  // By a code from the settings.
  await pressButton(page, "Use a code by mail");
  await pressButton(page, "Send me a code");
  await page.getByLabel("Code", { exact: true }).waitFor();
  const code = /^ {4}(\d{8})$/m.exec(await emailTo(who.email, "Your code for deleting your account"))?.[1];
  assert.ok(code, "the email has the code");
  await type(page, "Code", code === "00000000" ? "00000001" : "00000000");
  await page.keyboard.press("Enter");
  await refused(page, "Code", "wrong or too old");
  await accessible(page, "/portal/edit with a wrong code");
  await shot(page, `delete-code-${at}`);
  await type(page, "Code", code);
  await page.keyboard.press("Enter");
  await isGone(page, who, at);
  await isSignedOut(other, "the account was deleted");
}

/** The account is deleted: the page confirms it, the browser has no data of the player, and signing in fails. */
async function isGone(page, who, at) {
  await page.getByRole("heading", { level: 1, name: "Your account is deleted" }).waitFor();
  await accessible(page, "the last word");
  await fits(page, "the last word");
  await shot(page, `farewell-${at}`);
  const kept = await page.evaluate(() => Object.keys(localStorage).filter((key) => /^(pantheon|kod)/.test(key)));
  assert.deepEqual(
    kept.filter((key) => key !== "pantheon.flags"),
    [],
    "the browser has forgotten the player",
  ); // flags are polled
  await page.goto(`${base}/login`);
  await ready(page, "Sign in");
  await type(page, "E-mail", who.email);
  await type(page, "Password", who.password);
  await page.keyboard.press("Enter");
  await page.getByRole("alert").filter({ hasText: "Invalid email or password" }).waitFor();
}
