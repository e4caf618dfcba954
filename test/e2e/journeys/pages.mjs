// Every public page: found and shared by its own address, and read without scripts. How they look and behave with scripts
// is crawl.mjs.
import assert from "node:assert/strict";
import { accessible, base, phone, player, start } from "./browser.mjs";

/** Public pages that search engines are asked not to list. */
const unlisted = [
  "/forgot-password", "/reset-password", "/new-password", "/auth/callback/twitter", "/getuserinfo", "/unauthorized-country",
  "/kod-marketplace/timeout", "/kod-marketplace/create-smart-wallet",
];

const robots = await (await fetch(`${base}/robots.txt`)).text();
assert.ok(robots.includes(`Sitemap: ${base}/sitemap.xml`), robots);
const sitemap = await (await fetch(`${base}/sitemap.xml`)).text();
const listed = [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map((match) => match[1]);
assert.ok(listed.length >= 35, `only ${listed.length} pages are listed`);
for (const address of listed) assert.ok(address.startsWith(`${base}/`), address);
const pages = [...listed.map((address) => address.slice(base.length)), ...unlisted];

await describesItself();
await installs();

const browser = await start();
try {
  const plain = await browser.newContext({ viewport: phone, javaScriptEnabled: false });
  const reader = await plain.newPage();
  for (const path of pages) await canBeRead(reader, path);
  await leadsNowhere();
  await needsAPlayer();
} finally {
  await browser.close();
}
console.log(`${pages.length} pages`);

/** Each page names its own address and has a picture to be shared with. */
async function describesItself() {
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
    pictures.set(picture, path);
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

/** Without scripts. The marketplace is a program and has nothing to read without them. */
async function canBeRead(page, path) {
  if (path.startsWith("/kod-marketplace")) return;
  await page.goto(base + path);
  assert.equal(await page.locator("main h1").count(), 1, `${path} has its heading without scripts`);
  assert.ok((await page.locator("main").innerText()).length > 60, `${path} can be read without scripts`);
}

/** An address that leads nowhere says so, with the status and to a person. */
async function leadsNowhere() {
  const lost = await player(browser, phone, (response) => response.url().endsWith("/no/such/page"));
  const answer = await lost.page.goto(`${base}/no/such/page`, { waitUntil: "networkidle" });
  assert.equal(answer?.status(), 404);
  await lost.page.getByRole("heading", { level: 1, name: "No star is charted here" }).waitFor();
  await accessible(lost.page, "an address that leads nowhere");
  await lost.page.getByRole("link", { name: "Back to the beginning" }).click();
  await lost.page.waitForURL(`${base}/`);
  assert.deepEqual(lost.faults, []);
}

/** Pages of a player lead a visitor to the sign-in, which knows the way back. */
async function needsAPlayer() {
  const visitor = await player(browser, phone);
  for (const path of ["/portal/edit", "/portal/power-pack", "/shipwright/account/arks"]) {
    await visitor.page.goto(base + path);
    await visitor.page.waitForURL(`${base}/login?from=${encodeURIComponent(path)}`);
  }
  assert.deepEqual(visitor.faults, []);
}

/** Width and height of a JPEG, from its frame header (ITU T.81, B.2.2). */
function measures(bytes) {
  for (let at = 2; at < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt16BE(at);
    if (marker >= 0xffc0 && marker <= 0xffc2) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
  }
  return undefined;
}
