// Errors in a real browser reach the operator: one before the monitoring has loaded and one after, under the site's
// own content security policy, with the visit's id, without a cookie; and so does a visit that ends before it has. The
// operator reads them on the metrics' listener.
import assert from "node:assert/strict";
import { base, desktop, eventually, journey, phone, player, start } from "./browser.mjs";

const metrics = process.env.METRICS_URL;
assert.ok(metrics, "METRICS_URL must be the address of the site's metrics");

/** Timeout for reports, in milliseconds: the SDK sends them every 30 s, and the server stores them shortly after. */
const timeout = 60_000;

const browser = await start();
await journey(browser, async () => {
  await Promise.all([desktop, phone].map(reports));
});

// Spec: MON-1, MON-7
async function reports(viewport) {
  const [early, late] = ["early", "late"].map((when) => `the journey's ${when} error at ${viewport.width} px`);
  const { page, context, faults } = await player(browser, viewport, { ignore: new RegExp(`^page error: (${early}|${late})$`) });
  await page.addInitScript(() => {
    window.violations = [];
    addEventListener("securitypolicyviolation", (event) => window.violations.push(`${event.violatedDirective} ${event.blockedURI}`));
  });
  const answer = await page.goto(`${base}/games`, { waitUntil: "networkidle" });
  const policy = answer.headers()["content-security-policy"];
  assert.match(policy, /script-src [^;]*'sha256-/, "the page has the site's policy");
  assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval/, "which allows no code but the build's");
  const sessionOf = () => page.evaluate(() => window.DD_RUM?.getInternalContext()?.session_id);
  assert.equal(await sessionOf(), undefined, "the monitoring is not there yet");
  const session = await visitOf(page);

  const fails = (message) =>
    page.evaluate(
      (text) =>
        void setTimeout(() => {
          throw new Error(text);
        }),
      message,
    );
  await fails(early);
  // After the first interaction the monitoring loads when the browser is idle.
  await page.keyboard.press("Tab");
  await eventually("the monitoring goes on with the visit", async () => (await sessionOf()) === session);
  const sent = page.waitForResponse((response) => new URL(response.url()).pathname === "/api/monitoring", { timeout });
  await fails(late);

  // Calls have the same visit id.
  const board = page.waitForRequest((request) => new URL(request.url()).pathname.startsWith("/api/leaderboards/"));
  await page.evaluate(() => document.querySelector('a[href="/kod-leaderboard"]').click());
  assert.equal((await board).headers()["x-session-id"], session, "a call names the visit");

  const { status, request, headers } = await sent.then((response) => ({
    status: response.status(),
    request: response.request(),
    headers: response.headers(),
  }));
  assert.equal(status, 202);
  assert.equal(new URL(request.url()).origin, base, "reports go to the site itself");
  assert.equal(request.headers().authorization, undefined);
  assert.equal(headers["set-cookie"], undefined);

  // The operator reads them. What waits is sent when the page is left.
  await page.goto(`${base}/nfts`);
  let events = [];
  await eventually(
    "both errors are kept",
    async () => {
      const text = await (await fetch(`${metrics}/monitoring?errors=true&session=${session}`)).text();
      events = text
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line));
      return [early, late].every((message) => events.some(({ event }) => event.error.message.includes(message)));
    },
    timeout,
  );
  for (const { event, ...kept } of events) {
    assert.equal(kept.session, session);
    assert.equal(event.session.id, session);
    assert.equal(event.type, "error");
  }
  assert.deepEqual(await context.cookies(), [], "no cookie is stored");
  assert.deepEqual(await page.evaluate(() => window.violations), [], "nothing broke the policy");
  assert.deepEqual(faults, []);
  await context.close();
  await shortVisit(viewport);
}

/** Returns the id of the visit, once it has begun: before the monitoring loads. */
async function visitOf(page) {
  let id;
  await eventually("the visit has begun", async () => {
    id = await page.evaluate(() => /\bid=([0-9a-f-]{36})/.exec(localStorage.getItem("_dd_s_v2") ?? "")?.[1]);
    return Boolean(id);
  });
  return id;
}

/** Waits until the page has loaded what reports the visit when the page is left. */
async function isReported(page) {
  const loaded = () =>
    page.evaluate(() =>
      performance.getEntriesByType("resource").some(({ name, responseEnd }) => name.includes("short-visit") && responseEnd > 0),
    );
  await eventually("the report of short visits is loaded", loaded);
  await page.evaluate(() => new Promise((done) => setTimeout(done, 200))); // it runs
}

/** A visit of a second on each of two pages, on which nothing is pressed. */
// Spec: MON-2
async function shortVisit(viewport) {
  const { page, context } = await player(browser, viewport);
  await page.goto(`${base}/games`, { waitUntil: "networkidle" });
  const session = await visitOf(page);
  await isReported(page);
  await page.goto(`${base}/nfts`);
  await isReported(page);
  await page.goto("about:blank");
  await eventually(
    "both pages of a short visit are kept",
    async () => {
      const text = await (await fetch(`${metrics}/monitoring?session=${session}`)).text();
      const seen = text
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line).event)
        .filter(({ type }) => type === "view");
      return ["/games", "/nfts"].every((path) => seen.some(({ view }) => new URL(view.url).pathname === path));
    },
    timeout,
  );
  await context.close();
}
