// Takes the pictures of docs/screenshots from a running portal with a fresh demo world, every page of the site map and
// the player's own, at both widths, and lists them in docs/screenshots/README.md:
//
//   BASE_URL=http://127.0.0.1:8080 node test/e2e/screenshots.mjs
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { balanceOf, base, desktop, eventually, phone, player, register, start } from "./journeys/browser.mjs";

const folder = new URL("../../docs/screenshots/", import.meta.url);
/** How wide the kept pictures are, and how high at most, in pixels. */
const kept = { 1440: { width: 640, height: 1150 }, 390: { width: 300, height: 1100 } };
const quality = 0.42;

/** The player's own pages besides the inventory, which is taken when something has been bought. */
const own = [
  "/portal/edit", "/portal/edit/activity", "/portal/edit/achievements", "/portal/my-games", "/portal/my-immortals",
  "/portal/power-pack", "/shipwright/account/arks", "/shipwright/account/followers", "/shipwright/account/tokens",
];
const named = (path) => (path === "/" ? "home" : path.slice(1).replaceAll("/", "_"));

/** Turns a PNG into a smaller WebP picture, in the browser. */
async function webp(studio, png, size) {
  const data = await studio.evaluate(
    async ([source, { width, height }, q]) => {
      const bitmap = await createImageBitmap(await (await fetch(source)).blob());
      const canvas = document.createElement("canvas");
      canvas.width = width;
      canvas.height = Math.min(height, Math.round((bitmap.height * width) / bitmap.width));
      const context = canvas.getContext("2d");
      context.imageSmoothingQuality = "high";
      context.drawImage(bitmap, 0, 0, width, (bitmap.height * width) / bitmap.width);
      return canvas.toDataURL("image/webp", q);
    },
    [`data:image/png;base64,${png.toString("base64")}`, size, quality],
  );
  return Buffer.from(data.split(",")[1], "base64");
}

/** Lets everything load that loads when it comes near. */
async function settle(page) {
  await page.waitForLoadState("networkidle");
  await page.evaluate(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += innerHeight / 2) {
      scrollTo(0, y);
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    }
    scrollTo(0, 0);
    await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
  });
  await page.waitForLoadState("networkidle");
}

const browser = await start();
try {
  await mkdir(folder, { recursive: true });
  const studio = await (await browser.newContext()).newPage();
  const listed = [];
  const keep = async (page, name, fullPage = true) => {
    const { width } = page.viewportSize();
    const file = `${name}-${width}.webp`;
    await writeFile(new URL(file, folder), await webp(studio, await page.screenshot({ fullPage }), kept[width]));
    if (width === desktop.width) listed.push(name);
  };

  const map = await (await fetch(`${base}/sitemap.xml`)).text();
  // The market asks visitors to sign in: its picture is a player's.
  const paths = [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => new URL(url).pathname).filter((path) => path !== "/kod-marketplace");
  for (const viewport of [desktop, phone]) {
    const visitor = await player(browser, viewport);
    for (const path of [...paths, "/no-such-page"]) {
      await visitor.page.goto(base + path);
      await settle(visitor.page);
      await keep(visitor.page, named(path));
    }
    await visitor.context.close();

    const { context, page } = await player(browser, viewport);
    const { wallet } = await register(page);
    const { currency } = await (await fetch(`${base}/api/config`)).json();
    await eventually("the welcome money", async () => (await balanceOf(currency.address, wallet)) > 0n, 60_000);
    const { items } = await (await fetch(`${base}/api/marketplace/listings?sort=price-asc&collection=avatars&limit=1`)).json();
    const [listing] = items;
    await page.goto(`${base}/kod-marketplace`);
    await settle(page);
    await keep(page, "market", false);
    await page.goto(`${base}/kod-marketplace/marketplace/item/${listing.assetContractAddress}/${listing.tokenId}`);
    await page.getByRole("button", { name: `Hold ${listing.metadata.name}` }).first().click();
    await page.getByRole("button", { name: "Cart, 1 item" }).waitFor();
    await settle(page);
    await keep(page, "item");
    await page.getByRole("button", { name: "Cart, 1 item" }).click();
    await page.getByRole("dialog", { name: "Your cart" }).getByText(listing.metadata.name).waitFor();
    await keep(page, "cart", false);
    await page.getByRole("link", { name: "Go to checkout" }).click();
    const pay = page.getByRole("button", { name: /^Pay / });
    await eventually("the pay button", () => pay.isEnabled());
    await settle(page);
    await keep(page, "checkout");
    await pay.click();
    await page.getByText("It is yours").waitFor();
    await settle(page);
    await keep(page, "bought");
    await page.goto(`${base}/portal/my-inventory`);
    await settle(page);
    await keep(page, "inventory");
    for (const path of own) {
      await page.goto(base + path);
      await settle(page);
      await keep(page, named(path));
    }
    await context.close();
  }
  for (const file of await readdir(folder)) {
    if (file.endsWith(".webp") && !listed.includes(file.replace(/-\d+\.webp$/, ""))) await rm(new URL(file, folder));
  }
  const lines = listed.map((name) => `| ${name.replaceAll("_", "/")} | ![${name}, desktop](${name}-1440.webp) | ![${name}, phone](${name}-390.webp) |`);
  await writeFile(
    new URL("README.md", folder),
    `# Every page\n\nTaken by \`node test/e2e/screenshots.mjs\` from a fresh demo world. Of long pages, the beginning.\n\n| page | 1440 px | 390 px |\n|---|---|---|\n${lines.join("\n")}\n`,
  );
} finally {
  await browser.close();
}
