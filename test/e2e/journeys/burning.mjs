// What is made to be broken: both piggy banks, an ark and a power pack, on a phone and on a desktop. Each is chosen,
// confirmed and burned on its chain without gas; what it gives is as the tariff said, and still there after a reload.
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
  starterKit,
  tabTo,
} from "./browser.mjs";

const browser = await start();
await journey(browser, async () => {
  await Promise.all([phone, desktop].map(breaksEverything));
});

// Spec: LIVE-14, LIVE-15, WALLET-22, BURN-1, BURN-6
async function breaksEverything(size) {
  const { page, faults, messages } = await player(browser, size);
  await register(page);
  await starterKit(page);
  const before = await currencies(page);
  const received = (channel) => messages.filter((message) => message.startsWith(channel)).length;

  await page.goto(`${base}/portal/my-inventory`);
  await keeps(page);
  await breaks(page, "Break 2 piggy banks", "Break them", "2 piggy banks broken: 300 fate", () => received("piggy-bank/") === 2);
  assert.deepEqual(await gained(page, before), { fa: 300 });
  await eventually("they are gone", async () => (await held(page, "listPiggyBanks")) === 0);

  await page.goto(`${base}/shipwright/account/arks`);
  await breaks(
    page,
    "Break up 1 ark",
    "Break it up",
    "1 ark broken up: 12 Deckhands, 3 Drummers, 9 Gate tokens, 2 Night tokens",
    () => received("ark/") === 1,
  );
  await page.getByRole("navigation", { name: "Your account" }).getByRole("link", { name: "Followers" }).click();
  await page.getByText("75", { exact: true }).waitFor(); // 60 of the starter kit and 15
  await page.goto(`${base}/shipwright/account/arks`);
  await page.getByRole("heading", { name: "What your arks gave" }).waitFor(); // from the server
  await page.getByText("12 Deckhands, 3 Drummers, 9 Gate tokens, 2 Night tokens").last().waitFor();

  await page.goto(`${base}/portal/power-pack`);
  await breaks(page, "Open 1 power pack", "Open it", "1 power pack opened: 100 InfiniGold, 20 nectar");
  assert.deepEqual(await gained(page, before), { fa: 300, d0: 12, d1: 3, gt: 9, nt: 2, ig: 100, ne: 20 });
  await eventually("it is gone", async () => (await held(page, "listPowerPacks")) === 0);

  const told = messages.filter((message) => /^(piggy-bank|ark)\//.test(message));
  assert.deepEqual(
    told.map((message) => message.replace(/0x[0-9a-f]{64}$/, "its transaction")),
    ["piggy-bank/burn", "piggy-bank/burn", "ark/its transaction"],
  );
  assert.deepEqual(faults, []);
}

/** Nothing is burned by a player who thinks better of it; by keyboard. */
async function keeps(page) {
  const more = page.getByRole("group", { name: "VIP Piggy Bank: how many" }).getByRole("button", { name: "One more" });
  await more.waitFor();
  await tabTo(page, more, 200);
  await page.keyboard.press("Enter");
  await page.getByText("Gives 250 fate").waitFor();
  await tabTo(page, page.getByRole("button", { name: "Break 1 piggy bank" }));
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Break 1 piggy bank?" });
  await dialog.getByText("This cannot be undone.").waitFor();
  await accessible(page, `the question before it breaks ${at(page)}`);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  assert.equal(await held(page, "listPiggyBanks"), 2);
}

/**
 * Burns all that the page offers, and waits until the reward and its messages have arrived; then looks at it once more after a
 * reload.
 */
// Spec: BURN-7
async function breaks(page, button, confirm, result, hasMessages = () => true) {
  await page.getByRole("button", { name: "Choose all" }).click();
  await page.getByRole("button", { name: button, exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: confirm }).click();
  const heading = page.getByRole("heading", { name: result });
  await heading.waitFor();
  await page.locator("[data-burning] h2").getByText("Yours", { exact: true }).waitFor();
  await eventually(`its messages ${at(page)}`, hasMessages);
  await accessible(page, `${result} ${at(page)}`);
  await fits(page, `${result} ${at(page)}`);
  await shot(page, `${button.toLowerCase().replaceAll(" ", "-")}-${page.viewportSize().width}`);
  await page.reload();
  await heading.waitFor();
  assert.equal(await page.getByRole("button", { name: "Skip" }).count(), 0, "the scene is not played again");
  await page.getByRole("button", { name: "Done" }).click();
  await heading.waitFor({ state: "detached" });
}

async function currencies(page) {
  return (await call(page, "GET", "/api/auth/currencies")).currencies;
}

async function held(page, list) {
  return (await call(page, "GET", `/api/auth/nft/${list}`)).total;
}

/** What the player has more of than before, by currency. */
async function gained(page, before) {
  const now = await currencies(page);
  return Object.fromEntries(
    Object.keys(now).flatMap((code) => (now[code] !== (before[code] ?? 0) ? [[code, now[code] - (before[code] ?? 0)]] : [])),
  );
}
