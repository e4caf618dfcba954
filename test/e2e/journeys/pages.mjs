// Every public page: found and shared by its own address, and read without scripts. How they look and behave with scripts
// is crawl.mjs.
import assert from "node:assert/strict";
import { accessible, base, phone, player, ready, start } from "./browser.mjs";
import { listed, unlisted } from "./routes.mjs";

const robots = await (await fetch(`${base}/robots.txt`)).text();
assert.ok(robots.includes(`Sitemap: ${base}/sitemap.xml`), robots);
const pages = [...listed.keys(), ...unlisted.keys()];

/** Pages on which scripts add to the text, or take its place: listings, boards, the tray, the contract, what one visitor does. */
const live = [
  "/", "/infinimerge", "/kod-leaderboard", "/mount-olympus/leaderboard", "/api-doc", "/auth/callback/twitter", "/kod-marketplace/create-smart-wallet",
];

await describesItself();
await installs();

const browser = await start();
try {
  const plain = await browser.newContext({ viewport: phone, javaScriptEnabled: false });
  const reader = await plain.newPage();
  const scripted = await player(browser, phone);
  for (const path of pages) await canBeRead(reader, scripted.page, path);
  assert.deepEqual(scripted.faults, []);
  await leadsNowhere();
  await worksUnstyled((route) => route.abort());
  await worksUnstyled(() => {});
} finally {
  await browser.close();
}
console.log(`${pages.length} pages`);

/** Each page names its own address and has a picture to be shared with. */
async function describesItself() {
  /** Picture → the page it was drawn for; those that are not listed share the site's. */
  const pictures = new Map();
  for (const path of pages) {
    const answer = await fetch(base + path);
    assert.equal(answer.status, 200, path);
    const html = await answer.text();
    const of = (pattern) => pattern.exec(html)?.[1];
    assert.equal(of(/<link rel="canonical" href="([^"]*)"/), base + path, `${path}: canonical address`);
    assert.equal(of(/<meta property="og:url" content="([^"]*)"/), base + path, `${path}: address when shared`);
    for (const name of ["og:title", "og:description", "og:site_name"]) assert.ok(of(new RegExp(`<meta property="${name}" content="([^"]+)"`)), `${path}: ${name}`);
    assert.equal(of(/<meta name="twitter:card" content="([^"]*)"/), "summary_large_image", path);
    const picture = of(/<meta property="og:image" content="([^"]*)"/) ?? "";
    assert.ok(picture.startsWith(`${base}/share/`), `${path}: picture ${picture}`);
    assert.ok(!pictures.has(picture) || unlisted.has(path), `${path} has a picture of its own, not that of ${pictures.get(picture)}`);
    if (!pictures.has(picture)) pictures.set(picture, path);
    assert.ok(!html.includes("site.invalid"), `${path} knows the site's address`);
  }
  for (const [picture, path] of pictures) {
    const answer = await fetch(picture);
    const bytes = Buffer.from(await answer.arrayBuffer());
    assert.equal(answer.status, 200, `${picture} of ${path}`);
    assert.equal(answer.headers.get("content-type"), "image/jpeg", picture);
    assert.deepEqual(measures(bytes), { width: 1200, height: 630 }, picture);
    assert.ok(bytes.length <= 60_000, `${picture} has ${bytes.length} bytes`);
  }
}

/** Icons and manifest are there. */
async function installs() {
  const manifest = await (await fetch(`${base}/manifest.webmanifest`)).json();
  assert.ok(manifest.name && manifest.theme_color && manifest.start_url === "/", JSON.stringify(manifest));
  for (const path of [...manifest.icons.map((icon) => icon.src), "/apple-touch-icon.png"]) {
    const answer = await fetch(base + path);
    assert.equal(answer.status, 200, path);
    assert.match(answer.headers.get("content-type") ?? "", /^image\/(png|svg\+xml)$/, path);
  }
}

/**
 * Without scripts a page has its heading and its text to the last one, as much of it as with scripts. The marketplace is a
 * program and has nothing to read without them.
 */
async function canBeRead(page, scripted, path) {
  if (path === "/kod-marketplace") return;
  await Promise.all([page.goto(base + path), scripted.goto(base + path, { waitUntil: "networkidle" })]);
  assert.equal(await page.locator("main h1").count(), 1, `${path} has its heading without scripts`);
  const headings = page.locator("main h2");
  if (await headings.count()) assert.ok(await headings.last().isVisible(), `${path} without scripts shows its last heading, ${await headings.last().textContent()}`);
  const { length } = await read(page);
  if (live.includes(path)) {
    assert.ok(length > 30, `${path} says something without scripts`);
    return;
  }
  const whole = await read(scripted);
  assert.ok(Math.abs(length - whole.length) <= 0.03 * whole.length, `${path} has ${length} characters to read without scripts, and ${whole.length} with them`);
}

/** What one can read of the page itself. */
async function read(page) {
  return (await page.locator("main").innerText()).replaceAll(/\s+/g, " ");
}

/** An address that leads nowhere says so, with the status and to a person. */
async function leadsNowhere() {
  const lost = await player(browser, phone, { allow: (response) => response.url().endsWith("/no/such/page") });
  const answer = await lost.page.goto(`${base}/no/such/page`, { waitUntil: "networkidle" });
  assert.equal(answer?.status(), 404);
  await lost.page.getByRole("heading", { level: 1, name: "No star is charted here" }).waitFor();
  await accessible(lost.page, "an address that leads nowhere");
  await lost.page.getByRole("link", { name: "Back to the beginning" }).click();
  await lost.page.waitForURL(`${base}/`);
  assert.deepEqual(lost.faults, []);
}

/** A page works without the style sheet of what scripts add to it, however that is answered. */
async function worksUnstyled(answer) {
  const context = await browser.newContext({ viewport: phone });
  const page = await context.newPage();
  await page.route("**/assets/*.css", answer);
  await page.goto(`${base}/login`, { waitUntil: "commit" });
  await ready(page, "Sign in");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByText("Enter your password.").waitFor();
  await context.close();
}

/** Width and height of a JPEG, from its frame header (ITU T.81, B.2.2). */
function measures(bytes) {
  for (let at = 2; at < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt16BE(at);
    if (marker >= 0xffc0 && marker <= 0xffc2) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
  }
  return undefined;
}
