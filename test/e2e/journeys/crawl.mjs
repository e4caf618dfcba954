// Every page of the site as a visitor and as a player, on a phone, a tablet and a desktop: the right status, its own
// title, no failures, no horizontal overflow, one top-level heading, no accessibility violations, no layout shifts,
// no motion with reduced motion, and no broken links.
//
// Visitors open every page at every width, on a desktop with motion. Most public pages are the same for players, except for
// the player's name in the header: those are opened at one width, and those that differ at all three.
import assert from "node:assert/strict";
import {
  accessible,
  at,
  base,
  desktop,
  fits,
  journey,
  phone,
  player,
  readMarket,
  register,
  shot,
  start,
  starterKit,
  tablet,
} from "./browser.mjs";
import { inFull, listed, own, unlisted } from "./routes.mjs";

/** The market asks visitors to sign in. */
const market = "/kod-marketplace";
const toTheShop = "/getuserinfo";
/** Pages that redirect signed-in players. */
const onlyForVisitors = ["/login", "/register", "/portal/login", "/kod-marketplace/timeout"];
const lost = "/no/such/page";
/** The top-level headings of a player's own pages. */
const headings = new Map([
  ["/portal/my-inventory", "What I own"],
  ["/portal/money", "Your money"],
  ["/portal/sell", "Sell"],
  ["/portal/listings", "My listings"],
  ["/portal/watchlist", "Watchlist"],
  ["/portal/notifications", "Notifications"],
  ["/portal/my-immortals", "My immortals"],
  ["/portal/power-pack", "My power packs"],
  ["/shipwright/account/arks", "My arks"],
  ["/shipwright/account/followers", "My followers"],
  ["/shipwright/account/tokens", "My tokens"],
  ["/portal/my-games", "My games"],
  ["/portal/edit", "Settings"],
  ["/portal/edit/achievements", "Achievements"],
  ["/portal/edit/activity", "Activity"],
  ["/webstore/orders", "Webstore orders"],
]);
/** Pages on which scripts add or replace text: listings, leaderboards, the tray, the contract, per-visitor content. */
const live = [
  "/",
  "/infinimerge",
  "/kod-leaderboard",
  "/mount-olympus/leaderboard",
  "/api-doc",
  "/news",
  "/move",
  "/packs/odds",
  "/vault/claim",
  "/webstore",
  "/auth/callback/twitter",
  "/kod-marketplace/create-smart-wallet",
];

/** Address, with its fragment → where it is linked from. */
const links = new Map();
/** The parts of pages that axe has examined, with the width of the page. */
const examined = new Set();
/** The windows that load pages with motion, and examine them without it. */
const withMotion = new Set();
/** Address → number of readable characters, on a phone. */
const readable = new Map();
/** The pages that moved while they loaded, and what moved. */
const moved = [];

const sitemap = await (await fetch(`${base}/sitemap.xml`)).text();
const inSitemap = [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map((match) => match[1].slice(base.length));
assert.deepEqual(
  inSitemap.sort(),
  [...listed.keys()].filter((path) => path !== market).sort(),
  "the sitemap lists the specification's public pages, and the market only while it is open to visitors",
);
const { items } = await readMarket("listings?sort=price-asc&collection=avatars&limit=1");
const item = `/kod-marketplace/marketplace/item/${items[0].assetContractAddress}/${items[0].tokenId}`;
const { products } = await (await fetch(`${base}/api/webstore/getProducts`)).json();
const product = `/webstore/products/${products[0].productId}`;

// Spec: PAGE-2, PAGE-3, PAGE-4, PAGE-5, PAGE-6, PAGE-15
const forVisitors = new Map([...listed, ...unlisted, [lost, inFull("Page not found")]]);
for (const path of [market, toTheShop]) forVisitors.delete(path);
// Spec: PAGE-8, PAGE-9, PAGE-13, PAGE-14
const forPlayers = new Map([
  ...listed,
  ...unlisted,
  ...own,
  [item, inFull(items[0].metadata.name)],
  [product, inFull(products[0].name)],
  [lost, inFull("Page not found")],
]);
for (const path of onlyForVisitors) forPlayers.delete(path);

// In the short form there is no tablet.
const widths = process.env.SHORT ? [phone, desktop] : [phone, tablet, desktop];
const allow = (response) => response.url() === base + lost;
const browser = await start();
await journey(browser, async () => {
  const visitors = await readers();
  withMotion.add(visitors[widths.indexOf(desktop)].page);
  const [lengths, { storageState, ...first }] = await Promise.all([
    lengthsWithoutScripts(),
    newcomer(),
    ...visitors.map((one) => reads(one, forVisitors, "a visitor")),
  ]);
  canBeRead(lengths);
  const closed = [market, toTheShop, ...own.keys()];
  await Promise.all(visitors.map(({ page }, i) => leadToTheLogin(page, portion(closed, i))));
  // Open pages keep working, and pages with motion render sixty frames per second.
  await Promise.all(visitors.map(({ context }) => context.close()));

  const members = await readers({ storageState });
  const common = [...forPlayers].filter(([path]) => forVisitors.has(path));
  const differ = await Promise.all(members.map((one, i) => reads(one, portion(common, i), "a player")));
  await Promise.all(
    members.map((one, i) => {
      const others = differ.filter((_, j) => j !== i).flat();
      return reads(
        one,
        [...forPlayers].filter(([path]) => !forVisitors.has(path) || others.includes(path)),
        "a player",
      );
    }),
  );

  assert.deepEqual(
    [first, ...visitors, ...members].flatMap(({ faults }) => faults),
    [],
  );
  assert.deepEqual(moved, [], "pages stand still while they load");
  await leadSomewhere();
  console.log(
    `${forVisitors.size} pages for visitors, ${forPlayers.size} for players, ` +
      `of which ${differ.flat().length} public ones are others; ${links.size} links`,
  );
});

/** A window for each width, with the options of its context. */
function readers(options) {
  return Promise.all(
    widths.map(async (viewport) => {
      const one = await player(browser, viewport, { allow, ...options });
      await one.page.addInitScript(watchShifts);
      return one;
    }),
  );
}

/** The share of one of the windows in items that they open only once. */
function portion(items, i) {
  return items.filter((_, j) => j % widths.length === i);
}

/** A registered player with the starter kit: what its browser stores, and what went wrong. */
async function newcomer() {
  const { page, context, faults } = await player(browser, phone);
  await register(page);
  await starterKit(page);
  const storageState = await context.storageState();
  await context.close();
  return { storageState, faults };
}

/**
 * Records unexpected layout shifts while the page loads (Layout Instability, as in Core Web Vitals), and their
 * sources.
 */
function watchShifts() {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (!hadRecentInput)
        window.shifts.push({ value, what: sources.map(({ node }) => (node?.outerHTML ?? node?.textContent ?? "").slice(0, 120)) });
    }
  }).observe({ type: "layout-shift", buffered: true });
}

/**
 * Opens pages one after the other; several windows do so concurrently. Returns the addresses of pages with a part that axe
 * had not examined before.
 */
async function reads({ page }, pages, who) {
  const fresh = [];
  for (const [path, title] of pages) {
    const where = `${path} for ${who} ${at(page)}`;
    await isSound(page, path, title, where);
    if (headings.has(path)) await isOnesOwn(page, headings.get(path), where);
    if (who === "a visitor" && page.viewportSize().width === phone.width) readable.set(path, await textLength(page));
    const unknown = (await parts(page)).filter((part) => !examined.has(part));
    if (unknown.length === 0) continue;
    for (const part of unknown) examined.add(part);
    await accessible(page, where);
    fresh.push(path);
  }
  return fresh;
}

/** The readable text of the page itself, in characters. */
async function textLength(page) {
  return (await page.locator("main").innerText()).replaceAll(/\s+/g, " ").length;
}

/** Address → number of readable characters without scripts. Each page has its heading, and its text is complete. */
async function lengthsWithoutScripts() {
  const lengths = new Map();
  const context = await browser.newContext({ viewport: phone, javaScriptEnabled: false });
  const page = await context.newPage();
  for (const path of forVisitors.keys()) {
    if (path === lost) continue;
    await page.goto(base + path, { waitUntil: "domcontentloaded" });
    assert.equal(await page.locator("main h1").count(), 1, `${path} has its heading without scripts`);
    const headings = page.locator("main h2");
    if (await headings.count())
      assert.ok(
        await headings.last().isVisible(),
        `${path} without scripts shows its last heading, ${await headings.last().textContent()}`,
      );
    lengths.set(path, await textLength(page));
  }
  await context.close();
  return lengths;
}

/** Without scripts there is as much to read as with them. The marketplace needs scripts and is not among the pages. */
function canBeRead(lengths) {
  for (const [path, length] of lengths) {
    if (live.includes(path)) {
      assert.ok(length > 30, `${path} says something without scripts`);
      continue;
    }
    const whole = readable.get(path);
    assert.ok(Math.abs(length - whole) <= 0.03 * whole, `${path} has ${length} characters to read without scripts, and ${whole} with them`);
  }
}

/** The page in two parts, its main content and the rest, with its width. */
async function parts(page) {
  const both = await page.evaluate(() => {
    const body = document.body.cloneNode(true);
    for (const element of body.querySelectorAll("script, style, link")) element.remove();
    // The menus mark the current page.
    for (const element of body.querySelectorAll("[aria-current]")) {
      element.removeAttribute("aria-current");
      element.classList.remove("active");
    }
    const main = body.querySelector("main");
    main?.remove();
    // React numbers ids in order of rendering.
    return [main?.outerHTML ?? "", body.innerHTML].map((html) => html.replaceAll(/_[Rr]_\w*_/g, "id"));
  });
  return both.map((html) => `${page.viewportSize().width} ${html}`);
}

// Spec: PAGE-1
async function isSound(page, path, title, where) {
  if (withMotion.has(page)) await page.emulateMedia({ reducedMotion: "no-preference" });
  const answer = await page.goto(base + path, { waitUntil: "networkidle" });
  assert.equal(answer?.status(), path === lost ? 404 : 200, where);
  assert.equal(new URL(page.url()).pathname, path, `${where} stays where it is`);
  await page.locator("h1").first().waitFor();
  assert.equal(await page.locator("h1").count(), 1, `${where} has one first heading`);
  // Some titles come with the page's data.
  await page
    .waitForFunction((expected) => document.title === expected, title)
    .catch(async () => assert.equal(await page.title(), title, where));
  await standsStill(page, where);
  await fits(page, where);
  // By the attribute: an SVG link's property differs.
  const found = await page.locator("a[href]").evaluateAll((all) =>
    all.map((a) => {
      const url = new URL(a.getAttribute("href"), location.href);
      const dangling =
        url.origin + url.pathname === location.origin + location.pathname &&
        url.hash &&
        !document.getElementById(decodeURIComponent(url.hash.slice(1)));
      return { href: url.href, dangling };
    }),
  );
  for (const { href, dangling } of found) {
    assert.ok(!dangling, `${href} on ${where} finds its place`);
    if (!links.has(href)) links.set(href, { path, where });
  }
}

/** A player's own page has its heading, has loaded completely and is marked in the menu. */
async function isOnesOwn(page, heading, where) {
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  assert.equal(await page.getByRole("alert").count(), 0, `${where} loaded whole`);
  const here = page.getByRole("navigation", { name: "Your account" }).locator("[aria-current=page]");
  assert.equal(await here.count(), 1, `${where} is marked in the menu`);
  await here.waitFor({ state: "visible" });
  await shot(page, `portal${new URL(page.url()).pathname.replaceAll("/", "_")}-${page.viewportSize().width}`);
}

/** Notes layout shifts. Nothing moves when motion is reduced, then or from the start. */
async function standsStill(page, where) {
  if (withMotion.has(page)) {
    await page.evaluate(() => {
      const ending = document
        .getAnimations()
        .filter(
          ({ playState, timeline, effect }) =>
            playState === "running" && timeline === document.timeline && Number.isFinite(effect.getComputedTiming().activeDuration),
        );
      return Promise.allSettled(ending.map(({ finished }) => finished)).then(() => {});
    });
  }
  const shifts = await page.evaluate(() => window.shifts);
  if (withMotion.has(page)) await page.emulateMedia({ reducedMotion: "reduce" });
  const running = await page.evaluate(() => {
    // A millisecond is not motion: the style sheet shortens all animations to that.
    const moving = document
      .getAnimations()
      .filter(({ playState, effect }) => playState === "running" && effect.getComputedTiming().activeDuration > 1);
    const clips = [...document.querySelectorAll("video")].filter(({ paused }) => !paused);
    return [
      ...moving.map(({ animationName, effect }) => `${animationName} of ${effect.target?.outerHTML.slice(0, 120)}`),
      ...clips.map(({ src }) => src),
    ];
  });
  assert.deepEqual(running, [], `${where} without motion`);
  const shifted = shifts.reduce((sum, { value }) => sum + value, 0);
  if (shifted >= 0.01) moved.push(`${where} moved by ${shifted}: ${JSON.stringify(shifts)}`);
}

/** The market and a player's own pages redirect a visitor to the login, which knows where to return. */
// Spec: PAGE-12, SESSION-7
async function leadToTheLogin(page, paths) {
  for (const path of paths) {
    const answer = await page.goto(base + path);
    assert.equal(answer?.status(), 200, path);
    await page.waitForURL(`${base}/login?from=${encodeURIComponent(path)}`);
  }
}

/** Links within the site find their page, and the fragment's element on it; others have a valid form. */
// Spec: PAGE-16
async function leadSomewhere() {
  const pages = new Map();
  for (const [href, { path, where }] of links) {
    const url = new URL(href);
    if (url.origin !== base) {
      assert.ok(["https:", "mailto:"].includes(url.protocol), `${href} on ${where}`);
      continue;
    }
    if (url.pathname === path) continue; // already checked
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
