// Closed pages, on a phone, a tablet and a desktop: the market while it is switched off, for visitors and players,
// and the whole site for visitors from a forbidden country.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
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
  tablet,
} from "./browser.mjs";
import { closed, own, unlisted } from "./routes.mjs";

/** The site's flags file, with the market closed; and the header in which its proxy reports the country. */
const { FLAGS_FILE: flags, COUNTRY_HEADER: header } = process.env;
assert.ok(flags && header, "FLAGS_FILE must be the site's flags, and COUNTRY_HEADER the header of its proxy");

const widths = [phone, tablet, desktop];
const [maintenance] = closed.keys();
const gates = "/unauthorized-country";

const browser = await start();
await journey(browser, async () => {
  const member = await player(browser, phone);
  await register(member.page, "/kod-marketplace/create-smart-wallet");
  const storageState = await member.context.storageState();
  for (const state of [undefined, storageState]) await Promise.all(widths.map((viewport) => findsTheMarketClosed(viewport, state)));
  await Promise.all(widths.map(comesFromAForbiddenCountry));
  await opensAgain(member);
});

/** Every page of the market redirects to the one that says why it is closed, which itself stays open. */
// Spec: PAGE-7, FLAG-4
async function findsTheMarketClosed(viewport, storageState) {
  const { page, context, faults } = await player(browser, viewport, { storageState });
  for (const path of ["/kod-marketplace", "/kod-marketplace/marketplace/checkout", maintenance]) {
    await page.goto(base + path, { waitUntil: "networkidle" });
    await page.waitForURL(base + maintenance);
    await page.getByRole("heading", { level: 1, name: "The market is closed for repairs" }).waitFor();
    assert.equal(await page.title(), closed.get(maintenance));
  }
  await accessible(page, `${maintenance} ${at(page)}`);
  await fits(page, `${maintenance} ${at(page)}`);
  await shot(page, `maintenance-${viewport.width}`);
  await page.getByRole("link", { name: "To the home page" }).click();
  await page.waitForURL(`${base}/`);
  assert.deepEqual(faults, []);
  await context.close();
}

/**
 * Every page redirects to the one that says why, calls are refused with 451 (RFC 7725), and the legal texts are
 * available.
 */
// Spec: PAGE-6, ACCESS-4, ACCESS-5
async function comesFromAForbiddenCountry(viewport) {
  const allow = (response) => response.status() === 451 && new URL(response.url()).pathname.startsWith("/api/");
  const { page, context, faults } = await player(browser, viewport, { allow, extraHTTPHeaders: { [header]: "KP" } });
  for (const path of ["/", "/login", "/kod-marketplace", "/no/such/page", [...own.keys()][0]]) {
    const answer = await page.goto(base + path, { waitUntil: "networkidle" });
    assert.equal(answer?.status(), 200, path);
    assert.equal(page.url(), base + gates, `${path} is closed`);
  }
  assert.equal(await page.title(), unlisted.get(gates));
  await page.getByRole("heading", { level: 1, name: "Not available in your country" }).waitFor();
  await accessible(page, `${gates} ${at(page)}`);
  await fits(page, `${gates} ${at(page)}`);
  await shot(page, `unauthorized-country-${viewport.width}`);
  assert.equal((await fetch(`${base}/api/marketplace/collections`, { headers: { [header]: "KP" } })).status, 451);
  for (const path of [
    "/privacy-policy",
    "/cookie-policy",
    "/terms-of-use",
    "/king-of-destiny/terms-and-conditions",
    "/king-of-destiny/support/deleteaccount",
  ]) {
    await page.goto(base + path, { waitUntil: "networkidle" });
    assert.equal(page.url(), base + path, `${path} is there for everybody`);
  }
  assert.deepEqual(faults, []);
  await context.close();
}

/** The market is switched on again: the page that says it is closed leads back to where the player was. */
// Spec: FLAG-4
async function opensAgain({ page, faults }) {
  await page.goto(base + maintenance);
  await page.getByRole("heading", { level: 1, name: "The market is closed for repairs" }).waitFor();
  writeFileSync(
    flags,
    readFileSync(flags, "utf8").replace("key: maintenance_mode\n    enabled: true", "key: maintenance_mode\n    enabled: false"),
  );
  await eventually("the site has read its flags again", async () => {
    const answer = await call(page, "GET", "/api/proxy/feature-flag/getEvaluatedFeatureFlags");
    return answer.flags.maintenance_mode.enabled === false;
  });
  await page.reload();
  await page.waitForURL(`${base}/kod-marketplace/create-smart-wallet`);
  await page.goto(`${base}/kod-marketplace`);
  await page
    .getByRole("button", { name: /^Add to cart: / })
    .first()
    .waitFor();
  assert.deepEqual(faults, []);
}
