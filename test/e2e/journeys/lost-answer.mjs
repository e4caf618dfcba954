// The answer to a sent operation is lost, as on a phone that changes networks: what was opened is shown and what was listed is on
// the market, each once; also after a reload. What the player does meanwhile is left alone by the answer that comes later, and
// notices are in nobody's way.
import assert from "node:assert/strict";
import { base, call, desktop, eventually, journey, phone, player, register, start, starterKit, unitsOf } from "./browser.mjs";

const browser = await start();
await journey(browser, async () => {
  await Promise.all([desktop, phone].map(loses));
});

async function loses(viewport) {
  const { page, context, faults } = await player(browser, viewport, { ignore: /ERR_CONNECTION_RESET/ });
  const { wallet } = await register(page);
  await starterKit(page);
  const [pack] = (await call(page, "GET", "/api/auth/nft/listPacks")).items;
  const { products } = await (await fetch(`${base}/api/marketplace/getProducts`)).json();
  const { name } = products.find(
    ({ contract, productId }) => contract.toLowerCase() === pack.contract.toLowerCase() && productId === pack.tokenId,
  );

  // The server takes the next operation, and its answer does not arrive. `away`: nor does any other answer of the relay.
  let cut = false;
  let away = false;
  let sent = 0;
  await context.route("**/api/proxy/bundler/**", async (route) => {
    const isSend = route.request().postData()?.includes("eth_sendUserOperation");
    if (isSend) sent++;
    if (!cut && !away) return route.continue();
    if (cut) {
      if (!isSend) return route.continue();
      await route.fetch();
      cut = false;
    }
    await route.abort("connectionreset").catch(() => {}); // the page may have been left
  });

  // A pack is opened, and revealed. On the phone the page is reloaded before any answer.
  await page.goto(`${base}/kod-marketplace/packs`);
  await page.getByRole("article", { name }).waitFor();
  cut = true;
  away = viewport === phone;
  await page.getByRole("button", { name: `Open ${name}`, exact: true }).click();
  if (away) {
    await eventually("the answer is lost", async () => sent > 0 && !cut);
    await page.reload();
    await page.getByText("Hold the pack until the ring is full.").waitFor();
    away = false;
  }
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByRole("heading", { name: "Your card" }).waitFor({ timeout: 40_000 });
  assert.equal(await page.getByText("Could not open KOD pack").count(), 0);
  assert.equal(await unitsOf(pack.contract, wallet, pack.tokenId), 0n, "the pack is opened");

  // Something is listed. The confirmation leaves the page alone to which the player goes meanwhile.
  const [god] = (await call(page, "GET", "/api/auth/nft/listElderGods")).items;
  await page.goto(`${base}/portal/sell?item=${god.contract}:${god.tokenId}:1:33`);
  cut = true;
  away = true;
  await page.getByRole("button", { name: "List 1 item" }).click();
  await eventually("the answer is lost", async () => !cut);
  await page.getByRole("link", { name: "See your listings" }).first().click();
  await page.getByRole("tab", { name: "Sold" }).click();
  away = false;
  await eventually(
    "the listing is live",
    async () => (await call(page, "GET", "/api/auth/marketplace/my-listings?state=live")).items.length > 0,
  );
  assert.equal((await call(page, "GET", "/api/auth/marketplace/my-listings?state=live")).items.length, 1, "it is listed once");
  await page.getByRole("heading", { name: "On the market" }).waitFor({ timeout: 20_000 });
  assert.equal(new URL(page.url()).search, "?state=sold", "the address is as the player left it");

  // A notice does not take the press on what it covers, and does not stay because the pointer rests on it.
  await page.goto(`${base}/kod-marketplace`);
  const card = page.getByRole("button", { name: /^Add to cart: /, disabled: false }).first();
  await card.click();
  const notice = page.getByRole("region", { name: "Notices" }).getByText("in your cart", { exact: false });
  await notice.waitFor();
  const { x, y, width, height } = await notice.boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  const hit = await page.evaluate(
    ([left, top]) => document.elementFromPoint(left, top)?.closest("[aria-label=Notices]") ?? null,
    [x + width / 2, y + height / 2],
  );
  assert.equal(hit, null, "the press goes through the notice");
  await notice.waitFor({ state: "detached", timeout: 15_000 });
  assert.deepEqual(faults, []);
  await context.close();
}
