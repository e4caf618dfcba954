// Another brand with existing contracts, from sign-up to withdrawal: Anna sells an engine, Ben finds it by its traits and buys it with a
// currency of 18 decimals, and Anna withdraws money. No response to the browsers has a word of the built-in brand. ENGINES_ADDRESS and
// WAGONS_ADDRESS are printed by deploy.mjs, STUDIO_KEY is the same.
import assert from "node:assert/strict";
import { createWalletClient, erc721Abi, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import {
  accessible,
  balanceOf,
  base,
  desktop,
  emailTo,
  eventually,
  fits,
  journey,
  ownerOf,
  phone,
  player,
  register,
  shot,
  start,
} from "../e2e/journeys/browser.mjs";

const { ENGINES_ADDRESS: engines, WAGONS_ADDRESS: wagons, STUDIO_KEY, GAME_CHAIN_RPC_URL } = process.env;
const friend = "0xfeed00000000000000000000000000000000beef";
const fare = 10n ** 18n;

/** Words of the built-in brand. */
const others = /pantheon|destiny|elder|olymp|infini(?!t)|piggy/gi;
/** Names of calls, fields, messages and protocols, which are the same for every brand. */
const protocol = new RegExp(
  [
    String.raw`pantheon/(draw|record|records|table)/[a-z/]*v\d|pantheon verify`,
    "isVipPiggy|(list|open|break|user)?piggy[-_]?[a-z]+",
    "destiny-?pack|destiny-(bronze|silver|gold)|elder-?gods?",
  ].join("|"),
  "gi",
);

/** Collects words of the built-in brand in the responses to a browser. */
function listen(context, found) {
  context.on("response", async (response) => {
    const { origin, pathname } = new URL(response.url());
    const type = response.headers()["content-type"] ?? "";
    if (origin !== base || !/text|json|javascript|svg|xml/.test(type)) return;
    if (/\/assets\/strength-/.test(pathname)) return; // the most common passwords
    const text = await response.text().catch(() => ""); // the page has been left
    const words = /javascript/.test(type) ? text.replaceAll(protocol, "") : text;
    for (const match of words.matchAll(others)) {
      found.add(`${pathname}: …${words.slice(Math.max(0, match.index - 40), match.index + 40)}…`);
    }
  });
}

const browser = await start();
await journey(browser, async () => {
  const anna = await player(browser, desktop);
  const ben = await player(browser, phone);
  const found = new Set();
  listen(anna.context, found);
  listen(ben.context, found);

  // The first page, with the news.
  await anna.page.goto(base);
  await anna.page.getByRole("heading", { name: "Drive your own train" }).waitFor();
  await anna.page.getByRole("region", { name: "Announcement" }).getByText("Trains run every night.").waitFor();
  await accessible(anna.page, "the first page");
  await shot(anna.page, "brand-home-1440");
  await anna.page.getByRole("button", { name: "Close: The line is open" }).click();
  await ben.page.goto(base);
  await fits(ben.page, "the first page on a phone");
  await shot(ben.page, "brand-home-390");
  await ben.page.getByRole("button", { name: "Close: The line is open" }).click();

  const seller = await register(anna.page);
  const buyer = await register(ben.page);
  const { currency } = await (await fetch(`${base}/api/config`)).json();
  assert.deepEqual([currency.symbol, currency.decimals], ["FARE", 18]);
  const money = (who) => balanceOf(currency.address, who.wallet);
  await eventually("the welcome money", async () => (await money(seller)) === 500n * fare && (await money(buyer)) === 500n * fare, 60_000);

  // An engine that is transferred outside the portal appears in the inventory.
  const studio = createWalletClient({ account: privateKeyToAccount(STUDIO_KEY), transport: http(GAME_CHAIN_RPC_URL) });
  const moved = {
    address: engines,
    abi: erc721Abi,
    functionName: "transferFrom",
    args: [studio.account.address, seller.wallet, 7n],
    chain: null,
  };
  await studio.writeContract(moved);
  await anna.page.goto(`${base}/portal/my-inventory`);
  await anna.page.getByRole("link", { name: "Sell Engine No. 7", exact: true }).waitFor({ timeout: 60_000 });
  await accessible(anna.page, "the inventory");
  await shot(anna.page, "brand-inventory-1440");
  await anna.page.getByRole("link", { name: "Sell Engine No. 7", exact: true }).click();
  await anna.page.getByLabel("Price of one, in FARE").fill("12.345678901234567");
  await anna.page.getByRole("button", { name: "List 1 item" }).click();
  await anna.page.getByRole("heading", { name: "On the market" }).waitFor({ timeout: 30_000 });

  // Ben finds it by its traits and its price.
  await ben.page.goto(`${base}/kod-marketplace?collection=engines`);
  await ben.page.getByText("Engines of the old lines, #1 to #2000.").waitFor(); // the contract says so
  await ben.page.getByRole("button", { name: "Filters" }).click();
  const filters = ben.page.getByRole("dialog", { name: "Filters" });
  await filters.getByText("Class", { exact: true }).click();
  await filters.getByRole("checkbox", { name: /^Express/ }).check();
  await filters.getByLabel("Lowest price").fill("12.34");
  await filters.getByLabel("Highest price").fill("12.35");
  await shot(ben.page, "brand-filters-390");
  await filters.getByRole("button", { name: "Show listings" }).click();
  const card = ben.page.getByRole("article").filter({ hasText: "Engine No. 7" });
  await card.waitFor();
  await fits(ben.page, "the market on a phone");
  await shot(ben.page, "brand-market-390");
  await card.getByRole("button", { name: /^Add to cart: Engine No. 7/ }).click();
  await ben.page.getByRole("button", { name: "Cart, 1 item" }).click();
  await ben.page.getByRole("dialog", { name: "Your cart" }).getByRole("link", { name: "Go to checkout" }).click();
  const pay = ben.page.getByRole("button", { name: /^Pay 12\.345678901234567 FARE/ });
  await eventually("the pay button", () => pay.isEnabled());
  await fits(ben.page, "the checkout on a phone");
  await shot(ben.page, "brand-checkout-390");
  await pay.click();
  await ben.page.getByText("It is yours").waitFor({ timeout: 30_000 });
  assert.equal(await ownerOf(engines, 7), buyer.wallet.toLowerCase());
  assert.equal(await money(buyer), 500n * fare - 12_345_678_901_234_567_000n);

  // Tokens with on-chain metadata, and with metadata on an HTTPS host.
  await ben.page.goto(`${base}/kod-marketplace/marketplace/item/${engines}/1100`);
  await ben.page.getByRole("heading", { name: "Engine No. 1100" }).waitFor();
  await anna.page.goto(`${base}/kod-marketplace/marketplace/item/${wagons}/5`);
  await anna.page.getByRole("heading", { name: "Mail wagon 5" }).waitFor();
  await shot(anna.page, "brand-wagon-1440");

  // Anna takes money out.
  await anna.page.goto(`${base}/portal/money?tab=addresses`);
  await anna.page.getByLabel("Address", { exact: true }).fill(friend);
  await anna.page.getByLabel("Name", { exact: true }).fill("Ben");
  await anna.page.getByRole("button", { name: "Save the address" }).click();
  await anna.page.getByText("Ben is saved.").waitFor();
  await anna.page.goto(`${base}/portal/money?tab=send`);
  await anna.page.getByLabel("FARE to send").fill("20.5");
  const saved = anna.page.getByLabel("Send to").getByRole("option", { name: /^Ben/ });
  await anna.page.getByLabel("Send to").selectOption(await saved.getAttribute("value"));
  await shot(anna.page, "brand-send-1440");
  await anna.page.getByRole("button", { name: "Continue" }).click();
  await anna.page.getByRole("heading", { name: "Check and confirm" }).waitFor();
  const code = /^ {4}(\d{8})$/m.exec(await emailTo(seller.email, "Your code for sending from your wallet"))?.[1];
  await anna.page.getByLabel("Code", { exact: true }).fill(code);
  await anna.page.keyboard.press("Enter");
  await anna.page.getByRole("button", { name: "Send", exact: true }).click({ timeout: 30_000 });
  await eventually("the money arrives", async () => (await balanceOf(currency.address, friend)) === 205n * (fare / 10n));
  const { items } = await (await fetch(`${base}/dev/mail`, { headers: { Accept: "application/json" } })).json();
  for (const mail of items) assert.doesNotMatch(JSON.stringify(mail), others, "a mail of the brand");

  // The metadata of all tokens is read.
  await eventually(
    "all 2,000 tokens have their names",
    async () => {
      const names = await Promise.all(
        [
          ...Array.from({ length: 1200 }, (_, i) => [engines, i + 1, `Engine No. ${i + 1}`]),
          ...Array.from({ length: 800 }, (_, i) => [wagons, i + 1, `Mail wagon ${i + 1}`]),
        ].map(async ([contract, id, name]) => (await (await fetch(`${base}/metadata/${contract}/${id}`)).json()).name === name),
      );
      return names.every(Boolean);
    },
    180_000,
  );
  assert.deepEqual(anna.faults, [], "what went wrong in Anna's browser");
  assert.deepEqual(ben.faults, [], "what went wrong in Ben's browser");
  assert.deepEqual([...found], [], "words of the brand that comes along");
});
