// What the journeys share: a real Chromium, and a page that fails the journey on anything a player would call broken.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import AxeBuilder from "@axe-core/playwright";
import { chromium } from "playwright-core";

/** Address of the site under test. */
export const base = process.env.BASE_URL ?? "";
assert.ok(base, "BASE_URL must be the address of a running site");

/** Folder for screenshots; none are taken without it. */
const shots = process.env.SCREENSHOTS;

export const phone = { width: 390, height: 844 };
export const desktop = { width: 1440, height: 900 };

/** Starts the browser; the journey must close it. */
export async function start() {
  const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
  assert.ok(executablePath, "no Chromium found: install your system's package (on Debian: chromium)");
  return chromium.launch({
    executablePath,
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync",
    ],
  });
}

/**
 * Opens a browser of its own for one player, who may have been signed in elsewhere (`storageState`). Console errors, failed requests and page errors are gathered in `faults`;
 * `allow` says which failed answers belong to the journey. `messages` are those of the realtime channel, as "channel/type".
 */
export async function player(browser, viewport = desktop, allow = () => false, storageState = undefined) {
  const context = await browser.newContext({ viewport, reducedMotion: "reduce", storageState });
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(`page error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) faults.push(`console: ${message.text()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400 && !allow(response)) faults.push(`${response.status()} ${response.request().method()} ${response.url()}`);
  });
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText;
    if (reason !== "net::ERR_ABORTED") faults.push(`${reason} ${request.method()} ${request.url()}`); // aborted: the page was left
  });
  const messages = [];
  page.on("websocket", (socket) => {
    socket.on("framereceived", ({ payload }) => {
      const { data } = JSON.parse(String(payload));
      if (data?.channelId) messages.push(`${data.channelId}/${data.type}`);
    });
  });
  return { context, page, faults, messages };
}

/** Registers a new player and waits until the smart wallet is stored. Returns who it is. */
export async function register(page, from = "/kod-marketplace") {
  const name = `P${Math.random().toString(36).slice(2, 10)}`;
  const email = `${name.toLowerCase()}@example.org`;
  const password = "correct horse battery";
  await page.goto(`${base}/register?from=${encodeURIComponent(from)}`);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Password", { exact: true }).fill(password);
  const stored = page.waitForResponse((r) => r.url().endsWith("/api/smartWallet/create-smart-wallet"));
  await page.getByRole("button", { name: "Create account" }).click();
  const answer = await (await stored).json();
  assert.equal(answer.success, true, "the smart wallet was stored");
  const profile = await call(page, "GET", "/api/auth/profile");
  return { name, email, password, playFabId: profile.AccountInfo.PlayFabId, wallet: profile.smartWalletAddress };
}

/** Makes a call of the API as the page's player, with the token the app keeps. */
export async function call(page, method, path, body) {
  const token = await page.evaluate(() => localStorage.getItem("pantheon.token"));
  const response = await fetch(base + path, {
    method,
    headers: { Authorization: token, ...(body && { "Content-Type": "application/json" }) },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

/** Asks the chain itself. */
export async function chain(method, params) {
  const { gameChain } = await (await fetch(`${base}/api/config`)).json();
  const response = await fetch(`${base}/api/proxy/rpc/${gameChain.id}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const answer = await response.json();
  assert.ok(!answer.error, JSON.stringify(answer.error));
  return answer.result;
}

/** Base units of the market's currency as the pages write them. */
export function written(units) {
  const [whole, fraction] = [units / 1_000_000n, String(units % 1_000_000n).padStart(6, "0").slice(0, 4)];
  return `${whole.toLocaleString("en")}.${fraction.replace(/0{1,2}$/, "")}`;
}

const word = (value) => BigInt(value).toString(16).padStart(64, "0");

/** ERC-20: balanceOf(address). */
export async function balanceOf(token, owner) {
  return BigInt(await chain("eth_call", [{ to: token, data: `0x70a08231${word(owner)}` }, "latest"]));
}

/** ERC-1155: balanceOf(address,uint256). */
export async function unitsOf(collection, owner, tokenId) {
  return BigInt(await chain("eth_call", [{ to: collection, data: `0x00fdd58e${word(owner)}${word(tokenId)}` }, "latest"]));
}

/** ERC-721: ownerOf(uint256), in lower case. */
export async function ownerOf(collection, tokenId) {
  const answer = await chain("eth_call", [{ to: collection, data: `0x6352211e${word(tokenId)}` }, "latest"]);
  return `0x${answer.slice(-40)}`;
}

/** Waits until the check answers true; for what has no event to wait for. */
export async function eventually(what, check, limit = 10_000) {
  const end = Date.now() + limit;
  while (!(await check())) {
    assert.ok(Date.now() < end, `${what}: not within ${limit} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Asserts that axe finds nothing on the page as it stands. */
export async function accessible(page, where) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes[0]?.html}`), [], `axe on ${where}`);
}

/** Asserts that the page does not scroll sideways. */
export async function fits(page, where) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(over <= 0, `${where} is ${over} px too wide`);
}

/** Keeps a picture of the page, where a folder is given. */
export async function shot(page, name) {
  if (shots) await page.screenshot({ path: `${shots}/${name}.png` });
}
