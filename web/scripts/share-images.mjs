// Draws a picture of 1200×630 for every page that can be shared, from the built page's own heading, picture, type and
// colours, and the site's icons from `icon.svg`. Started by scripts/share-images.
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { chromium } from "playwright-core";

const web = join(import.meta.dirname, "..");
const built = join(web, "build/client");
const target = join(web, "brand/public");
/** The most a picture may weigh, in bytes. */
const most = 60_000;
const origin = "https://site.invalid";
/** For pages without a picture. */
const ownArt = "/generated/scene-market.svg";

const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
if (!executablePath) throw new Error("There is no Chromium: install your system's package (on Debian: chromium).");
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb"] });
const context = await browser.newContext({ viewport: { width: 1200, height: 630 }, reducedMotion: "reduce", javaScriptEnabled: false });
const types = { ".html": "text/html", ".svg": "image/svg+xml", ".woff2": "font/woff2", ".webp": "image/webp", ".png": "image/png" };
const cards = new Map();
await context.route(`${origin}/**`, async (route) => {
  const { pathname } = new URL(route.request().url());
  const card = cards.get(pathname);
  if (card) return route.fulfill({ contentType: "text/html", body: card });
  const file = fileAt(pathname);
  return existsSync(file) ? route.fulfill({ contentType: types[extname(file)], body: await readFile(file) }) : route.abort();
});
const tab = await context.newPage();

await rm(join(target, "share"), { recursive: true, force: true });
await mkdir(join(target, "share"), { recursive: true });
for (const name of (await readdir(built, { recursive: true })).filter((file) => file.endsWith("index.html")).sort()) {
  const html = await readFile(join(built, name), "utf8");
  const path = new RegExp(`<meta property="og:image" content="${origin}([^"]*)"`).exec(html)?.[1];
  if (!path || html.includes('<meta name="robots" content="noindex"')) continue;
  cards.set("/card", cardOf(html));
  await tab.goto(`${origin}/card`, { waitUntil: "networkidle" });
  const picture = await jpeg(tab);
  await writeFile(join(target, path), picture);
  console.log(`${String(picture.length).padStart(6)}  ${path}`);
}

const icon = await readFile(join(target, "icon.svg"), "utf8");
const ground = /<meta name="theme-color" content="([^"]*)"/.exec(await readFile(join(built, "index.html"), "utf8"))?.[1];
for (const [name, size] of Object.entries({ "apple-touch-icon": 180, "icon-192": 192, "icon-512": 512 })) {
  await tab.setViewportSize({ width: size, height: size });
  // Platforms cut icons to their own shape: what matters stays within the middle circle of 80 percent.
  await tab.setContent(`<style>body{margin:0;background:${ground};display:grid;place-items:center;height:100vh}svg{width:62%}</style>${icon}`);
  await tab.screenshot({ path: join(target, `${name}.png`) });
}
await browser.close();

function fileAt(path) {
  return join(path.startsWith("/generated/") ? web : built, path);
}

/** The page of one picture. */
function cardOf(html) {
  const between = (pattern) => pattern.exec(html)?.[1] ?? "";
  const main = html.slice(html.indexOf("<main"));
  const site = between(/<meta property="og:site_name" content="([^"]*)"/);
  const title = between(/<title>([^<]*)<\/title>/).replace(` · ${site}`, "");
  const heading = /<h1[^>]*>(.*?)<\/h1>/s.exec(main)?.[1] ?? title;
  const image = /<img[^>]* src="(\/assets\/[^"]*\.svg)"/.exec(main)?.[1] ?? ownArt;
  const [, width, height] = /viewBox="[\d.]+ [\d.]+ ([\d.]+) ([\d.]+)"/.exec(readFileSync(fileAt(image), "utf8")) ?? [];
  return `<!doctype html><html lang="en"><meta charset="utf-8">
    <style>${between(/<style id="styles">(.*?)<\/style>/s)}</style>
    <style>
      body { width: 1200px; height: 630px; min-height: 0; overflow: hidden; position: relative; }
      .art { position: absolute; }
      .beside { right: -30px; top: -34px; width: 540px; }
      .behind { right: 0; top: 0; width: 1200px; height: 630px; object-fit: cover; object-position: 100% 40%; }
      .shade { position: absolute; inset: 0; background: linear-gradient(90deg, var(--color-night) 26%, transparent 72%); }
      .scale { position: absolute; inset: 0 auto 0 0; width: 10px; }
      .words { position: absolute; inset: 56px auto 56px 72px; width: 690px; display: flex; flex-direction: column; }
      .house { display: flex; gap: 16px; align-items: center; font-size: 40px; line-height: 1; letter-spacing: 0.05em; }
      .house svg { width: 54px; height: 54px; }
      h1 { margin-top: auto; font-size: ${heading.length > 22 ? 112 : 140}px; line-height: 0.9; text-wrap: balance; }
      .caption { margin-top: 28px; font-size: 22px; }
    </style>
    <body>
      <img class="art ${Number(width) > Number(height) ? "behind" : "beside"}" src="${image}">
      <div class="shade"></div><div class="scale scale-y"></div>
      <div class="words">
        <div class="house display">${readFileSync(join(target, "icon.svg"), "utf8")}${site}</div>
        <h1 class="display">${heading}</h1>
        <p class="caption text-bronze">${title === heading ? "" : title}</p>
      </div>
    </body></html>`;
}

/** What the tab shows, as light as it must be. */
async function jpeg(page) {
  for (let quality = 88; quality >= 30; quality -= 6) {
    const picture = await page.screenshot({ type: "jpeg", quality });
    if (picture.length <= most) return picture;
  }
  throw new Error(`A picture does not fit into ${most} bytes.`);
}
