// Creates a share image of 1200×630 for every page, from the built page's own heading, image, type and colours; one
// for each collection, shared by the pages of its items; and the site's icons from `icon.svg`. Started by
// scripts/share-images.
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { extname, join, resolve } from "node:path";
import { chromium } from "playwright-core";

const web = join(import.meta.dirname, "..");
const built = join(web, "build/client");
const target = resolve(web, "..", process.env.BRAND || "brands/pantheon", "web/public");
/** The maximum size of an image, in bytes. */
const most = 52_000;
const origin = "https://site.invalid";
/** For pages without an image: the market, and the legal texts. */
const ownArt = (page) =>
  [`scene-${page === "kod-marketplace/index.html" ? "market" : "office"}.svg`, "scene.svg"]
    .map((name) => `/art/${name}`)
    .find((path) => existsSync(fileAt(path)));
/** The position of the lit figure in a wide scene, as a fraction of the width; right of the centre by default. */
const figures = { agora: 0.68, doors: 0.23, hall: 0.58, merge: 0.5, road: 0.82, throne: 0.6, wall: 0.72 };

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
  await draw(path, cardOf(html, name));
}
const home = await readFile(join(built, "index.html"), "utf8");
for (const { slug, name, picture } of JSON.parse(await readFile(join(web, "brand/art/collections.json"), "utf8"))) {
  const art = `<img class="art chart" src="/art/scene-wheel.svg"><img class="art emblem" src="/art/${picture}">`;
  await draw(`/share/collection-${slug}.jpg`, card(home, name, "The market", art));
}

const icon = await readFile(join(target, "icon.svg"), "utf8");
const ground = /<meta name="theme-color" content="([^"]*)"/.exec(home)?.[1];
for (const [name, size] of Object.entries({ "apple-touch-icon": 180, "icon-192": 192, "icon-512": 512 })) {
  await tab.setViewportSize({ width: size, height: size });
  // Platforms crop icons to their own shape: the content stays within the central circle of 80 percent.
  await tab.setContent(
    `<style>body{margin:0;background:${ground};display:grid;place-items:center;height:100vh}svg{width:62%}</style>${icon}`,
  );
  await tab.screenshot({ path: join(target, `${name}.png`) });
}
await browser.close();

function fileAt(path) {
  return join(path.startsWith("/art/") ? join(web, "brand") : built, path);
}

async function draw(path, html) {
  cards.set("/card", html);
  await tab.goto(`${origin}/card`, { waitUntil: "networkidle" });
  const picture = await jpeg(tab);
  await writeFile(join(target, path), picture);
  console.log(`${String(picture.length).padStart(6)}  ${path}`);
}

/** The image of a built page: its heading, its title if different, and its first picture. */
function cardOf(html, name) {
  const main = html.slice(html.indexOf("<main"));
  const title = /<title>([^<]*)<\/title>/.exec(html)?.[1].replace(` · ${siteOf(html)}`, "") ?? "";
  const heading = /<h1[^>]*>(.*?)<\/h1>/s.exec(main)?.[1] ?? title;
  const src = /<img[^>]* src="(\/assets\/[^"]*\.svg)"/.exec(main)?.[1] ?? ownArt(name);
  const [, width, height] = /viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"/.exec(readFileSync(fileAt(src), "utf8")).map(Number);
  const scene = /\/scene-([a-z-]+?)(?:-[\w-]{8})?\.svg/.exec(src)?.[1];
  const kind = !scene ? "beside" : width > height ? "behind" : width === height ? "round" : "tall";
  // A wide scene is scaled to the image's height, with its figure right of the text.
  const left = Math.max(1200 - (630 * width) / height, 880 - ((figures[scene] ?? 0.66) * 630 * width) / height);
  const shade = left > 400 ? [left, left + 180] : [400, 860];
  return card(
    html,
    heading,
    title === heading ? "" : title,
    `<img class="art ${kind}" src="${src}"><div class="shade ${kind}"></div>`,
    left,
    shade,
  );
}

function siteOf(html) {
  return /<meta property="og:site_name" content="([^"]*)"/.exec(html)?.[1] ?? "";
}

/** The HTML of one image, with the style sheet of a built page. */
function card(html, heading, caption, art, left = 0, [from, to] = [0, 0]) {
  return `<!doctype html><html lang="en"><meta charset="utf-8">
    <style>${/<style id="styles">(.*?)<\/style>/s.exec(html)?.[1]}</style>
    <style>
      body { width: 1200px; height: 630px; min-height: 0; overflow: hidden; position: relative; }
      .art { position: absolute; max-width: none; }
      .beside { right: -20px; top: -20px; width: 580px; }
      .tall { right: -20px; top: -20px; width: 560px; }
      .round { right: -50px; top: 5px; width: 620px; height: 620px; }
      .behind { left: ${left}px; top: 0; height: 630px; width: auto; }
      .chart { right: -200px; top: -145px; width: 920px; opacity: 0.2; }
      .emblem { right: 10px; top: 45px; height: 540px; width: 500px; object-fit: contain; }
      .shade { position: absolute; inset: 0; width: auto; height: auto; }
      .shade.behind { left: 0; background: linear-gradient(90deg, var(--color-night) ${from}px, transparent ${to}px); }
      .shade.tall { background: linear-gradient(90deg, var(--color-night) 55%, transparent 68%); }
      .shade.round { background: linear-gradient(90deg, var(--color-night) 52%, transparent 60%); }
      .scale { position: absolute; inset: 0 auto 0 0; width: 10px; }
      .words { position: absolute; inset: 56px auto 56px 72px; width: 550px; display: flex; flex-direction: column; }
      .house { display: flex; gap: 16px; align-items: center; font-size: 40px; line-height: 1; letter-spacing: 0.05em; }
      .house svg { width: 54px; height: 54px; }
      h1 { margin-top: auto; font-size: ${heading.length > 22 ? 112 : 136}px; line-height: 0.9; text-wrap: balance; }
      .caption { margin-top: 28px; font-size: 22px; }
    </style>
    <body>
      ${art}<div class="scale scale-y"></div>
      <div class="words">
        <div class="house display">${readFileSync(join(target, "icon.svg"), "utf8")}${siteOf(html)}</div>
        <h1 class="display">${heading}</h1>
        <p class="caption text-bronze">${caption}</p>
      </div>
    </body></html>`;
}

/** A screenshot of the tab, compressed below the limit. */
async function jpeg(page) {
  for (let quality = 82; quality >= 22; quality -= 6) {
    const picture = await page.screenshot({ type: "jpeg", quality });
    if (picture.length <= most) return picture;
  }
  throw new Error(`A picture does not fit into ${most} bytes.`);
}
