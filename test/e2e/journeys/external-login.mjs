// Players who come from elsewhere, on a phone and on a desktop: by a one-time link from the game; by X; and with an
// external wallet, whose tokens are then listed with the rest.
import assert from "node:assert/strict";
import { keccak256, toHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import {
  accessible,
  approves,
  base,
  call,
  desktop,
  eventually,
  fits,
  install,
  journey,
  phone,
  player,
  register,
  shot,
  signIn,
  start,
} from "./browser.mjs";

const x = process.env.X_URL;
const game = process.env.GAME_URL;
assert.ok(x && game, "X_URL and GAME_URL must be the addresses of the stand-ins");

/** A link as the game's server makes it. */
const link = async (id, page) => (await (await fetch(`${game}/?player=${id}&page=${encodeURIComponent(page)}`)).text()).trim();
const atX = (id, username, denies = false) => fetch(`${x}/person?id=${id}&username=${username}&denies=${denies}`, { method: "POST" });

/** Checks the page, and a part of it. */
async function look(page, name, part) {
  const { width } = page.viewportSize();
  await part?.scrollIntoViewIfNeeded();
  await accessible(page, `${name} at ${width}`);
  await fits(page, `${name} at ${width}`);
  await shot(page, `${name}-${width}`);
}

const refusals = (response) => [401, 409].includes(response.status()) && /\/api\/(proxy\/)?auth\//.test(response.url());

const browser = await start();
await journey(browser, async () => {
  for (const [i, viewport] of [desktop, phone].entries()) {
    await byLink(viewport);
    const athena = await byX(viewport, { id: `4419639${i}`, username: `athena_of_x_${i}` });
    await withAWallet(viewport, privateKeyToAccount(keccak256(toHex(`pantheon development seller ${i + 1}`))), athena);
  }
});

/** A player registers at the portal, plays, and comes back by a link from the game, in another browser. */
// Spec: SESSION-9, ACCOUNT-8
async function byLink(viewport) {
  const home = await player(browser, viewport);
  const anna = await register(home.page);
  assert.deepEqual(home.faults, []);

  const away = await player(browser, viewport, { allow: refusals });
  const once = await link(anna.playFabId, "/portal/my-inventory");
  await away.page.goto(`${once}&utm_source=game&gclid=7`);
  await away.page.getByRole("main").getByText(anna.name).waitFor();
  const address = new URL(away.page.url());
  assert.equal(address.pathname + address.search, "/portal/my-inventory?utm_source=game&gclid=7", "the context is out of the address");
  assert.equal((await call(away.page, "GET", "/api/auth/profile")).AccountInfo.PlayFabId, anna.playFabId);
  const kept = await away.page.evaluate(() => localStorage.getItem("pantheon.marketing"));
  assert.deepEqual(JSON.parse(kept), { utm_source: "game", gclid: "7" });

  // Signing out also deletes the marketing parameters; the link is used up and leads to the login.
  await away.page.getByRole("button", { name: "Sign out" }).first().click();
  await away.page.waitForURL(`${base}/`);
  assert.equal(await away.page.evaluate(() => localStorage.getItem("pantheon.marketing")), null);
  await away.page.goto(once);
  await away.page.getByText("The link from the game did not sign you in").waitFor();
  assert.equal(new URL(away.page.url()).pathname, "/login");
  assert.equal(new URL(away.page.url()).searchParams.get("from"), "/portal/my-inventory");
  await away.page.getByRole("button", { name: "Continue with X" }).waitFor();
  await look(away.page, "login-after-link");
  // After signing in by email the player gets to the link's destination.
  await signIn(away.page, anna);
  await away.page.getByRole("main").getByText(anna.name).waitFor();
  assert.equal(new URL(away.page.url()).pathname, "/portal/my-inventory");
  assert.deepEqual(away.faults, [], `what went wrong after the link at ${viewport.width} px`);
  await home.context.close();
  await away.context.close();
}

/**
 * By X: the first time creates an account, the second time uses the same one. Returns a browser in which it is signed
 * in.
 */
// Spec: ACCOUNT-11
async function byX(viewport, { id, username }) {
  const enterByX = async () => {
    const visitor = await player(browser, viewport, { allow: refusals });
    await visitor.page.goto(`${base}/register?from=${encodeURIComponent("/portal/my-inventory")}`);
    await visitor.page.getByRole("button", { name: "Continue with X" }).click();
    return visitor;
  };
  await atX(id, username);
  const first = await enterByX();
  await first.page.getByRole("main").getByText(username).waitFor();
  assert.equal(new URL(first.page.url()).pathname, "/portal/my-inventory");
  const athena = (await call(first.page, "GET", "/api/auth/profile")).AccountInfo;
  assert.equal(athena.PrivateInfo.Email, "");
  const again = await enterByX();
  await again.page.getByRole("main").getByText(username).waitFor();
  assert.equal((await call(again.page, "GET", "/api/auth/profile")).AccountInfo.PlayFabId, athena.PlayFabId);

  // After a denial at X the page says that nothing happened, and offers to try again.
  await atX(id, username, true);
  const denied = await enterByX();
  await denied.page.getByText("You said no at X, so nobody was signed in.").waitFor();
  await denied.page.getByRole("button", { name: "Continue with X" }).waitFor();
  assert.equal(new URL(denied.page.url()).searchParams.get("error"), null);
  await look(denied.page, "x-denied");
  await atX(id, username);
  await denied.page.getByRole("button", { name: "Continue with X" }).click();
  await denied.page.getByRole("main").getByText(username).waitFor();

  // A redirect from X is invalid in another browser.
  const stranger = await player(browser, viewport, { allow: refusals });
  await stranger.page.goto(`${base}/auth/callback/twitter?code=stolen&state=stolen`);
  await stranger.page.getByText("has to begin and end in the same window").waitFor();
  await look(stranger.page, "x-stolen");
  assert.equal(await stranger.page.evaluate(() => localStorage.getItem("pantheon.token")), null);
  for (const { faults } of [first, again, denied, stranger])
    assert.deepEqual(faults, [], `what went wrong on the way by X at ${viewport.width} px`);
  for (const { context } of [again, denied, stranger]) await context.close();
  return first;
}

/** An external wallet: a demo seller's, which owns tokens. `other` is another player. */
// Spec: ACCOUNT-7, WALLET-18
async function withAWallet(viewport, seller, other) {
  const config = await (await fetch(`${base}/api/config`)).json();
  const owner = await player(browser, viewport, { allow: refusals });
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
  await approves(owner.page, ben.email, "Your code for connecting a wallet");
  await section.getByTitle(seller.address).waitFor();
  assert.equal(wallet.chainId, config.gameChain.id, "the wallet was asked to switch to the game chain");
  const profile = await call(owner.page, "GET", "/api/auth/profile");
  assert.equal(profile.userVerifiedWallet.walletAddress, seller.address);
  assert.equal(profile.AccountInfo.PlayFabId, ben.playFabId);
  await owner.page.getByText("in your own wallet").first().waitFor();
  await look(owner.page, "own-wallet-connected", section);

  // No other player can connect it.
  const { message } = await call(other.page, "POST", "/api/auth/wallet/challenge", {
    address: seller.address,
    chainId: config.gameChain.id,
  });
  const taken = await fetch(`${base}/api/auth/wallet/verify`, {
    method: "POST",
    headers: { Authorization: await other.page.evaluate(() => localStorage.getItem("pantheon.token")), "Content-Type": "application/json" },
    body: JSON.stringify({ message, signature: await seller.signMessage({ message }) }),
  });
  assert.equal(taken.status, 409, "another player cannot have the same wallet");

  // Spec: WALLET-14
  // On the marketplace it is asked to switch to the game chain, elsewhere it is left alone.
  wallet.chainId = 1;
  await owner.page.goto(`${base}/kod-marketplace`);
  await eventually("the wallet is on the game chain", async () => wallet.chainId === config.gameChain.id);
  wallet.chainId = 1;
  await owner.page.goto(`${base}/portal/my-inventory`);
  await section.getByTitle(seller.address).waitFor();
  assert.equal(wallet.chainId, 1, "the wallet was asked to switch on a page of the portal");

  // Spec: WALLET-16, WALLET-19
  // It stays after a reload, and is removed once the player approves it; the player stays signed in.
  await owner.page.reload();
  await section.getByTitle(seller.address).waitFor();
  await section.getByRole("button", { name: "Disconnect" }).click();
  await approves(owner.page, ben.email, "Your code for disconnecting your wallet");
  await section.getByRole("button", { name: "Connect Hermes" }).waitFor();
  await eventually("what it held is gone", async () => (await owner.page.getByText("in your own wallet").count()) === 0);
  await owner.page.getByRole("main").getByText(ben.name).waitFor();
  assert.equal((await call(owner.page, "GET", "/api/auth/profile")).userVerifiedWallet, undefined);
  assert.deepEqual(owner.faults, [], `what went wrong with the wallet at ${viewport.width} px`);
  await owner.context.close();
  await other.context.close();
}
