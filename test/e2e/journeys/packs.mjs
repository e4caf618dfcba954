// KOD packs, on a phone and on a desktop: a player confirms their age once, buys packs from the shelf, opens one and sees
// what it held; opens twelve at once, and reloads in the middle.
import assert from "node:assert/strict";
import {
  accessible,
  at,
  base,
  call,
  desktop,
  eventually,
  fits,
  journey,
  phone,
  player,
  register,
  shot,
  start,
  unitsOf,
} from "./browser.mjs";

const market = `${base}/kod-marketplace`;
const browser = await start();
const { products } = await (await fetch(`${base}/api/marketplace/getProducts`)).json();
const [pack] = products;

/** Puts packs of the first kind into the cart, as many as one press can. */
async function hold(page, count) {
  const card = page.getByRole("article", { name: pack.name });
  const value = card.getByRole("status").nth(1);
  for (let now = Number(await value.textContent()); now !== count; now = Number(await value.textContent())) {
    await card.getByRole("button", { name: now < count ? "One more" : "One less" }).click();
  }
  await card.getByRole("button", { name: count > 1 ? `Buy ${count} × ${pack.name}` : `Buy ${pack.name}` }).click();
}

/** Pays for what is in the cart. */
async function pay(page) {
  await page.getByRole("article", { name: pack.name }).getByRole("link", { name: "Go to checkout" }).click();
  const button = page.getByRole("button", { name: /^Pay / });
  await eventually("the pay button", () => button.isEnabled());
  await button.click();
  await page.getByText("It is yours").waitFor({ timeout: 20_000 });
}

async function buyAndOpen(viewport) {
  const one = await player(browser, viewport, { allow: (response) => response.status() === 409 && response.url().endsWith("/addToCart") });
  const { page } = one;
  const { wallet } = await register(page);
  const on = at(page);
  const width = viewport.width;
  const has = () => unitsOf(pack.contract, wallet, pack.productId);
  await eventually("the starter kit's pack", async () => (await has()) === 1n);

  // Spec: PACK-3
  // The shelf.
  const card = page.getByRole("article", { name: pack.name });
  await card.getByText(/\d left/).waitFor();
  await fits(page, `the shelf ${on}`);
  await accessible(page, `the shelf ${on}`);
  await shot(page, `shelf-${width}`);

  // Spec: PACK-6
  // The first purchase asks for the age, and goes on by itself.
  await hold(page, 2);
  const age = page.getByRole("dialog", { name: "Are you 18 or older?" });
  await age.waitFor();
  await accessible(page, `the question for the age ${on}`);
  await shot(page, `age-${width}`);
  await age.getByRole("button", { name: "I am 18 or older" }).click();
  await card.getByText("2 in your cart").waitFor();
  assert.ok((await call(page, "GET", "/api/auth/packs/buyer")).ageConfirmedAt, "when the age was confirmed is kept");
  await shot(page, `held-packs-${width}`);
  await pay(page);
  await shot(page, `bought-packs-${width}`);
  await page.getByRole("link", { name: "Open it now" }).click();

  // Spec: PACK-1
  // One is opened.
  const mine = page.getByRole("article", { name: pack.name });
  await mine.getByText("You have 3").waitFor();
  await fits(page, `my packs ${on}`);
  await accessible(page, `my packs ${on}`);
  await shot(page, `my-packs-${width}`);
  await mine.getByRole("button", { name: `Open ${pack.name}`, exact: true }).click();
  await page.getByText("Hold the pack until the ring is full.").waitFor();
  await shot(page, `sealed-${width}`);
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByRole("heading", { name: "Your card" }).waitFor({ timeout: 30_000 });
  await fits(page, `an opened pack ${on}`);
  await accessible(page, `an opened pack ${on}`);
  await shot(page, `one-card-${width}`);
  assert.equal(await has(), 2n, "one pack is burned");
  const [opened] = (await call(page, "GET", "/api/auth/packs/openings")).items;
  await page.getByRole("heading", { name: opened.grants[0].name }).waitFor();
  assert.match(page.url(), new RegExp(`tx=${opened.txId}`, "i"), "the opening has an address");

  // Spec: PACK-4
  // Ten more, and all twelve at once.
  await page.goto(market);
  for (const held of [5, 10]) {
    await hold(page, 5);
    await card.getByText(`${held} in your cart`).waitFor();
  }
  await pay(page);
  await page.getByRole("link", { name: "Open it now" }).click();
  await mine.getByText("You have 12").waitFor();
  await mine.getByRole("button", { name: `Open 12 × ${pack.name}` }).click();
  await page.getByText("Hold the pack until the ring is full.").waitFor();
  // In the middle: the burn is in a block, and the packs are sealed.
  await page.waitForURL(/tx=0x/, { timeout: 20_000 });
  await shot(page, `twelve-waiting-${width}`);
  await page.reload();
  await page
    .getByRole("button", { name: "Skip" })
    .or(page.getByRole("heading", { name: "Your 12 cards" }))
    .waitFor({ timeout: 20_000 });
  await shot(page, `twelve-reloaded-${width}`);
  if (await page.getByRole("button", { name: "Skip" }).isVisible()) await page.getByRole("button", { name: "Skip" }).click();
  await page.getByRole("heading", { name: "Your 12 cards" }).waitFor({ timeout: 30_000 });
  assert.equal(await page.getByRole("link", { name: /^Verify this pull/ }).count(), 12, "each card has its receipt");
  await fits(page, `twelve opened packs ${on}`);
  await shot(page, `twelve-cards-${width}`);
  assert.equal(await has(), 0n, "all packs are burned");

  // Spec: PACK-9
  // They stay to be looked at, also for a page that was closed.
  await page.goto(`${market}/packs`);
  await page.getByRole("heading", { name: "Opened packs" }).waitFor();
  await eventually("thirteen openings", async () => (await page.getByRole("link", { name: "Verify this pull" }).count()) === 13);
  await eventually(
    "the drops are the player's",
    async () => (await call(page, "GET", "/api/auth/packs/openings")).items.every(({ state }) => state === "done"),
    60_000,
  );
  await fits(page, `past openings ${on}`);
  await accessible(page, `past openings ${on}`);
  await shot(page, `past-openings-${width}`);
  await page.getByRole("link", { name: "See the opening" }).last().click();
  await page.getByRole("heading", { name: "Your card" }).waitFor();
  assert.deepEqual(one.faults, [], `what went wrong in the browser ${on}`);
}

await journey(browser, async () => {
  await Promise.all([buyAndOpen(phone), buyAndOpen(desktop)]);
});
