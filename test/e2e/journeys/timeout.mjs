// Where an ended session leads, on a phone and on a desktop: from the marketplace to its timeout page, which explains
// and leads back; from a player's own pages to the login. The browser stores which it was: the market sets its theme
// flag, the portal removes it.
import assert from "node:assert/strict";
import { accessible, at, base, call, desktop, fits, journey, phone, player, register, shot, signIn, start } from "./browser.mjs";

/** The session ends on the server: the page's next call is refused. */
const refusals = (response) => response.status() === 401 && new URL(response.url()).pathname.startsWith("/api/");

/** A realtime connection that the page began before the session ended is refused too. */
const refusedConnection = /^console: WebSocket connection to .* HTTP Authentication failed/;

/** The stored flag of where the player was last. */
const theme = (page) => page.evaluate(() => localStorage.getItem("kod-theme-enabled"));

const browser = await start();
await journey(browser, async () => {
  await Promise.all([desktop, phone].map(losesTheSession));
});

// Spec: PAGE-6, SESSION-7, SESSION-10
async function losesTheSession(viewport) {
  const { page, context, faults } = await player(browser, viewport, { allow: refusals, ignore: refusedConnection });
  const who = await register(page, "/kod-marketplace");
  await page
    .getByRole("button", { name: /^Add to cart: / })
    .first()
    .waitFor();
  assert.equal(await theme(page), "true", "the market has written its flag");
  await call(page, "GET", "/api/auth/logout");
  await page.reload();
  await isTimedOut(page);
  await accessible(page, `the timeout page ${at(page)}`);
  await fits(page, `the timeout page ${at(page)}`);
  await shot(page, `timeout-${viewport.width}`);

  // It leads to the login, and from there back to the market.
  await page.getByRole("link", { name: "Sign in again" }).click();
  await page.waitForURL(`${base}/login?from=${encodeURIComponent("/kod-marketplace")}`);
  await signIn(page, who);
  await page.waitForURL(`${base}/kod-marketplace`);
  await page
    .getByRole("button", { name: /^Add to cart: / })
    .first()
    .waitFor();

  // The same without a reload: the page notices by itself that the token is gone.
  await page.evaluate(() => localStorage.removeItem("pantheon.token"));
  await isTimedOut(page);

  // A visitor who opens a market page in a browser that was signed in before sees the same.
  await page.goto(`${base}/kod-marketplace/marketplace/checkout`);
  await isTimedOut(page);
  // A public page is open to everybody, whatever was open last.
  await page.goto(`${base}/games`);
  await page.getByRole("banner").getByRole("link", { name: "Sign in" }).waitFor();
  assert.equal(await theme(page), "true", "only the portal takes the flag away");

  await page.goto(`${base}/login?from=${encodeURIComponent("/portal/my-inventory")}`);
  await signIn(page, who);
  await page.getByRole("heading", { level: 1, name: "What I own" }).waitFor();
  assert.equal(await theme(page), null, "the portal has taken the flag away");
  await call(page, "GET", "/api/auth/logout");
  await page.reload();
  await page.waitForURL(`${base}/login?from=${encodeURIComponent("/portal/my-inventory")}`);
  assert.deepEqual(faults, [], `what went wrong at ${viewport.width} px`);
  await context.close();
}

async function isTimedOut(page) {
  await page.waitForURL(`${base}/kod-marketplace/timeout`);
  await page.getByRole("heading", { level: 1, name: "Your session has ended" }).waitFor();
}
