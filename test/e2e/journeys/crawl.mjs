// Every page of the site as a visitor and as a player meets it, on a phone, a tablet and a desktop: the right answer, its
// own title, nothing failed, nothing too wide, one first heading, nothing in the way of assistive technology, and no link
// that leads nowhere.
import assert from "node:assert/strict";
import { accessible, base, desktop, fits, phone, player, register, start } from "./browser.mjs";

const widths = [phone, { width: 768, height: 1024 }, desktop];

/** Public pages that the sitemap does not list. */
const unlisted = [
  "/forgot-password", "/reset-password", "/new-password", "/auth/callback/twitter", "/unauthorized-country", "/portal/login",
  "/kod-marketplace/timeout", "/kod-marketplace/create-smart-wallet",
];

/** Pages that are a player's own. */
const own = [
  "/portal/my-inventory", "/portal/edit", "/portal/edit/activity", "/portal/edit/achievements", "/portal/my-games", "/portal/my-immortals",
  "/portal/power-pack", "/shipwright/account/followers", "/shipwright/account/arks", "/shipwright/account/tokens", "/getuserinfo",
  "/kod-marketplace/marketplace/checkout",
];

/** Pages that the site map lists and that lead visitors to the sign-in after a second. */
const onlyForPlayers = ["/kod-marketplace"];

/** Pages that tell the end of something, and so change once it is known. */
const changing = ["/auth/callback/twitter"];

/** Pages that have nothing to say to who is signed in, and lead on. */
const onlyForVisitors = ["/login", "/register", "/portal/login"];

const sitemap = await (await fetch(`${base}/sitemap.xml`)).text();
const listed = [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map((match) => match[1].slice(base.length) || "/");
assert.ok(listed.length >= 35, `only ${listed.length} pages are listed`);
const open = [...listed, ...unlisted];

/** Address, with its fragment → where it is linked from. */
const links = new Map();
/** Title → the page that has it. */
const titles = new Map();

const browser = await start();
try {
  const visitors = await Promise.all(widths.map((width) => player(browser, width)));
  await visitors[0].page.addInitScript(() => {
    window.shifted = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  for (const path of open.filter((path) => !onlyForPlayers.includes(path))) {
    await Promise.all(
      visitors.map(async ({ page }) => {
        await isSound(page, path, "a visitor");
        await accessible(page, `${path} at ${page.viewportSize().width} px`);
      }),
    );
    const shifted = await visitors[0].page.evaluate(() => window.shifted);
    assert.ok(shifted < 0.01 || changing.includes(path), `${path} stays still while it loads, and moved by ${shifted}`);
  }
  const members = [await player(browser, phone)];
  await register(members[0].page);
  const storageState = await members[0].context.storageState();
  for (const width of widths.slice(1)) members.push(await player(browser, width, undefined, storageState));
  for (const path of [...open, ...own].filter((path) => !onlyForVisitors.includes(path))) {
    await Promise.all(
      members.map(async ({ page }) => {
        await isSound(page, path, "a player");
        if (own.includes(path) || onlyForPlayers.includes(path)) await accessible(page, `${path} at ${page.viewportSize().width} px`); // of the others only the header differs
      }),
    );
  }
  assert.deepEqual([...visitors, ...members].flatMap((reader) => reader.faults), []);
  await leadSomewhere();
} finally {
  await browser.close();
}
console.log(`${open.length} pages for visitors, ${own.length} more for players, ${links.size} links`);

async function isSound(page, path, who) {
  const where = `${path} for ${who} at ${page.viewportSize().width} px`;
  const answer = await page.goto(base + path, { waitUntil: "networkidle" });
  assert.equal(answer?.status(), 200, where);
  assert.equal(new URL(page.url()).pathname, path, `${where} stays where it is`);
  await page.locator("h1").first().waitFor();
  assert.equal(await page.locator("h1").count(), 1, `${where} has one first heading`);
  const title = await page.title();
  assert.ok((titles.get(title) ?? path) === path, `${path} and ${titles.get(title)} are both called "${title}"`);
  titles.set(title, path);
  await fits(page, where);
  // By the attribute: a link in a drawing has another property.
  const found = await page.locator("a[href]").evaluateAll((all) =>
    all.map((a) => {
      const url = new URL(a.getAttribute("href"), location.href);
      const lost = url.origin + url.pathname === location.origin + location.pathname && url.hash && !document.getElementById(decodeURIComponent(url.hash.slice(1)));
      return { href: url.href, lost };
    }),
  );
  for (const { href, lost } of found) {
    assert.ok(!lost, `${href} on ${where} finds its place`);
    if (!links.has(href)) links.set(href, { path, where });
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
    const address = url.origin + url.pathname + url.search;
    if (!pages.has(address)) {
      const answer = await fetch(address);
      assert.equal(answer.status, 200, `${href} on ${where}`);
      pages.set(address, await answer.text());
    }
    const id = decodeURIComponent(url.hash.slice(1));
    if (id && url.pathname !== path) assert.ok(pages.get(address).includes(`id="${id}"`), `${href} on ${where} finds its place`);
  }
}
