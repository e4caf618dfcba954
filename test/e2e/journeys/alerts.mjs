// A player saves a search and asks for a price alert, another lists what matches, and the alert's button holds it. On a
// desktop, with the pages looked at on a phone as well.
import assert from "node:assert/strict";
import { accessible, at, base, call, desktop, fits, journey, phone, player, press, register, shot, start, starterKit } from "./browser.mjs";

const browser = await start();
await journey(browser, async () => {
  const anna = await player(browser, desktop);
  const ben = await player(browser, desktop);
  await register(anna.page);
  await register(ben.page);
  await starterKit(anna.page);
  const [god] = (await call(anna.page, "GET", "/api/auth/nft/listElderGods")).items;
  const { name, collection } = god.metadata;
  const { page } = ben;

  // Spec: SELL-9
  // Ben saves a search, named after its filters.
  await page.goto(`${base}/kod-marketplace?collection=${collection}&max=40`, { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Save this search" }).click();
  const dialog = page.getByRole("dialog", { name: "Save this search" });
  assert.equal(await dialog.getByLabel("Name").inputValue(), "Elder Gods, up to 40.00 USDC");
  await isSound(page, "the dialog that saves a search");
  await dialog.getByLabel("Name").fill("A god of my own");
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("You are notified of new matches.").waitFor();

  // Spec: SELL-10
  // He watches the item itself, which nobody offers yet, and asks for an alert at a price it will not have.
  await page.goto(`${base}/kod-marketplace/marketplace/item/${god.contract}/${god.tokenId}`, { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Watch", exact: true }).click();
  await page.getByRole("button", { name: "On your watchlist" }).waitFor();
  await page.getByRole("button", { name: "Price alert" }).click();
  const alert = page.getByRole("dialog", { name: "Price alert" });
  await alert.getByLabel("Price in USDC").fill("a lot");
  await alert.getByRole("button", { name: "Notify me" }).click();
  await alert.getByText("Enter a number with at most 6 decimals, such as 12.50.").waitFor();
  await alert.getByLabel("Price in USDC").fill("5");
  await alert.getByRole("button", { name: "Notify me" }).click();
  await page.getByText("Price alert saved").waitFor();
  await page.goto(`${base}/portal/watchlist`, { waitUntil: "networkidle" });
  await page.getByRole("region", { name: "Items", exact: true }).getByText("Not for sale").waitFor();
  await page.getByRole("region", { name: "Recently viewed" }).getByText("Not for sale").waitFor();
  await page.getByRole("region", { name: "Saved searches" }).getByRole("link", { name: "A god of my own" }).waitFor();
  await isSound(page, "the watchlist");
  await shot(page, "watchlist-1440");
  await page.setViewportSize(phone);
  await isSound(page, "the watchlist");
  await shot(page, "watchlist-390");
  await page.setViewportSize(desktop);

  // In another tab he looks at the market with one card per item.
  const market = await page.context().newPage();
  await market.setViewportSize(desktop);
  await market.goto(`${base}/kod-marketplace?collection=${collection}`, { waitUntil: "networkidle" });
  await market.getByRole("checkbox", { name: "One card per item" }).check();
  await market.waitForURL(`${base}/kod-marketplace?collection=${collection}&cheapest=true`);
  await market.getByRole("feed", { name: "Listings" }).waitFor();

  // Anna lists it. The toast on Ben's page disappears after a few seconds, so waiting for it begins before.
  const told = page.getByText("A god of my own: for sale at 33.00 USDC.").waitFor({ timeout: 60_000 });
  told.catch(() => {}); // awaited below
  await anna.page.goto(`${base}/portal/sell?item=${god.contract}:${god.tokenId}`);
  await anna.page.getByLabel("Price of one, in USDC").fill("33");
  await press(anna.page, anna.page.getByRole("button", { name: "List 1 item" }));
  await anna.page.getByRole("heading", { name: "On the market" }).waitFor({ timeout: 20_000 });

  // Its card appears without a reload.
  await market.getByRole("button", { name: `Add to cart: ${name}` }).waitFor();
  await isSound(market, "the market with one card per item");
  await market.setViewportSize(phone);
  await isSound(market, "the market with one card per item");
  await market.close();

  // Spec: SELL-12
  // Ben is told on the page where he is, of the search alone, and holds it by the alert's button.
  await told;
  await page.getByRole("region", { name: "Items", exact: true }).getByText("33.00").waitFor();
  await page.getByRole("link", { name: "Notifications, 1 unread" }).click();
  const row = page.getByRole("listitem").filter({ hasText: "A god of my own: for sale at 33.00 USDC." });
  await row.getByRole("button", { name: `Add to cart: ${name}` }).waitFor();
  await isSound(page, "an alert");
  await shot(page, "alert-1440");
  await page.setViewportSize(phone);
  await isSound(page, "an alert");
  await shot(page, "alert-390");
  await page.setViewportSize(desktop);
  await row.getByRole("button", { name: `Add to cart: ${name}` }).click();
  await page.getByText(`${name} is held for you`).waitFor();
  await row.getByRole("link", { name: "In your cart: go to checkout" }).click();
  await page.waitForURL(`${base}/kod-marketplace/marketplace/checkout`);
  await page.getByText(name).first().waitFor();
  const { items } = await call(page, "GET", "/api/auth/marketplace/cart");
  assert.deepEqual(
    items.map(({ listing }) => listing?.tokenId ?? god.tokenId),
    [god.tokenId],
    "the cart has what the alert was about",
  );

  // Another player finds nothing of it. Ben switches the alerts off and removes both.
  assert.deepEqual((await call(anna.page, "GET", "/api/auth/marketplace/searches")).items, []);
  assert.deepEqual((await call(anna.page, "GET", "/api/auth/marketplace/watchlist")).items, []);
  await page.goto(`${base}/portal/watchlist`);
  const notify = page.getByRole("checkbox", { name: "Notify me of new matches: A god of my own" });
  const saved = page.waitForResponse(
    (response) => response.request().method() === "PUT" && response.url().includes("/marketplace/searches/"),
  );
  await notify.click();
  assert.ok((await saved).ok());
  await page.reload();
  await notify.and(page.locator(":not(:checked)")).waitFor();
  await page.getByRole("button", { name: "Delete A god of my own" }).click();
  await page.getByRole("button", { name: `Delete ${name}` }).click();
  await page.getByText("None yet.").waitFor();
  await page.getByRole("button", { name: `Stop watching ${name}` }).click();
  await page.getByText("You watch no items").waitFor();
  assert.deepEqual([...anna.faults, ...ben.faults], []);
});

async function isSound(page, where) {
  await accessible(page, `${where} ${at(page)}`);
  await fits(page, `${where} ${at(page)}`);
}
