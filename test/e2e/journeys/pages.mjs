// Every public page can be found and shared by its own address. How they look, with scripts and without, is tested in
// crawl.mjs.
import assert from "node:assert/strict";
import { accessible, base, journey, phone, player, ready, start } from "./browser.mjs";
import { listed, unlisted } from "./routes.mjs";

const robots = await (await fetch(`${base}/robots.txt`)).text();
assert.ok(robots.includes(`Sitemap: ${base}/sitemap.xml`), robots);
const pages = [...listed.keys(), ...unlisted.keys()];

await describesItself();
await installs();

const browser = await start();
await journey(browser, async () => {
  await leadsNowhere();
  await worksUnstyled((route) => route.abort());
  await worksUnstyled(() => {});
});
console.log(`${pages.length} pages`);

/** Each page has its own canonical address and an image for sharing. */
// Spec: PAGE-1
async function describesItself() {
  /** Image → the page it was made for; pages that are not listed share the site's. */
  const pictures = new Map();
  for (const path of pages) {
    const answer = await fetch(base + path);
    assert.equal(answer.status, 200, path);
    const html = await answer.text();
    const of = (pattern) => pattern.exec(html)?.[1];
    assert.equal(of(/<link rel="canonical" href="([^"]*)"/), base + path, `${path}: canonical address`);
    assert.equal(of(/<meta property="og:url" content="([^"]*)"/), base + path, `${path}: address when shared`);
    for (const name of ["og:title", "og:description", "og:site_name"])
      assert.ok(of(new RegExp(`<meta property="${name}" content="([^"]+)"`)), `${path}: ${name}`);
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

/** Icons and manifest exist. */
async function installs() {
  const manifest = await (await fetch(`${base}/manifest.webmanifest`)).json();
  assert.ok(manifest.name && manifest.theme_color && manifest.start_url === "/", JSON.stringify(manifest));
  for (const path of [...manifest.icons.map((icon) => icon.src), "/apple-touch-icon.png"]) {
    const answer = await fetch(base + path);
    assert.equal(answer.status, 200, path);
    assert.match(answer.headers.get("content-type") ?? "", /^image\/(png|svg\+xml)$/, path);
  }
}

/** An unknown address says so, with the status and on the page. */
// Spec: PAGE-21
async function leadsNowhere() {
  const lost = await player(browser, phone, { allow: (response) => response.url().endsWith("/no/such/page") });
  const answer = await lost.page.goto(`${base}/no/such/page`, { waitUntil: "networkidle" });
  assert.equal(answer?.status(), 404);
  await lost.page.getByRole("heading", { level: 1, name: "Page not found" }).waitFor();
  await accessible(lost.page, "an address that leads nowhere");
  await lost.page.getByRole("link", { name: "To the home page" }).click();
  await lost.page.waitForURL(`${base}/`);
  assert.deepEqual(lost.faults, []);
}

/** A page works without the style sheet for scripted content, however its request fails. */
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
