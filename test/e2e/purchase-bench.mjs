// Prints how long purchases take in Chromium, from the click on "Pay" until "It is yours" is painted, as a table, from a
// running portal with a fresh demo world. The times are taken inside the page. One player buys COUNT items (30 by default),
// one after the other, faster than the rate limits allow: the portal must run with LIMIT_CART_CHANGES=0 and
// LIMIT_SIGNATURES=0 and DEV_BLOCK_LEAD=1h. Every purchase is checked against the chain:
//
//   BASE_URL=http://127.0.0.1:8080 node test/e2e/purchase-bench.mjs
import assert from "node:assert/strict";
import { balanceOf, base, desktop, eventually, journey, ownerOf, player, readMarket, register, start } from "./journeys/browser.mjs";

const count = Number(process.env.COUNT ?? 30);
/** Milliseconds at the median. */
const target = 150;

const { currency } = await (await fetch(`${base}/api/config`)).json();
const { items } = await readMarket("listings?sort=price-asc&collection=avatars&limit=100");
assert.ok(items.length >= count, `the market has ${count} avatars`);
const listings = items.slice(0, count);
const price = listings.reduce((sum, { pricePerToken }) => sum + BigInt(pricePerToken), 0n);

/** Adds the listing's item to the cart and goes to the checkout. Returns the button "Pay". */
async function choose(page, { assetContractAddress, tokenId, metadata: { name } }) {
  await page.goto(`${base}/kod-marketplace/marketplace/item/${assetContractAddress}/${tokenId}`);
  await page
    .getByRole("button", { name: `Add to cart: ${name}` })
    .first()
    .click();
  await page.getByRole("button", { name: "Cart, 1 item" }).click();
  await page.getByRole("dialog", { name: "Your cart" }).getByRole("link", { name: "Go to checkout" }).click();
  const pay = page.getByRole("button", { name: /^Pay / });
  await eventually("the pay button", () => pay.isEnabled());
  return pay;
}

/** Times the next click in the page, until the task after the frame that shows the result. */
async function watch(page) {
  await page.evaluate(() => {
    window.bought = new Promise((resolve, reject) => {
      setTimeout(() => reject(new Error("no end of the purchase within 30 s")), 30_000);
      const clicked = (event) => {
        const observer = new MutationObserver(() => {
          const ending = document.querySelector("main [role=status] h2")?.textContent;
          if (!ending) return;
          observer.disconnect();
          requestAnimationFrame(() => setTimeout(() => resolve({ ending, time: performance.now() - event.timeStamp })));
        });
        observer.observe(document.body, { childList: true, subtree: true, characterData: true });
      };
      addEventListener("click", clicked, { capture: true, once: true });
    });
  });
}

const browser = await start();
await journey(browser, async () => {
  const { page, faults } = await player(browser, desktop);
  const { wallet } = await register(page);
  const money = () => balanceOf(currency.address, wallet);
  await eventually("the welcome money", async () => (await money()) > 0n);
  const before = await money();
  assert.ok(before >= price, `the welcome money pays for ${count} items`);
  const times = [];
  for (const [n, listing] of listings.entries()) {
    // The number of sponsored operations in a minute is limited.
    if (n >= 12) await page.waitForTimeout(5_000);
    const pay = await choose(page, listing);
    await watch(page);
    await pay.click();
    const { ending, time } = await page.evaluate(() => window.bought);
    assert.equal(ending, "It is yours");
    assert.equal(await ownerOf(listing.assetContractAddress, listing.tokenId), wallet.toLowerCase(), "the chain says who owns it");
    times.push(time);
  }
  assert.equal(before - (await money()), price, "the buyer paid the prices and nothing else");
  assert.deepEqual(faults, [], "what went wrong in the browser");
  times.sort((a, b) => a - b);
  const at = (part) => `${Math.round(times[Math.min(times.length - 1, Math.floor(times.length * part))])} ms`;
  console.log("| purchases | p50 | p90 | longest | target, p50 |\n|---|---|---|---|---|");
  console.log(`| ${times.length} | ${at(0.5)} | ${at(0.9)} | ${at(1)} | ${target} ms |`);
});
