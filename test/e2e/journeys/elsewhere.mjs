// Players who come from elsewhere: by a link from the game, once; by X; and with a wallet of their own, whose things they
// then see with the rest.
import assert from "node:assert/strict";
import { keccak256, toHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { accessible, base, call, desktop, eventually, fits, phone, player, register, shot, start } from "./browser.mjs";

const x = process.env.X_URL;
const game = process.env.GAME_URL;
assert.ok(x && game, "X_URL and GAME_URL must be the addresses of the stand-ins");

/** A link as the game's server makes it. */
const link = async (id, page) => (await (await fetch(`${game}/?player=${id}&page=${encodeURIComponent(page)}`)).text()).trim();
const atX = (id, username, denies = false) => fetch(`${x}/person?id=${id}&username=${username}&denies=${denies}`, { method: "POST" });

/** Looks at the page, and at a part of it, on a phone and on a desktop. */
async function look(page, name, part) {
  for (const viewport of [phone, desktop]) {
    await page.setViewportSize(viewport);
    await part?.scrollIntoViewIfNeeded();
    await accessible(page, `${name} at ${viewport.width}`);
    await fits(page, `${name} at ${viewport.width}`);
    await shot(page, `${name}-${viewport.width}`);
  }
}

const refusals = (response) => [401, 409].includes(response.status()) && /\/api\/(proxy\/)?auth\//.test(response.url());

/** A wallet as an extension puts it into every page (EIP-6963): its key stays out of the page. */
async function install(page, account, { chainId, name = "Hermes" }) {
  const wallet = { chainId, refuses: false };
  await page.exposeFunction("askWallet", async (method, params) => {
    if (wallet.refuses) return { error: { code: 4001, message: "User rejected the request." } };
    switch (method) {
      case "eth_requestAccounts":
        return { result: [account.address] };
      case "eth_chainId":
        return { result: toHex(wallet.chainId) };
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
    const info = { uuid: "350670db-19fa-4704-a166-e52e178b59d2", name: walletName, rdns: "example.hermes", icon: "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'><rect width='1' height='1' fill='orange'/></svg>" };
    const announce = () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider }) }));
    addEventListener("eip6963:requestProvider", announce);
    announce();
  }, name);
  return wallet;
}

const browser = await start();
try {
  // Somebody registers at the portal, plays, and comes back by a link from the game, in another browser.
  const home = await player(browser, desktop);
  const anna = await register(home.page);
  assert.deepEqual(home.faults, []);

  const away = await player(browser, phone, refusals);
  const once = await link(anna.playFabId, "/portal/my-inventory");
  await away.page.goto(`${once}&utm_source=game&gclid=7`);
  await away.page.getByRole("heading", { name: anna.name }).waitFor();
  const address = new URL(away.page.url());
  assert.equal(address.pathname + address.search, "/portal/my-inventory?utm_source=game&gclid=7", "the context is out of the address");
  assert.equal((await call(away.page, "GET", "/api/auth/profile")).AccountInfo.PlayFabId, anna.playFabId);
  const kept = await away.page.evaluate(() => localStorage.getItem("pantheon.marketing"));
  assert.deepEqual(JSON.parse(kept), { utm_source: "game", gclid: "7" });

  // Signing out forgets the marketing parameters, too; the link is worth nothing any more and leads to the login.
  await away.page.getByRole("button", { name: "Sign out" }).first().click();
  await away.page.waitForURL(`${base}/`);
  assert.equal(await away.page.evaluate(() => localStorage.getItem("pantheon.marketing")), null);
  await away.page.goto(once);
  await away.page.getByText("The link from the game did not sign you in").waitFor();
  assert.equal(new URL(away.page.url()).pathname, "/login");
  assert.equal(new URL(away.page.url()).searchParams.get("from"), "/portal/my-inventory");
  await away.page.getByRole("button", { name: "Continue with X" }).waitFor();
  await look(away.page, "login-after-link");
  // By e-mail she gets where the link was for.
  await away.page.getByLabel("E-mail").fill(anna.email);
  await away.page.getByLabel("Password", { exact: true }).fill(anna.password);
  await away.page.keyboard.press("Enter");
  await away.page.getByRole("heading", { name: anna.name }).waitFor();
  assert.equal(new URL(away.page.url()).pathname, "/portal/my-inventory");
  assert.deepEqual(away.faults, [], "what went wrong after the link");

  // By X: the first time there is an account, the second time it is the same one.
  const enterByX = async (from = "/portal/my-inventory") => {
    const visitor = await player(browser, desktop, refusals);
    await visitor.page.goto(`${base}/register?from=${encodeURIComponent(from)}`);
    await visitor.page.getByRole("button", { name: "Continue with X" }).click();
    return visitor;
  };
  await atX("44196397", "athena_of_x");
  const first = await enterByX();
  await first.page.getByRole("heading", { name: "athena_of_x" }).waitFor();
  assert.equal(new URL(first.page.url()).pathname, "/portal/my-inventory");
  const athena = (await call(first.page, "GET", "/api/auth/profile")).AccountInfo;
  assert.equal(athena.PrivateInfo.Email, "");
  const again = await enterByX();
  await again.page.getByRole("heading", { name: "athena_of_x" }).waitFor();
  assert.equal((await call(again.page, "GET", "/api/auth/profile")).AccountInfo.PlayFabId, athena.PlayFabId);

  // Who says no at X is told that nothing happened, and can try again.
  await atX("44196397", "athena_of_x", true);
  const denied = await enterByX();
  await denied.page.getByText("You said no at X, so nobody was signed in.").waitFor();
  await denied.page.getByRole("button", { name: "Continue with X" }).waitFor();
  assert.equal(new URL(denied.page.url()).searchParams.get("error"), null);
  await look(denied.page, "x-denied");
  await atX("44196397", "athena_of_x");
  await denied.page.getByRole("button", { name: "Continue with X" }).click();
  await denied.page.getByRole("heading", { name: "athena_of_x" }).waitFor();

  // An answer of X that somebody else's window gets is worth nothing there.
  const stranger = await player(browser, desktop, refusals);
  await stranger.page.goto(`${base}/auth/callback/twitter?code=stolen&state=stolen`);
  await stranger.page.getByText("has to begin and end in the same window").waitFor();
  assert.equal(await stranger.page.evaluate(() => localStorage.getItem("pantheon.token")), null);
  for (const { faults } of [first, again, denied, stranger]) assert.deepEqual(faults, [], "what went wrong on the way by X");

  // A wallet of one's own: that of a demo seller, who owns things.
  const config = await (await fetch(`${base}/api/config`)).json();
  const seller = privateKeyToAccount(keccak256(toHex("pantheon development seller 1")));
  const owner = await player(browser, desktop, refusals);
  const wallet = await install(owner.page, seller, { chainId: 1 });
  const ben = await register(owner.page);
  await owner.page.goto(`${base}/portal/my-inventory`);
  const section = owner.page.getByRole("region", { name: "Your own wallet" });
  await look(owner.page, "own-wallet-offered", section);

  wallet.refuses = true;
  await section.getByRole("button", { name: "Connect Hermes" }).click();
  await section.getByText("You said no in your wallet").waitFor();
  wallet.refuses = false;
  await section.getByRole("button", { name: "Connect Hermes" }).focus();
  await owner.page.keyboard.press("Enter");
  await section.getByTitle(seller.address).waitFor();
  assert.equal(wallet.chainId, config.gameChain.id, "the wallet was asked to switch to the game chain");
  const profile = await call(owner.page, "GET", "/api/auth/profile");
  assert.equal(profile.userVerifiedWallet.walletAddress, seller.address);
  assert.equal(profile.AccountInfo.PlayFabId, ben.playFabId);
  await owner.page.getByText("in your own wallet").first().waitFor();
  await look(owner.page, "own-wallet-connected", section);

  // Nobody else can have it.
  const { message } = await call(first.page, "POST", "/api/auth/wallet/challenge", { address: seller.address, chainId: config.gameChain.id });
  const taken = await fetch(`${base}/api/auth/wallet/verify`, {
    method: "POST",
    headers: { Authorization: await first.page.evaluate(() => localStorage.getItem("pantheon.token")), "Content-Type": "application/json" },
    body: JSON.stringify({ message, signature: await seller.signMessage({ message }) }),
  });
  assert.equal(taken.status, 409, "another player cannot have the same wallet");

  // It stays through a reload, and goes with one press; the player stays signed in.
  await owner.page.reload();
  await section.getByTitle(seller.address).waitFor();
  await section.getByRole("button", { name: "Disconnect" }).click();
  await section.getByRole("button", { name: "Connect Hermes" }).waitFor();
  await eventually("what it held is gone", async () => (await owner.page.getByText("in your own wallet").count()) === 0);
  await owner.page.getByRole("heading", { name: ben.name }).waitFor();
  assert.equal((await call(owner.page, "GET", "/api/auth/profile")).userVerifiedWallet, undefined);
  assert.deepEqual(owner.faults, [], "what went wrong with the wallet");
} finally {
  await browser.close();
}
