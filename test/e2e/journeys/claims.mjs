// Claims: a visitor is led to the sign-in; a newcomer claims the vault of the god from the starter kit and the season
// avatar, each once, and sees them arrive. The vault page is looked at on a phone and on a desktop. A second player has
// nothing of it.
import assert from "node:assert/strict";
import {
  accessible,
  at,
  balanceOf,
  base,
  call,
  desktop,
  eventually,
  fits,
  journey,
  ownerOf,
  phone,
  player,
  press,
  register,
  shot,
  start,
  starterKit,
} from "./browser.mjs";

const page = "/vault/claim";
const { contracts } = await (await fetch(`${base}/api/config`)).json();
const ether = 10n ** 18n;

const browser = await start();
await journey(browser, async () => {
  await leadsVisitorsToTheSignIn();
  const large = await player(browser, desktop);
  const me = await register(large.page);
  await starterKit(large.page);
  const small = await player(browser, phone, { storageState: await large.context.storageState() });
  await claimsTheVault(large.page, small.page, me, large.messages);
  await claimsTheAvatar(large, me);
  await marksNewItems(large.page, small.page);
  assert.deepEqual([...large.faults, ...small.faults], []);
  await isClaimedOnce(large.page, me);
  await isTheOwners(me, large.page);
});

async function leadsVisitorsToTheSignIn() {
  for (const size of [phone, desktop]) {
    const { page: visitor, faults } = await player(browser, size);
    await visitor.goto(base + page);
    const link = visitor.locator("main").getByRole("link", { name: "Sign in" });
    await link.waitFor();
    await link.scrollIntoViewIfNeeded();
    await accessible(visitor, `the vaults of a visitor ${at(visitor)}`);
    await fits(visitor, `the vaults of a visitor ${at(visitor)}`);
    await shot(visitor, `claims_visitor-${size.width}`);
    assert.match(await link.getAttribute("href"), /\/login\?from=%2Fvault%2Fclaim$/);
    assert.deepEqual(faults, []);
    await visitor.context().close();
  }
}

/** Both windows show the vault; the claim in one arrives in the other. */
// Spec: CLAIM-2
async function claimsTheVault(large, small, me, messages) {
  const both = [large, small];
  const before = await balanceOf(contracts.god, me.wallet);
  const {
    gods: [god],
  } = await call(large, "GET", "/api/auth/vault");
  assert.equal(god.state, "eligible");
  for (const window of both) {
    await window.goto(base + page);
    await window.getByRole("heading", { name: "Your vaults" }).scrollIntoViewIfNeeded();
    await window.getByRole("button", { name: /^Claim the vault of/ }).waitFor();
    await accessible(window, `the vaults ${at(window)}`);
    await fits(window, `the vaults ${at(window)}`);
    await shot(window, `claims_vaults-${window.viewportSize().width}`);
  }
  await press(large, large.getByRole("button", { name: /^Claim the vault of/ }));
  for (const window of both) {
    const row = window.getByRole("listitem").filter({ has: window.getByRole("link", { name: god.metadata.name }) });
    await row.getByText("Claimed", { exact: true }).waitFor();
    await row.getByText(/^Opens again on/).waitFor();
    await accessible(window, `a claimed vault ${at(window)}`);
    await shot(window, `claims_claimed-${window.viewportSize().width}`);
  }
  assert.ok(messages.includes("reward/update"), "the claim was followed by messages");
  const [whole, fraction = ""] = god.amount.split(".");
  const amount = BigInt(whole + fraction.padEnd(18, "0"));
  assert.equal((await balanceOf(contracts.god, me.wallet)) - before, amount, "the GOD is in the wallet");
  const shown = large.getByText("In your wallet").locator("..");
  await shown.getByText(`${amount / ether}.`, { exact: false }).waitFor();
}

// Spec: LIVE-18, CLAIM-3
async function claimsTheAvatar({ page: large, messages }, me) {
  await large.goto(`${base}/portal/my-inventory`);
  const claim = large.getByRole("button", { name: "Claim your avatar" });
  await claim.waitFor();
  await accessible(large, "an avatar to claim");
  await shot(large, "claims_avatar");
  await press(large, claim);
  await large.getByText("It is yours.").waitFor();
  await shot(large, "claims_avatar-claimed");
  await eventually("the message of the specification arrives", () => messages.includes("avatar-pack-claim/claimed"));
  const {
    items: [reward],
  } = await call(large, "GET", "/api/auth/rewards?origin=avatar");
  assert.equal(await ownerOf(contracts.seasonAvatarsCollection, reward.tokenId), me.wallet.toLowerCase());
  await eventually("the avatar is among the others", async () =>
    (await call(large, "GET", "/api/auth/nft/listAvatars")).items.some(({ tokenId }) => tokenId === reward.tokenId),
  );
  await large.reload();
  await large.getByRole("heading", { name: "Avatars" }).waitFor();
  assert.equal(await large.getByText("Your season avatar").count(), 0);
}

/** What is seen on one device is not new on another. */
// Spec: ITEM-7
async function marksNewItems(large, small) {
  const { newItems } = await call(large, "GET", "/api/auth/nft/listGameItems");
  assert.deepEqual(newItems, [], "a newcomer has no game item");
  await call(large, "POST", "/api/auth/nft/gameItems/seen");
  await small.goto(`${base}/portal/my-inventory`);
  await small.locator("main article").first().waitFor();
  assert.equal(await small.getByText("New", { exact: true }).count(), 0);
  await fits(small, `the inventory ${at(small)}`);
}

/** A call that is to be refused: its status and reason. */
async function refused(window, path, body) {
  const token = await window.evaluate(() => localStorage.getItem("pantheon.token"));
  const response = await fetch(base + path, {
    method: "POST",
    headers: { Authorization: token, ...(body && { "Content-Type": "application/json" }) },
    body: body && JSON.stringify(body),
  });
  const { reason, message } = await response.json();
  assert.ok(message);
  return `${response.status} ${reason}`;
}

// Spec: CLAIM-1, CLAIM-2
async function isClaimedOnce(large, me) {
  const {
    gods: [god],
    season,
    next,
  } = await call(large, "GET", "/api/auth/vault");
  assert.ok(season && next);
  assert.equal(await refused(large, "/api/auth/vault/claim", { tokenId: god.tokenId }), "409 claimed");
  assert.equal(await refused(large, "/api/auth/marketplace/avatar/claim"), "409 claimed");
  const check = await call(large, "POST", "/api/auth/marketplace/avatar/avatarClaimCheck", { walletAddress: me.wallet });
  assert.deepEqual(check, { success: true, claimed: true, claimable: false });
}

async function isTheOwners(me, large) {
  const {
    gods: [god],
  } = await call(large, "GET", "/api/auth/vault");
  const other = await player(browser, desktop, { allow: (r) => r.status() === 403 });
  await register(other.page);
  assert.equal(await refused(other.page, "/api/auth/vault/claim", { tokenId: god.tokenId }), "403 not-yours");
  const check = await call(other.page, "POST", "/api/auth/marketplace/avatar/avatarClaimCheck", { walletAddress: me.wallet });
  assert.deepEqual(check, { success: true, claimed: true, claimable: false }); // public on the chain
}
