// What each of a player's own pages, and a leaderboard, says if its data does not load: when nothing responds, when
// the server fails, and when the response is invalid; on a phone and on a desktop.
import assert from "node:assert/strict";
import { accessible, base, desktop, fits, journey, phone, player, register, start, tryAgain } from "./browser.mjs";

/** The ways in which a call fails. Invalid responses come, for example, from a captive portal. */
const failures = [
  { how: "nothing answers", viewport: phone, fails: (route) => route.abort(), says: "The server does not answer." },
  {
    how: "the server fails",
    viewport: desktop,
    fails: (route) => route.fulfill({ status: 500, contentType: "text/plain", body: "oops" }),
    says: "The server could not do this.",
  },
  {
    how: "the answer makes no sense",
    viewport: phone,
    fails: (route) => route.fulfill({ status: 200, contentType: "text/html", body: "<h1>Welcome to our hotel" }),
    says: "The server could not do this.",
  },
];

/** Pages, the calls that fail there, what the page then says, and a text of the page once it has loaded. */
const parts = [
  ["/portal/my-inventory", "**/api/auth/{nft/*,currencies}", "What you own did not load", "Spark Power Pack"],
  ["/portal/money", "**/api/auth/money", "Your money did not load", "In and out"],
  ["/portal/money", "**/api/auth/money/movements*", "What went in and out did not load", "Gift or reward"],
  ["/portal/my-immortals", "**/api/auth/nft/listImmortals*", "Your immortals did not load", "Calling"],
  ["/portal/power-pack", "**/api/auth/nft/listPowerPacks*", "How many you own did not load", "You own 1."],
  ["/shipwright/account/arks", "**/api/auth/nft/listArks*", "Your arks did not load", "Cedar Ark"],
  ["/shipwright/account/arks", "**/api/arks/config", "The tariff did not load", "Version 1 of the tariff"],
  ["/shipwright/account/followers", "**/api/auth/currencies", "Your followers did not load", "Total"],
  ["/shipwright/account/tokens", "**/api/auth/currencies", "Your tokens did not load", "Total"],
  ["/portal/my-games", "**/api/auth/games", "Your games did not load", "Immortal Siege"],
  ["/portal/edit/achievements", "**/api/auth/achievements", "Your achievements did not load", "A god in the house"],
  ["/portal/edit/activity", "**/api/auth/activity*", "Your activity did not load", "Signed in"],
  ["/kod-leaderboard", "**/api/leaderboards/**", "The leaderboard did not load", "You"],
];
/** How many windows share the pages of a failure: most of the time they wait until calls have been retried. */
const windows = 2;

const browser = await start();
await journey(browser, async () => {
  const { page, context } = await player(browser, desktop);
  await register(page);
  // The welcome gift has arrived when this page shows it.
  await page.goto(`${base}/portal/power-pack`);
  await page.getByText("You own 1.").waitFor();
  const state = await context.storageState();
  await context.close();
  const all = failures.flatMap((failure) => {
    const left = parts.values();
    return Array.from({ length: windows }, () => sayWhatDidNotLoad(state, failure, left));
  });
  const done = await Promise.allSettled(all);
  for (const { reason } of done) if (reason) throw reason;
});

/** Pages whose data does not load say so, do not look empty, and load on a retry. */
// Spec: UI-12
async function sayWhatDidNotLoad(storageState, { how, viewport, fails, says }, pages) {
  const { page, context, faults } = await player(browser, viewport, {
    storageState,
    allow: (response) => response.status() === 500,
    ignore: /^net::ERR_FAILED/,
  });
  for (const [path, calls, title, whole] of pages) {
    const where = `${path} when ${how}`;
    await page.route(calls, fails);
    await page.goto(base + path);
    const alert = page.getByRole("alert").filter({ hasText: title });
    await alert.waitFor().catch(async () => assert.fail(`${where} it says: ${await page.locator("body").innerText()}`));
    await alert.getByText(says).waitFor();
    await accessible(page, where);
    await fits(page, where);
    await page.unroute(calls);
    await tryAgain(alert);
    await page.locator("main").getByText(whole).first().waitFor();
    assert.deepEqual(faults, [], where);
  }
  await context.close();
}
