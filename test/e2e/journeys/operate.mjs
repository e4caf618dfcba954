// The operators' console, on a phone and on a desktop, with Chromium's virtual authenticator: the first operator opens the link that a
// command has printed (LINK), invites another, who finds a thief and freezes them, and may not lift the freeze. The owner does, changes
// the other's role, and removes them while their page is open. The log has it all. Parts of it by keyboard.
import assert from "node:assert/strict";
import { accessible, base, desktop, eventually, fits, journey, phone, player, register, shot, start } from "./browser.mjs";

const browser = await start();
await journey(browser, async () => {
  const owner = await operator(desktop);
  await joins(owner, process.env.LINK, "Ada", "owner");
  await looksAround(owner);
  for (const viewport of [desktop, phone]) await helps(owner, viewport);
  await signsOutAndIn(owner);
  await readsTheLog(owner);
  assert.deepEqual(owner.faults, [], "what went wrong at the owner's");
  await owner.context.close();
});

/** Opens a browser for an operator, with a device for passkeys. Everything that the page loads is the console's own. */
// Spec: OPERATE-6
async function operator(viewport) {
  const context = await browser.newContext({ viewport, reducedMotion: "reduce" });
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(`page error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) faults.push(`console: ${message.text()}`);
  });
  page.on("response", (response) => {
    const expected = [401, 403].includes(response.status()); // who is not signed in yet, and what a role may not do
    if (response.status() >= 400 && !expected) faults.push(`${response.status()} ${response.request().method()} ${response.url()}`);
  });
  page.on("request", (request) => {
    const { origin, pathname } = new URL(request.url());
    if (origin !== base || !/^\/(api\/)?operate(\/|$)/.test(pathname)) faults.push(`loads ${request.url()}`);
  });
  const cdp = await context.newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { context, page, faults };
}

function button(page, name) {
  return page.getByRole("button", { name, exact: true });
}

function heading(page, name) {
  return page.getByRole("heading", { level: 1, name, exact: true });
}

async function look(page, name) {
  await accessible(page, name);
  await fits(page, name);
  await shot(page, `operate-${name.replaceAll(" ", "-")}-${page.viewportSize().width}`);
}

// Spec: OPERATE-1
async function joins({ page }, link, name, role) {
  await page.goto(link);
  await heading(page, `Welcome, ${name}`).waitFor();
  assert.equal(page.url(), `${base}/operate/join`, "the token has left the address");
  await page.getByText(`with the role ${role}`).waitFor();
  await look(page, `invitation of ${name}`);
  await page.getByLabel("Name of the passkey").fill("Laptop");
  await page.keyboard.press("Enter");
  await heading(page, "Home").waitFor();
}

/** All pages that an owner sees. */
async function looksAround({ page }) {
  for (const viewport of [phone, desktop]) {
    await page.setViewportSize(viewport);
    for (const [path, name] of [
      ["", "Home"],
      ["/players", "Players"],
      ["/rewards", "Rewards"],
      ["/shop", "Webstore"],
      ["/gas", "Gas"],
      ["/support", "Support"],
      ["/log", "Log"],
      ["/team", "Team"],
      ["/account", "Account"],
    ]) {
      await page.goto(`${base}/operate${path}`);
      await heading(page, name).waitFor();
      await page.waitForLoadState("networkidle");
      await look(page, name);
    }
  }
}

/** Presses what opens an act, fills in the dialog, and returns the words of its result. */
async function does(page, opener, label, fill) {
  await opener.click();
  const dialog = page.getByRole("dialog");
  await fill(dialog);
  await dialog.getByRole("button", { name: label, exact: true }).click();
  const result = dialog.getByRole("status").filter({ hasText: /\S/ });
  await dialog.getByLabel("Reason").waitFor({ state: "detached" });
  const text = await result.innerText();
  await look(page, `${label.toLowerCase()} done`);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  return text;
}

async function helps(owner, viewport) {
  const name = viewport === phone ? "Grace" : "Joan";
  const thief = await player(browser, desktop, { allow: (response) => response.status() === 401 });
  const who = await register(thief.page);

  await owner.page.goto(`${base}/operate/team`);
  const invited = await does(owner.page, button(owner.page, "Invite"), "Invite", async (dialog) => {
    await dialog.getByLabel("Name").fill(name);
    await dialog.getByLabel("Role").selectOption("support");
    await dialog.getByLabel("Reason").fill("starts today");
    await look(owner.page, "invite");
  });
  const link = /http\S+\/operate\/join#\w+/.exec(invited)?.[0];
  assert.ok(link, `the link is shown once: ${invited}`);

  const other = await operator(viewport);
  const { page } = other;
  await joins(other, link, name, "support");
  const again = await operator(viewport);
  await again.page.goto(link);
  await again.page.getByText("This invitation was used, replaced or has expired. Ask for a new one.").waitFor();
  await look(again.page, "used invitation");
  await again.context.close();

  // By keyboard: find the player, open the page, freeze.
  await page.goto(`${base}/operate/players`);
  await heading(page, "Players").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type(who.email);
  await page.getByRole("link", { name: who.name, exact: true }).waitFor();
  await look(page, "found");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await heading(page, who.name).waitFor();
  await page.getByText(who.wallet).first().waitFor();
  await look(page, "player");
  assert.equal(await button(page, "Report a score").count(), 0, "support reports no scores");
  await button(page, "Freeze").focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason").fill("Somebody else signed in. Write to us.");
  await look(page, "freeze");
  await page.keyboard.press("Enter");
  await dialog.getByText(`${who.name} is frozen.`).waitFor();
  await look(page, "frozen");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await eventually("the thief is out", async () => {
    const response = await thief.page.request.get(`${base}/api/auth/profile`, {
      headers: {
        Authorization: (await thief.page.evaluate(() => Object.values(localStorage).join(" "))).match(/eyJ[\w.-]+/)?.[0] ?? "none",
      },
    });
    return response.status() === 401;
  });
  await thief.context.close();

  // Support may not lift it, whatever is called.
  assert.equal(await button(page, "Unfreeze").count(), 0, "support does not unfreeze");
  const post = (path, body) =>
    page.evaluate(
      async ([path, body]) => {
        const response = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
        return { status: response.status, reason: (await response.json()).reason };
      },
      [path, body],
    );
  const direct = await post(`/api/operate/players/${who.playFabId}/unfreeze`, { reason: "why not" });
  assert.deepEqual(direct, { status: 403, reason: "role" });

  await owner.page.goto(`${base}/operate/players`);
  await owner.page.getByRole("link", { name: who.name, exact: true }).click();
  await does(owner.page, button(owner.page, "Unfreeze"), "Unfreeze", (box) => box.getByLabel("Reason").fill("The owner wrote"));

  // A role counts at once, and so does a removal, in the page that is open.
  await owner.page.goto(`${base}/operate/team`);
  const row = owner.page.getByRole("row", { name: new RegExp(name) });
  await does(owner.page, row.getByRole("button", { name: /^Remove/ }), "Remove", (box) => box.getByLabel("Reason").fill("leaves"));
  assert.equal((await post(`/api/operate/players/${who.playFabId}/freeze`, { reason: "revenge" })).status, 401);
  await page.reload();
  await button(page, "Sign in")
    .or(page.getByRole("button", { name: /passkey/ }))
    .first()
    .waitFor();
  await look(page, "removed");
  await page
    .getByRole("button", { name: /passkey|Sign in/ })
    .first()
    .click();
  await page.getByText("We do not know this passkey.").waitFor();
  assert.deepEqual(other.faults, [], `what went wrong at ${viewport.width} px`);
  await other.context.close();
}

// Spec: OPERATE-2
async function signsOutAndIn({ page }) {
  await page.goto(`${base}/operate/account`);
  await button(page, "Sign out").click();
  await page.getByRole("button", { name: /passkey/ }).waitFor();
  await look(page, "sign-in");
  assert.equal(await page.evaluate(() => localStorage.length + sessionStorage.length), 0, "nothing is stored");
  assert.equal(await page.evaluate(() => document.cookie), "", "no script sees the session");
  await page.getByRole("button", { name: /passkey/ }).press("Enter");
  await heading(page, "Account").waitFor();
}

// Spec: OPERATE-5
async function readsTheLog({ page }) {
  await page.goto(`${base}/operate/log?kind=operator`);
  await heading(page, "Log").waitFor();
  for (const text of ["operator add", "operator join", "player show", "player freeze", "player unfreeze", "operator remove"]) {
    await page.getByText(text, { exact: true }).first().waitFor();
  }
  await look(page, "log of operators");
}
