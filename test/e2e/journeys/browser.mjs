// Shared by the journeys: a real Chromium, and a page that fails the journey on any error a player would notice.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import axe from "axe-core";
import { chromium } from "playwright-core";

/** Address of the site under test. */
export const base = process.env.BASE_URL ?? "";
assert.ok(base, "BASE_URL must be the address of a running site");

/** The slug of the brand, the prefix of keys in localStorage. */
const slug = process.env.BRAND_SLUG ?? "pantheon";

/** Folder for screenshots; none are taken without it. */
const shots = process.env.SCREENSHOTS;

export const phone = { width: 390, height: 844 };
export const tablet = { width: 768, height: 1024 };
export const desktop = { width: 1440, height: 900 };

/** The page's width, for failure messages. */
export const at = (page) => `at ${page.viewportSize().width} px`;

/** Starts the browser; see journey. Chromium's headless shell takes a fifth less time than Chromium without a window. */
export async function start() {
  const executablePath = [
    "/usr/bin/chromium-headless-shell",
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
  ].find(existsSync);
  assert.ok(executablePath, "no Chromium found: install your system's package (on Debian: chromium)");
  return chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** Runs a journey and closes the browser. If it fails, prints what every open page shows. */
export async function journey(browser, run) {
  try {
    await run();
  } catch (error) {
    for (const page of browser.contexts().flatMap((context) => context.pages())) {
      const text = async (part) => {
        const shown = await page
          .locator(part)
          .innerText({ timeout: 2000 })
          .catch(({ message }) => message);
        return shown.replaceAll(/\s*\n\s*/g, " | ");
      };
      console.error(`\n== ${page.url()}\n${(await text("body")).slice(0, 500)} … ${(await text("main")).slice(-1000)}`);
    }
    throw error;
  } finally {
    await browser.close();
  }
}

/**
 * Opens a separate browser for one player, with the options of Playwright's contexts (`options`), such as a signed-in
 * state (`storageState`) or motion. Console errors, failed requests and page errors are collected in `faults`;
 * `allow` says which failed responses belong to the journey, and `ignore` is a pattern of other faults that do.
 * `messages` are those of the realtime channel, as "channel/type".
 */
export async function player(browser, viewport = desktop, { allow = () => false, ignore, ...options } = {}) {
  const context = await browser.newContext({ viewport, reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  const faults = [];
  const fault = (text) => {
    if (!ignore?.test(text)) faults.push(text);
  };
  page.on("pageerror", (error) => fault(`page error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) fault(`console: ${message.text()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400 && !allow(response)) fault(`${response.status()} ${response.request().method()} ${response.url()}`);
  });
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText;
    if (reason !== "net::ERR_ABORTED") fault(`${reason} ${request.method()} ${request.url()}`); // aborted: the page was left
  });
  // Spec: SESSION-12
  // Every call names the player's wallet, "" for none, and the visit. Reports have a form of their own.
  page.on("request", (request) => {
    const { origin, pathname } = new URL(request.url());
    if (origin !== base || !pathname.startsWith("/api/") || pathname === "/api/monitoring") return;
    const { "x-wallet-address": wallet, "x-session-id": visit } = request.headers();
    if (!/^(0x[0-9a-fA-F]{40})?$/.test(wallet ?? "none")) fault(`wallet ${wallet} in ${request.method()} ${pathname}`);
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(visit ?? "")) fault(`visit ${visit} in ${request.method()} ${pathname}`);
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

/** Registers a new player and waits until the smart wallet is stored. Returns the player's data. */
export async function register(page, from = "/kod-marketplace") {
  const name = `P${Math.random().toString(36).slice(2, 10)}`;
  const email = `${name.toLowerCase()}@example.org`;
  const password = "correct horse battery";
  await page.goto(`${base}/register?from=${encodeURIComponent(from)}`);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Password", { exact: true }).fill(password);
  // Spec: WALLET-6, WALLET-7
  const stored = page.waitForResponse((r) => r.url().endsWith("/api/smartWallet/create-smart-wallet"));
  await page.getByRole("button", { name: "Create account" }).click();
  const answer = await (await stored).json();
  assert.equal(answer.success, true, "the smart wallet was stored");
  const profile = await call(page, "GET", "/api/auth/profile");
  return { name, email, password, playFabId: profile.AccountInfo.PlayFabId, wallet: profile.smartWalletAddress };
}

/** Waits until the starter kit of the page's player has arrived. */
export async function starterKit(page) {
  await eventually("the starter kit arrives", async () => {
    const kit = { listArks: 1, listImmortals: 1, listPowerPacks: 1, listElderGods: 1, listPacks: 1, listPiggyBanks: 2, listPasses: 2 };
    const totals = await Promise.all(Object.keys(kit).map(async (list) => (await call(page, "GET", `/api/auth/nft/${list}`)).total));
    const { currencies } = await call(page, "GET", "/api/auth/currencies");
    return Object.values(kit).every((n, i) => totals[i] >= n) && currencies.gt > 0;
  });
}

/** Fills in the login that the page shows, and submits it. The form is visible shortly before it can be submitted. */
export async function signIn(page, { email, password }) {
  await ready(page, "Sign in");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
}

/** Waits until a form can be submitted, by its button. */
export async function ready(page, button) {
  await page.locator("main").getByRole("button", { name: button, exact: true }).and(page.locator(":enabled")).waitFor();
}

/** Makes an API call as the page's player, with the stored token. */
export async function call(page, method, path, body) {
  const token = await page.evaluate((key) => localStorage.getItem(key), `${slug}.token`);
  const response = await fetch(base + path, {
    method,
    headers: { Authorization: token, ...(body && { "Content-Type": "application/json" }) },
    body: body && JSON.stringify(body),
  });
  const text = await response.text();
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

let token;

/** Reads the market's API as a player of its own, made for that: it may be closed to visitors. */
export async function readMarket(path) {
  token ??= newReader();
  const response = await fetch(`${base}/api/marketplace/${path}`, { headers: { Authorization: await token } });
  assert.ok(response.ok, `${path}: ${response.status}`);
  return response.json();
}

async function newReader() {
  const name = `R${Math.random().toString(36).slice(2, 10)}`;
  const body = JSON.stringify({ email: `${name.toLowerCase()}@example.org`, displayName: name, password: "correct horse battery" });
  const response = await fetch(`${base}/api/auth/register`, { method: "POST", headers: { "Content-Type": "application/json" }, body });
  assert.equal(response.status, 201, "the reader's account is made");
  return (await response.json()).token;
}

/** Presses Tab, or Shift+Tab if the element is behind, until it has the focus: the only way to it without a mouse. */
export async function tabTo(page, locator, limit = 80) {
  await locator.waitFor();
  let key;
  for (let i = 0; i < limit; i++) {
    const way = await locator.evaluate((element) => {
      const { activeElement: from } = document;
      if (element === from) return "there";
      return from !== document.body && from.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING ? "Shift+Tab" : "Tab";
    });
    if (way === "there") return;
    key ??= way;
    await page.keyboard.press(key);
  }
  assert.fail(`Tab does not lead to ${locator}`);
}

/** Presses a button or follows a link, by keyboard. */
export async function press(page, locator) {
  await locator.and(page.locator(":enabled, a[href]")).waitFor();
  await tabTo(page, locator);
  await page.keyboard.press("Enter");
}

/** Injects a wallet like an extension does (EIP-6963): its key stays out of the page. */
export async function install(page, account, { chainId, name = "Hermes" }) {
  const wallet = { chainId, refuses: false, connected: false };
  await page.exposeFunction("askWallet", async (method, params) => {
    if (wallet.refuses) return { error: { code: 4001, message: "User rejected the request." } };
    switch (method) {
      case "eth_requestAccounts":
        wallet.connected = true;
        return { result: [account.address] };
      case "eth_accounts":
        return { result: wallet.connected ? [account.address] : [] };
      case "eth_chainId":
        return { result: `0x${wallet.chainId.toString(16)}` };
      case "wallet_switchEthereumChain":
        wallet.chainId = Number(params[0].chainId);
        return { result: null };
      case "personal_sign":
        return { result: await account.signMessage({ message: { raw: params[0] } }) };
    }
    return { error: { code: -32601, message: `no ${method}` } };
  });
  await page.addInitScript((walletName) => {
    const provider = {
      async request({ method, params }) {
        const { result, error } = await window.askWallet(method, params ?? []);
        if (error) throw Object.assign(new Error(error.message), error);
        return result;
      },
    };
    const info = {
      uuid: "350670db-19fa-4704-a166-e52e178b59d2",
      name: walletName,
      rdns: "example.hermes",
      icon: "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'><rect width='1' height='1' fill='orange'/></svg>",
    };
    const announce = () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider }) }));
    addEventListener("eip6963:requestProvider", announce);
    announce();
  }, name);
  return wallet;
}

/** Calls the chain directly. */
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

/** Base units of the market's currency as the pages format them. */
export function written(units) {
  const [whole, fraction] = [
    units / 1_000_000n,
    String(units % 1_000_000n)
      .padStart(6, "0")
      .slice(0, 4),
  ];
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

/** ERC-2981: the royalty of a sale at the price, by royaltyInfo(uint256,uint256). */
export async function royaltyOf(collection, tokenId, price) {
  const answer = await chain("eth_call", [{ to: collection, data: `0x2a55205a${word(tokenId)}${word(price)}` }, "latest"]);
  return BigInt(`0x${answer.slice(-64)}`);
}

/** Waits until an element has focus. Pages move focus asynchronously. */
export async function focused(what, locator) {
  await eventually(`${what} has the focus`, () => locator.evaluate((element) => element === document.activeElement));
}

/** Waits until the check returns true; for conditions without an event. */
export async function eventually(what, check, limit = 30_000) {
  const end = Date.now() + limit;
  while (!(await check())) {
    assert.ok(Date.now() < end, `${what}: not within ${limit} ms`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Asserts that axe finds nothing on the page in its current state. Running text must have the contrast of WCAG 2.2's
 * level AAA (1.4.6): paragraphs and list items, including emphasised text.
 */
export async function accessible(page, where) {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async (options) => (await window.axe.run(options)).violations, {
    resultTypes: ["violations"],
    rules: { "color-contrast-enhanced": { enabled: true } },
  });
  const found = violations.flatMap(({ id, nodes }) =>
    nodes
      .filter(({ html }) => id !== "color-contrast-enhanced" || /^<(p|li|strong|em)[ >]/.test(html))
      .map(({ html, any }) => `${id}: ${html} ${any[0]?.message ?? ""}`),
  );
  assert.deepEqual(found, [], `axe on ${where}`);
}

/**
 * Asserts that the page does not scroll sideways; names the elements that stick out. Chromium may apply the media
 * queries of a new width over several frames, so the page may settle first.
 */
export async function fits(page, where) {
  const widths = () => page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  await eventually(`${where} fits`, async () => {
    const [content, frame] = await widths();
    return content <= frame;
  }).catch(async (cause) => {
    const wide = await page.evaluate(() => {
      const width = document.documentElement.clientWidth;
      const out = [...document.querySelectorAll("body *")].filter((element) => element.getBoundingClientRect().right > width);
      return out.map((element) => element.cloneNode().outerHTML);
    });
    await shot(page, `too-wide-${where.replaceAll(/[^a-z]+/gi, "-")}`);
    assert.fail(`${cause.message} (${(await widths()).join(" in ")} px):\n${wide.slice(0, 10).join("\n")}`);
  });
}

/** Takes a screenshot, if a folder is given. */
export async function shot(page, name) {
  if (shots) await page.screenshot({ path: `${shots}/${name}.png` });
}

/** Presses "Try again" in an alert, and waits until it is gone. Pages retry every ten seconds too, so it may be gone before. */
export async function tryAgain(alert) {
  await alert
    .getByRole("button", { name: "Try again" })
    .click({ timeout: 15_000 })
    .catch(async (cause) => {
      if (await alert.isVisible()) throw cause;
    });
  await alert.waitFor({ state: "detached" });
}

/** The text of the newest email to an address with a subject, from the development mailbox. */
export async function emailTo(to, subject) {
  let found;
  await eventually(`an email "${subject}"`, async () => {
    const { items } = await (await fetch(`${base}/dev/mail`, { headers: { Accept: "application/json" } })).json();
    found = items.find((item) => item.to === to && item.subject === subject);
    return found !== undefined;
  });
  return found.text;
}

/** Approves, by the emailed code, what the page asks about. `subject` is the mail's. */
export async function approves(page, email, subject) {
  await page.getByText("It is good for this and nothing else.").waitFor();
  const code = /^ {4}(\d{8})$/m.exec(await emailTo(email, subject))?.[1];
  assert.ok(code, "the email has the code");
  await page.getByLabel("Code", { exact: true }).fill(code);
  await page.keyboard.press("Enter");
}
