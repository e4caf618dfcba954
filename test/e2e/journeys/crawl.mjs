// Every page of the site as a visitor and as a player meets it, on a phone, a tablet and a desktop: the right answer, its
// own title, nothing failed, nothing too wide, one first heading, nothing in the way of assistive technology, nothing that
// jumps, nothing that moves for who wants no motion, and no link that leads nowhere.
import assert from "node:assert/strict";
import { accessible, at, base, desktop, fits, phone, player, register, start, tablet } from "./browser.mjs";
import { inFull, listed, own, unlisted } from "./routes.mjs";

/** The market asks visitors to sign in. */
const market = "/kod-marketplace";
/** Pages that have nothing to say to who is signed in, and lead on. */
const onlyForVisitors = ["/login", "/register", "/portal/login"];
const lost = "/no/such/page";

/** Address, with its fragment → where it is linked from. */
const links = new Map();

const sitemap = await (await fetch(`${base}/sitemap.xml`)).text();
const inSitemap = [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map((match) => match[1].slice(base.length));
assert.deepEqual(inSitemap.sort(), [...listed.keys()].sort(), "the sitemap lists the specification's public pages");
const { items } = await (await fetch(`${base}/api/marketplace/listings?sort=price-asc&collection=avatars&limit=1`)).json();
const item = `/kod-marketplace/marketplace/item/${items[0].assetContractAddress}/${items[0].tokenId}`;

const forVisitors = new Map([...listed, ...unlisted, [lost, inFull("Nothing here")]]);
forVisitors.delete(market);
const forPlayers = new Map([...listed, ...unlisted, ...own, [item, inFull(items[0].metadata.name)], [lost, inFull("Nothing here")]]);
for (const path of onlyForVisitors) forPlayers.delete(path);

const allow = (response) => response.url() === base + lost;
const browser = await start();
try {
  const visitors = await Promise.all([phone, tablet, desktop].map((viewport) => player(browser, viewport, { allow })));
  visitors.push(await player(browser, desktop, { allow, reducedMotion: "no-preference" }));
  for (const { page } of visitors) await page.addInitScript(watchShifts);
  await crawl(visitors, forVisitors, "a visitor");
  await Promise.all(visitors.map(({ page }) => leadsToTheLogin(page)));

  const members = [await player(browser, phone, { allow })];
  await register(members[0].page);
  const storageState = await members[0].context.storageState();
  for (const viewport of [tablet, desktop]) members.push(await player(browser, viewport, { allow, storageState }));
  for (const { page } of members) await page.addInitScript(watchShifts);
  await crawl(members, forPlayers, "a player");

  assert.deepEqual([...visitors, ...members].flatMap((reader) => reader.faults), []);
  await leadSomewhere();
} finally {
  await browser.close();
}
console.log(`${forVisitors.size} pages for visitors, ${forPlayers.size} for players, ${links.size} links`);

/** Notes by how much the page moves while it loads, unasked (Layout Instability, as in Core Web Vitals), and what of it. */
function watchShifts() {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (!hadRecentInput) window.shifts.push({ value, what: sources.map(({ node }) => (node?.outerHTML ?? node?.textContent ?? "").slice(0, 120)) });
    }
  }).observe({ type: "layout-shift", buffered: true });
}

/** Takes each reader through all pages, one after the other. Those who read side by side do not wait for each other. */
async function crawl(readers, pages, who) {
  await Promise.all(
    readers.map(async ({ page }) => {
      for (const [path, title] of pages) await isSound(page, path, title, `${path} for ${who} ${at(page)}`);
    }),
  );
}

async function isSound(page, path, title, where) {
  const answer = await page.goto(base + path, { waitUntil: "networkidle" });
  assert.equal(answer?.status(), path === lost ? 404 : 200, where);
  assert.equal(new URL(page.url()).pathname, path, `${where} stays where it is`);
  await page.locator("h1").first().waitFor();
  assert.equal(await page.locator("h1").count(), 1, `${where} has one first heading`);
  assert.equal(await page.title(), title, where);
  await standsStill(page, where);
  await fits(page, where);
  await accessible(page, where);
  // By the attribute: a link in a drawing has another property.
  const found = await page.locator("a[href]").evaluateAll((all) =>
    all.map((a) => {
      const url = new URL(a.getAttribute("href"), location.href);
      const dangling = url.origin + url.pathname === location.origin + location.pathname && url.hash && !document.getElementById(decodeURIComponent(url.hash.slice(1)));
      return { href: url.href, dangling };
    }),
  );
  for (const { href, dangling } of found) {
    assert.ok(!dangling, `${href} on ${where} finds its place`);
    if (!links.has(href)) links.set(href, { path, where });
  }
}

/** Nothing has jumped; and nothing moves, or, for who likes motion, what comes to an end has come to it. */
async function standsStill(page, where) {
  const { running, shifts } = await page.evaluate(async () => {
    const running = () => document.getAnimations().filter(({ playState }) => playState === "running");
    const length = ({ effect }) => effect.getComputedTiming().activeDuration;
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
      const ending = running().filter((animation) => animation.timeline === document.timeline && Number.isFinite(length(animation)));
      await Promise.allSettled(ending.map(({ finished }) => finished));
      return { running: [], shifts: window.shifts };
    }
    // What takes a millisecond is no motion: that is how the style sheet ends them all.
    const moving = running().filter((animation) => length(animation) > 1);
    const clips = [...document.querySelectorAll("video")].filter(({ paused }) => !paused);
    return {
      running: [...moving.map(({ animationName, effect }) => `${animationName} of ${effect.target?.outerHTML.slice(0, 120)}`), ...clips.map(({ src }) => src)],
      shifts: window.shifts,
    };
  });
  assert.deepEqual(running, [], `${where} without motion`);
  const shifted = shifts.reduce((sum, { value }) => sum + value, 0);
  assert.ok(shifted < 0.01, `${where} stays still while it loads, and moved by ${shifted}: ${JSON.stringify(shifts)}`);
}

/** The market and a player's own pages lead a visitor to the login, which knows the way back. */
async function leadsToTheLogin(page) {
  for (const path of [market, ...own.keys()]) {
    const answer = await page.goto(base + path);
    assert.equal(answer?.status(), 200, path);
    await page.waitForURL(`${base}/login?from=${encodeURIComponent(path)}`);
  }
}

/** Links within the site find their page, and the place on it; others are addresses one can go to. */
async function leadSomewhere() {
  const pages = new Map();
  for (const [href, { path, where }] of links) {
    const url = new URL(href);
    if (url.origin !== base) {
      assert.ok(["https:", "mailto:"].includes(url.protocol), `${href} on ${where}`);
      continue;
    }
    if (url.pathname === path) continue; // that has been looked at
    const address = url.origin + url.pathname + url.search;
    if (!pages.has(address)) {
      const answer = await fetch(address);
      assert.equal(answer.status, 200, `${href} on ${where}`);
      pages.set(address, await answer.text());
    }
    const id = decodeURIComponent(url.hash.slice(1));
    if (id) assert.ok(pages.get(address).includes(`id="${id}"`), `${href} on ${where} finds its place`);
  }
}
