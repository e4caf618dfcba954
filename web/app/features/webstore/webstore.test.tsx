import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { MemoryRouter, Route, Routes, useLocation } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { flags } from "~/features/flags/store";
import { keepNonce } from "~/features/packs/nonces";
import { dispatch } from "~/features/realtime/messages";
import type { Reward } from "~/features/reward/queries";
import { session } from "~/features/session/store";
import { keepWallet } from "~/features/wallet/connection";
import { sendings } from "~/features/wallet/sending";
import { wallet } from "~/features/wallet/store";
import { queryClient } from "~/lib/query";
import { keys } from "~/lib/storage";
import { destinyTable, godTable, purchaseReceipt, sealed as sealedReceipt } from "../../../test/draws";
import { expectFocus } from "../../../test/focus";
import { clientConfig, contract, signedIn } from "../../../test/make";
import { oddsOf, tableOdds } from "../../../test/packs";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { answerWallet, chain, smart, usdc, type WalletWorld } from "../../../test/wallet";
import { HandOver } from "./components/hand-over";
import { OrderPage, patience } from "./components/order-page";
import { Orders } from "./components/orders";
import { ProductPage } from "./components/product-page";
import { Shop } from "./components/shop";
import { useLiveWebstore } from "./live";
import { type Debt, type HandOff, type Order, type Product, pollEvery, pollLater, type Variation } from "./queries";
import { saleOf } from "./texts";

const variation = (some: Partial<Variation> = {}) =>
  ({
    variationId: 201,
    name: "A pouch of 500",
    price: "2.99",
    currency: "EUR",
    onSale: true,
    bought: 0,
    gives: [{ kind: "currency", currency: "ig", amount: 500 }],
    ...some,
  }) as Variation;
const product = (some: Partial<Product> = {}): Product => ({
  productId: 200,
  type: "gold-pack",
  name: "InfiniGold",
  description: "The currency of the forges.",
  variations: [
    variation(),
    variation({ variationId: 202, name: "A chest", price: "9.99", gives: [{ kind: "currency", currency: "ne", amount: 50 }] }),
  ],
  ...some,
});
const packs = product({
  productId: 100,
  type: "destiny-pack",
  name: "Destiny pack",
  variations: [
    variation({ variationId: 101, name: "Bronze", price: "4.99", gives: [], opens: "destiny-bronze", packs: 1 }),
    variation({ variationId: 104, name: "Five bronze", price: "21.99", gives: [], opens: "destiny-bronze", packs: 5 }),
  ],
});
const mask = product({
  productId: 300,
  type: "cosmetic",
  name: "Mask of the First Actor",
  variations: [
    variation({
      variationId: 301,
      name: "One",
      price: "7.99",
      limit: 3,
      gives: [{ kind: "token", contract, tokenId: "40", name: "Mask", amount: 1 }],
    }),
  ],
});

const shopOdds = oddsOf(sealedReceipt(purchaseReceipt()));
const bronzeTable = tableOdds(JSON.stringify({ ...destinyTable, kind: "destiny-bronze" }));

const reward = (some: Partial<Reward> = {}): Reward => ({
  id: "shop/1/1/1",
  origin: "webstore",
  state: "done",
  amount: 0,
  fateAmount: 0,
  isVipPiggy: false,
  message: "",
  tokenId: "",
  steps: [],
  grants: [{ kind: "currency", currency: "ig", amount: "500", state: "done" }],
  ...some,
});
const order = (some: Partial<Order> = {}): Order => ({
  orderId: 1,
  number: "1001",
  status: "processing",
  paidAt: "2026-11-20T10:00:00.000Z",
  lines: [{ variationId: 201, name: "InfiniGold: A pouch of 500", quantity: 1, refunded: 0, waiting: 0 }],
  rewards: [reward()],
  refunded: 0,
  ...some,
});

let products: Product[];
/** The x-fab-id of each request for the products. */
let askedBy: (string | null)[];
/** What the server says to the next checkouts; then it leads to the shop. */
let refusals: (() => Response)[];
let bought: unknown[];
let handOff: HandOff;
let polled: number;
let assign: ReturnType<typeof vi.fn>;

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  assign = vi.fn();
  vi.stubGlobal("matchMedia", (query: string) => ({ matches: query === "(prefers-reduced-motion: reduce)" }));
  vi.stubGlobal("location", { ...location, assign, origin: location.origin, hash: "" });
  flags.set({ flags: { webstore: { enabled: true } }, loading: false, isFetched: true });
  [products, askedBy, refusals, bought, polled] = [[packs, product(), mask], [], [], [], 0];
  handOff = { variationId: 201, name: "InfiniGold: A pouch of 500", createdAt: "2026-11-20T09:59:00.000Z", paid: false };
  server.use(
    http.get("*/api/webstore/getProducts", ({ request }) => {
      askedBy.push(request.headers.get("x-fab-id"));
      return HttpResponse.json({ products });
    }),
    http.get("*/api/config", () => HttpResponse.json(clientConfig())),
    http.get("*/api/auth/nft/:list", () => HttpResponse.json({ total: 0, items: [] })),
    http.get("*/api/packs/odds", () => HttpResponse.json({ ...shopOdds, tables: [bronzeTable] })),
    http.post("*/api/auth/webstore/checkout", async ({ request }) => {
      const refused = refusals.shift();
      if (refused) return refused();
      bought.push(await request.json());
      return HttpResponse.json({ url: "https://shop.example/checkout?x=1", handOffId: "h1" });
    }),
    http.post("*/api/auth/packs/confirm-age", () => HttpResponse.json({ ageConfirmedAt: "2026-11-20T10:00:00.000Z" })),
    http.get("*/api/auth/webstore/handoffs/:id", ({ params }) => {
      polled++;
      return params.id === "h1" ? HttpResponse.json(handOff) : problem(404, "There is no such order.");
    }),
  );
});
afterEach(() => {
  session.set(session.initial);
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function Live() {
  useLiveWebstore();
  return null;
}

function Where() {
  const { pathname, search } = useLocation();
  return <output>{pathname + search}</output>;
}

function show(page: ReactNode, at = "/webstore") {
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[at]}>
        <Live />
        {page}
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

const item = (name: string) => screen.findByRole("listitem", { name });
const visitor = () => session.set({ ...session.initial, isLoading: false });

describe("the shop", () => {
  // Spec: SHOP-2
  it("shows products on their shelves, with contents, price and odds", async () => {
    visitor();
    show(<Shop />);
    expect(screen.getAllByRole("heading", { level: 2 }).map((h) => h.textContent)).toEqual([
      "Destiny packs",
      "InfiniGold and nectar",
      "KOD packs",
      "USDC for the market",
      "Cosmetics",
    ]);
    const bronze = await item("Destiny pack: Bronze");
    expect(within(bronze).getByRole("heading", { name: "Bronze" })).toBeVisible();
    expect(bronze).toHaveTextContent("1 pack, drawn when it is paid for");
    expect(bronze).toHaveTextContent("€4.99");
    await waitFor(() => expect(bronze).toHaveTextContent("common94%"));
    expect(await item("Destiny pack: Five bronze")).toHaveTextContent("5 packs, each drawn on its own");
    expect(await item("InfiniGold: A pouch of 500")).toHaveTextContent("500 InfiniGold");
    expect(await item("Mask of the First Actor")).toHaveTextContent("3 for each player");
    await userEvent.click(screen.getByText("Bronze destiny pack: all odds"));
    expect(bronze).toHaveTextContent("legendary6%");
    const drops = within(screen.getByRole("table", { name: "common" })).getAllByRole("row");
    expect([drops[1], drops.at(-1)].map((row) => row?.textContent)).toEqual(["25 fate40%1 in 2.5", "Together100%1 in 1"]);
    await userEvent.click(screen.getByText("Which one: a second draw", { exact: false }));
    const second = screen.getByRole("table", { name: "a new token of Avatars" });
    expect(
      within(second)
        .getAllByRole("row")
        .map(({ textContent }) => textContent),
    ).toContain("The Oracle’s Daughterlegendary10% (1 in 10)");
    expect(screen.getByText(/^Edition 1, fixed since 2023-09-15/)).toHaveTextContent(
      "The edition that is on sale when you go to pay counts.",
    );
    expect(screen.getByText("Every opening is drawn by these chances alone: there is no pity rule.")).toBeVisible();
    expect(screen.getByRole("link", { name: /^All editions, where they are fixed/ })).toHaveAttribute("href", "/packs/odds");
    expect(askedBy).toEqual([null]);
  });

  // Spec: SHOP-2
  it("leads visitors to the login, and back to what they looked at", async () => {
    visitor();
    show(<Shop />);
    const link = await screen.findByRole("link", { name: "Sign in to buy: Destiny pack: Bronze" });
    expect(link).toHaveAttribute("href", "/login?from=%2Fwebstore%23item-101");
    expect(screen.queryByRole("button", { name: /^Buy/ })).toBeNull();
  });

  // Spec: SHOP-2
  it("says what the player has bought, and what is sold out for the player", async () => {
    signedIn();
    const two = [variation({ limit: 3, bought: 1 }), variation({ variationId: 202, name: "A chest", limit: 2, bought: 2 })];
    products = [product({ variations: two })];
    show(<Shop />);
    expect(await item("InfiniGold: A pouch of 500")).toHaveTextContent("You have bought 1 of 3");
    const chest = await item("InfiniGold: A chest");
    expect(chest).toHaveTextContent("You have bought 2 of 2");
    expect(chest).toHaveTextContent("Sold out for you");
    expect(within(chest).queryByRole("button")).toBeNull();
    expect(askedBy).toEqual(["00000000000000A1"]);
    expect(screen.getByRole("link", { name: "Your orders" })).toHaveAttribute("href", "/webstore/orders");
  });

  it("says what the shop has none left of, and that old prices may have changed", async () => {
    signedIn();
    products = [product({ variations: [variation({ soldOut: true }), variation({ variationId: 202, name: "A chest" })] })];
    server.use(http.get("*/api/webstore/getProducts", () => HttpResponse.json({ products, pricesOf: "2026-11-20T10:00:00Z" })));
    show(<Shop />);
    const pouch = await item("InfiniGold: A pouch of 500");
    expect(pouch).toHaveTextContent("Sold out");
    expect(within(pouch).queryByRole("button")).toBeNull();
    expect(screen.getByText(/These are the shop's prices of/)).toHaveTextContent(
      "They may have changed since: the checkout shows what you pay.",
    );
  });

  it("shows USDC and KOD packs, when they are sent, and the odds of packs that the player opens", async () => {
    signedIn();
    const newer = tableOdds(
      JSON.stringify({ ...godTable, edition: 3, token: "9", total: 301, drops: godTable.drops.slice(1), pity: undefined }),
    );
    const god = tableOdds(JSON.stringify(godTable), { onSale: false });
    server.use(http.get("*/api/packs/odds", () => HttpResponse.json({ ...shopOdds, tables: [newer, god] })));
    products = [
      product({
        productId: 230,
        type: "top-up",
        name: "USDC for the market",
        variations: [
          variation({ variationId: 232, name: "25 USDC", sentAfter: 86_400, gives: [{ kind: "usdc", amount: 25_000_000 }] }),
          variation({
            variationId: 233,
            name: "Much",
            sentAfter: 259_200,
            gives: [{ kind: "usdc", amount: 1_250_500_000 }],
            refused: "Not today.",
          }),
        ],
      }),
      product({
        productId: 220,
        type: "kod-pack",
        name: "God pack",
        variations: [
          variation({
            variationId: 221,
            sentAfter: 1_800,
            odds: "god",
            gives: [{ kind: "token", contract, tokenId: "3", name: "God pack", image: "/x.svg", amount: 3 }],
          }),
        ],
      }),
    ];
    show(<Shop />);
    const top = await item("USDC for the market: 25 USDC");
    expect(within(top).getByRole("list")).toHaveTextContent("25 USDC");
    expect(top).toHaveTextContent("Sent to your wallet 24 hours after the payment");
    expect(within(top).getByRole("button")).toBeEnabled();
    const refused = await item("USDC for the market: Much");
    expect(within(refused).getByRole("list")).toHaveTextContent("1,250.50 USDC");
    expect(refused).toHaveTextContent("Sent to your wallet 3 days after the payment");
    expect(within(refused).getByRole("button")).toBeDisabled();
    expect(within(refused).getByRole("button")).toHaveAccessibleDescription("Not today.");
    const pack = await item("God pack");
    expect(pack).toHaveTextContent("3 × God pack");
    expect(pack).toHaveTextContent("Sent to your wallet 30 minutes after the payment");
    expect(pack).toHaveTextContent("You open it when you like. What is in it is drawn then.");
    await waitFor(() => expect(pack).toHaveTextContent("common70%"));
    await userEvent.click(screen.getByText("God pack: all odds"));
    expect(screen.getByText(/^Edition 2, fixed since/)).toHaveTextContent("The pack keeps it: it counts whenever you open the pack.");
    expect(screen.getAllByRole("heading", { level: 2 }).map((h) => h.textContent)).toEqual(["KOD packs", "USDC for the market"]);
  });

  it("shows what the pity rule makes of the odds, and warns of odds that are unknown or not fixed", async () => {
    visitor();
    const variations = [variation({ opens: "god" }), variation({ variationId: 202, name: "Other", opens: "destiny-clay" })];
    products = [product({ type: "destiny-pack", name: "Packs", variations })];
    const { fixed: _, ...god } = tableOdds(JSON.stringify(godTable));
    const rarities = [
      { rarity: "common", promised: 0.7, effective: 0.66, now: 0.66 },
      { rarity: "epic", promised: 0.3, effective: 0.34, now: 0.34 },
    ];
    server.use(http.get("*/api/packs/odds", () => HttpResponse.json({ ...shopOdds, tables: [{ ...god, rarities }] })));
    show(<Shop />);
    const pack = await item("Packs: A pouch of 500");
    await waitFor(() => expect(pack).toHaveTextContent("epic30% · 34% effective"));
    expect(pack).toHaveTextContent("These odds are not fixed yet, so they could change: do not buy this pack now.");
    expect(await item("Packs: Other")).toHaveTextContent("The odds of this pack are not known: do not buy it now.");
  });

  it("says to visitors too what cannot be bought today", async () => {
    visitor();
    products = [product({ variations: [variation({ refused: "Not today." })] })];
    show(<Shop />);
    expect(await item("InfiniGold")).toHaveTextContent("Not today.");
    expect(screen.queryByRole("link", { name: /^Sign in to buy/ })).toBeNull();
  });

  // Spec: SHOP-2
  it("says when an offer begins and ends, by the server's clock", async () => {
    signedIn();
    const from = new Date(Date.now() + 60_000).toISOString();
    const until = new Date(Date.now() + 90_000).toISOString();
    products = [
      product({ variations: [variation({ from, until, onSale: false }), variation({ variationId: 202, name: "A chest", until })] }),
    ];
    show(<Shop />);
    const later = await item("InfiniGold: A pouch of 500");
    expect(later).toHaveTextContent("On sale from");
    expect(later).toHaveTextContent("Not yet for sale");
    const now = await item("InfiniGold: A chest");
    expect(now).toHaveTextContent("On sale until");
    expect(within(now).getByRole("button", { name: "Buy for €2.99: InfiniGold: A chest" })).toBeEnabled();
  });

  it.each([
    [{ onSale: true }, 0, "on"],
    [{ onSale: false }, 1, "over"],
    [{ onSale: false, from: "1970-01-01T00:00:02Z" }, 1_000, "later"],
    [{ onSale: false, from: "1970-01-01T00:00:02Z" }, 2_000, "on"],
    [{ onSale: true, until: "1970-01-01T00:00:02Z" }, 1_999, "on"],
    [{ onSale: true, until: "1970-01-01T00:00:02Z" }, 2_000, "over"],
  ])("decides whether %j is for sale at %i ms: %s", (some, now, sale) => expect(saleOf(variation(some), now)).toBe(sale));

  // Spec: SHOP-3
  it("leads the player to the shop on a press", async () => {
    signedIn();
    show(<Shop />);
    const button = await screen.findByRole("button", { name: "Buy for €2.99: InfiniGold: A pouch of 500" });
    await userEvent.click(button);
    await waitFor(() => expect(assign).toHaveBeenCalledWith("https://shop.example/checkout?x=1"));
    expect(bought).toEqual([{ productId: 200, variationId: 201 }]);
    expect(button).toHaveAttribute("aria-busy", "true");
    act(() => void dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
    expect(button).not.toHaveAttribute("aria-busy");
  });

  it.each([
    ["no-wallet", 409, "Your wallet is still being made"],
    ["limit", 409, "As many as one player can have."],
    ["not-sold", 409, "As many as one player can have."],
    ["packs-country", 403, "As many as one player can have."],
  ])("says at the button why it did not lead to the shop: %s", async (reason, status, text) => {
    signedIn();
    refusals = [() => problem(status, "As many as one player can have.", { reason })];
    show(<Shop />);
    const pouch = await item("InfiniGold: A pouch of 500");
    await userEvent.click(within(pouch).getByRole("button"));
    expect(await within(pouch).findByText(text, { exact: false })).toBeVisible();
    const outdated = reason === "limit" || reason === "not-sold";
    await waitFor(() => expect(askedBy).toHaveLength(outdated ? 2 : 1));
    await userEvent.click(within(pouch).getByRole("button"));
    await waitFor(() => expect(assign).toHaveBeenCalledOnce());
  });

  it("leads players with a debt to support and to what they owe", async () => {
    signedIn();
    refusals = [() => problem(409, "Please settle that first.", { reason: "debt" })];
    show(<Shop />);
    await userEvent.click(within(await item("InfiniGold: A pouch of 500")).getByRole("button"));
    expect(await screen.findByRole("link", { name: "To support" })).toHaveAttribute("href", "/king-of-destiny/support");
    expect(screen.getByRole("link", { name: "What is owed" })).toHaveAttribute("href", "/webstore/orders");
  });

  it("asks for the player's age, and goes on to the shop", async () => {
    signedIn();
    refusals = [() => problem(409, "Please confirm that you are 18 or older.", { reason: "age-unconfirmed" })];
    show(<Shop />);
    await userEvent.click(within(await item("Destiny pack: Bronze")).getByRole("button"));
    await userEvent.click(await screen.findByRole("button", { name: "I am 18 or older" }));
    await waitFor(() => expect(bought).toEqual([{ productId: 100, variationId: 101, nonce: expect.stringMatching(/^0x[0-9a-f]{64}$/) }]));
  });

  // Spec: SHOP-2
  it("sells nothing while it is switched off, and says so", async () => {
    signedIn();
    flags.set({ flags: { webstore: { enabled: false } }, loading: false, isFetched: true });
    show(<Shop />);
    expect(await screen.findByText(/The webstore is closed just now/)).toBeVisible();
    for (const button of screen.getAllByRole("button", { name: /^Buy/ })) expect(button).toBeDisabled();
  });

  it("without products says that there is nothing for sale", async () => {
    visitor();
    products = [];
    show(<Shop />);
    expect(await screen.findByText("Nothing for sale now")).toBeVisible();
  });

  it("that does not load says so, and is loaded again on request", async () => {
    visitor();
    server.use(http.get("*/api/webstore/getProducts", () => problem(403, "Not from here."), { once: true }));
    show(<Shop />);
    expect(await screen.findByText("Not from here.")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await item("InfiniGold: A pouch of 500")).toBeVisible();
  });

  // Spec: LIVE-17
  it("is fetched anew when the realtime channel says so to this player", async () => {
    signedIn();
    show(<Shop />);
    await item("InfiniGold: A pouch of 500");
    products = [product({ variations: [variation({ bought: 1, limit: 1 })] })];
    act(() => dispatch({ channelId: "webstore", type: "refetch-products", payload: { userId: "another" } }));
    expect(askedBy).toHaveLength(1);
    act(() => dispatch({ channelId: "webstore", type: "refetch-products", payload: { userId: "00000000000000A1" } }));
    expect(await screen.findByText("Sold out for you")).toBeVisible();
  });
});

describe("the page of a product", () => {
  it("shows all variations with price, contents, odds and limits, and sells them", async () => {
    signedIn();
    const [first, second] = packs.variations as [Variation, Variation];
    products = [
      product(),
      {
        ...packs,
        variations: [
          { ...first, limit: 3, bought: 1 },
          { ...second, soldOut: true },
        ],
      },
    ];
    show(<ProductPage id="100" />);
    expect(await screen.findByRole("heading", { level: 1, name: "Destiny pack" })).toBeVisible();
    expect(screen.getByText("The currency of the forges.")).toBeVisible();
    expect(document.title).toMatch(/^Destiny pack · /);
    const bronze = await item("Destiny pack: Bronze");
    expect(within(bronze).getByRole("heading", { level: 2, name: "Bronze" })).toBeVisible();
    expect(bronze).toHaveTextContent("€4.99");
    expect(bronze).toHaveTextContent("You have bought 1 of 3");
    await waitFor(() => expect(bronze).toHaveTextContent("common94%"));
    const five = await item("Destiny pack: Five bronze");
    expect(five).toHaveTextContent("5 packs, each drawn on its own");
    expect(five).toHaveTextContent("Sold out");
    expect(screen.getByText("Bronze destiny pack: all odds")).toBeVisible();
    expect(screen.queryByRole("listitem", { name: "InfiniGold: A chest" })).toBeNull();
    await userEvent.click(within(bronze).getByRole("button", { name: "Buy for €4.99: Destiny pack: Bronze" }));
    await waitFor(() => expect(bought).toEqual([{ productId: 100, variationId: 101, nonce: expect.stringMatching(/^0x[0-9a-f]{64}$/) }]));
  });

  it("is linked from the names on the shelf", async () => {
    visitor();
    show(<Shop />);
    const bronze = await item("Destiny pack: Bronze");
    expect(within(bronze).getByRole("link", { name: "Bronze" })).toHaveAttribute("href", "/webstore/products/100");
  });

  it.each([<Shop key="shop" />, <ProductPage key="product" id="200" />])(
    "leads back to the button of what the player wanted",
    async (page) => {
      signedIn();
      vi.stubGlobal("location", { ...location, hash: "#item-202" });
      Element.prototype.scrollIntoView ??= () => {};
      show(page);
      await expectFocus(screen.findByRole("button", { name: "Buy for €9.99: InfiniGold: A chest" }));
    },
  );

  it("leads visitors to the login, and back", async () => {
    visitor();
    show(<ProductPage id="200" />);
    const link = await screen.findByRole("link", { name: "Sign in to buy: InfiniGold: A chest" });
    expect(link).toHaveAttribute("href", "/login?from=%2Fwebstore%2Fproducts%2F200%23item-202");
  });

  it.each(["999", "abc", "0200"])("with the unknown id %s says so and leads back", async (id) => {
    visitor();
    show(<ProductPage id={id} />);
    expect(await screen.findByText("There is no such product")).toBeVisible();
    expect(screen.getByRole("link", { name: "To the webstore" })).toHaveAttribute("href", "/webstore");
  });

  it("that does not load says so, and is loaded again on request", async () => {
    visitor();
    server.use(http.get("*/api/webstore/getProducts", () => problem(403, "Not from here."), { once: true }));
    show(<ProductPage id="200" />);
    expect(await screen.findByText("Not from here.")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("heading", { level: 1, name: "InfiniGold" })).toBeVisible();
  });
});

const sealed = { openingId: "77", kind: "destiny-bronze", packLevel: "Bronze", round: 5, roundAt: "2026-11-20T10:00:03.000Z" };
const pack = (some: Partial<Reward>): Reward => reward({ id: "77", grants: [], opening: sealed, ...some });

describe("the page of an order", () => {
  // Spec: SHOP-5
  it("waits for the payment, says after a while that nobody need wait, and notices it", async () => {
    signedIn();
    vi.useFakeTimers({ shouldAdvanceTime: true });
    show(<OrderPage id="h1" />);
    expect(await screen.findByText("Waiting for the shop to confirm your payment. This usually takes a few seconds.")).toBeVisible();
    expect(screen.queryByText(/You can close this page/)).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(patience));
    expect(
      screen.getByText("The shop has not confirmed it yet. You can close this page: what you paid for arrives by itself."),
    ).toBeVisible();
    handOff = { ...handOff, paid: true, order: order() };
    await act(() => vi.advanceTimersByTimeAsync(pollEvery));
    expect(await screen.findByRole("heading", { level: 1, name: "Order 1001" })).toBeVisible();
    expect(screen.getByText("All of it is yours.")).toBeVisible();
    const before = polled;
    await act(() => vi.advanceTimersByTimeAsync(3 * pollEvery));
    expect(polled).toBe(before);
  });

  // Spec: SHOP-5
  it("shows each reward with its state, and the receipt of a draw", async () => {
    signedIn();
    const drawn = { ...sealed, drop: "knife", name: "Knife", rarity: "rare" };
    const rewards = [
      pack({ state: "settled", opening: { ...sealed, name: "Destiny pack - Five bronze" } }),
      pack({ id: "78", state: "done", opening: drawn }),
      reward({ id: "79", state: "sending" }),
      reward({ id: "80", state: "failed", message: "We are looking into it." }),
      reward({ id: "81", state: "cancelled" }),
    ];
    handOff = { ...handOff, paid: true, order: order({ rewards }) };
    show(<OrderPage id="h1" />);
    const card = await screen.findByRole("article", { name: "Order 1001" });
    expect(within(card).getAllByRole("listitem")[1]).toHaveTextContent("Bronze destiny packDrawn: open it above");
    await userEvent.click(await within(card).findByRole("button", { name: "Close" }));
    expect(within(card).getByRole("button", { name: "Show the opening" })).toHaveFocus();
    const texts = within(card)
      .getAllByRole("listitem")
      .map((row) => row.textContent);
    for (const [i, parts] of [
      ["Bronze destiny pack", "Being drawn"],
      ["Knife", "rare", "Yours"],
      ["500 InfiniGold", "On its way to you"],
      ["We are looking into it.", "Not delivered"],
      ["500 InfiniGold", "Refunded"],
    ].entries()) {
      for (const part of parts) expect(texts[i]).toContain(part);
    }
    expect(texts[0]).not.toContain("Five bronze");
    expect(within(card).getAllByRole("link", { name: "Receipt of the draw" })[1]).toHaveAttribute("href", "/packs/openings/77");
    expect(screen.getByText(/is on its way\.$/)).toBeVisible();
  });

  // Spec: DRAW-11
  it("shows the number that this browser has chosen, and that the draws have it", async () => {
    signedIn();
    show(<Shop />);
    await userEvent.click(within(await item("Destiny pack: Bronze")).getByRole("button"));
    await waitFor(() => expect(bought).toHaveLength(1));
    const { nonce } = bought[0] as { nonce: string };
    expect(JSON.parse(localStorage.getItem(keys.nonces) ?? "")).toEqual([{ handOff: "h1", nonce }]);
    cleanup();
    const rewards = [pack({ state: "settled", opening: { ...sealed, nonce } }), reward({ id: "79" })];
    handOff = { ...handOff, paid: true, order: order({ rewards }) };
    show(<OrderPage id="h1" />);
    const note = await screen.findByText("Your browser chose this number before the order existed:", { exact: false });
    expect(note).toHaveTextContent(nonce);
    expect(screen.getByText(/^The draws of your packs depend on it\./)).toBeVisible();
    expect(screen.queryByText(/have another number/)).toBeNull();
  });

  // Spec: DRAW-11
  it("warns if the draws have another number than this browser has chosen", async () => {
    signedIn();
    keepNonce("h1", `0x${"0a".repeat(32)}`);
    handOff = {
      ...handOff,
      paid: true,
      order: order({ rewards: [pack({ state: "settled", opening: { ...sealed, nonce: `0x${"00".repeat(32)}` } })] }),
    };
    show(<OrderPage id="h1" />);
    expect(await screen.findByText(/^The draws of this order have another number\./)).toBeVisible();
    expect(screen.getByRole("link", { name: "write to support" })).toHaveAttribute("href", "/king-of-destiny/support");
  });

  it("says nothing of numbers that another browser has chosen, nor of an order without packs", async () => {
    signedIn();
    keepNonce("h2", `0x${"0a".repeat(32)}`);
    handOff = {
      ...handOff,
      paid: true,
      order: order({ rewards: [pack({ state: "settled", opening: { ...sealed, nonce: `0x${"0b".repeat(32)}` } })] }),
    };
    show(<OrderPage id="h1" />);
    await screen.findByRole("article", { name: "Order 1001" });
    expect(screen.queryByText(/number/)).toBeNull();
    cleanup();
    queryClient.clear();
    keepNonce("h1", `0x${"0a".repeat(32)}`);
    handOff = { ...handOff, paid: true, order: order() };
    show(<OrderPage id="h1" />);
    await screen.findByText("All of it is yours.");
    expect(screen.queryByText(/number/)).toBeNull();
  });

  it("shows USDC as such, when it is sent, and that it has arrived", async () => {
    signedIn();
    const grant = {
      kind: "token" as const,
      contract: clientConfig().contracts.usdc,
      tokenId: "0",
      amount: "25000000",
      state: "pending" as const,
    };
    const notBefore = "2100-11-21T10:00:00.000Z";
    handOff = { ...handOff, paid: true, order: order({ rewards: [reward({ state: "settled", grants: [{ ...grant, notBefore }] })] }) };
    show(<OrderPage id="h1" />);
    const row = within(await screen.findByRole("article", { name: "Order 1001" })).getByRole("listitem");
    await waitFor(() => expect(row).toHaveTextContent("25 USDC"));
    expect(row).toHaveTextContent(/Sent after Nov 21, 2100, \d\d:00/);
    handOff = { ...handOff, order: order({ rewards: [reward({ grants: [{ ...grant, notBefore, state: "done" }] })] }) };
    act(() => dispatch({ channelId: "reward", type: "update", payload: { id: "1", origin: "webstore", state: "done", txId: null } }));
    expect(await screen.findByText("In your wallet")).toBeVisible();
  });

  it("is polled seldom while all that is missing is sent later", async () => {
    signedIn();
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const notBefore = "2100-11-21T10:00:00.000Z";
    const grants = [
      { kind: "token" as const, contract, tokenId: "1", name: "General pack", amount: "1", state: "pending" as const, notBefore },
    ];
    handOff = { ...handOff, paid: true, order: order({ rewards: [reward({ state: "settled", grants })] }) };
    show(<OrderPage id="h1" />);
    await screen.findByText("General pack");
    await act(() => vi.advanceTimersByTimeAsync(3 * pollEvery));
    expect(polled).toBe(1);
    await act(() => vi.advanceTimersByTimeAsync(pollLater));
    expect(polled).toBe(2);
  });

  it("is fetched again when one of its rewards changes", async () => {
    signedIn();
    handOff = { ...handOff, paid: true, order: order({ rewards: [reward({ state: "sending" })] }) };
    show(<OrderPage id="h1" />);
    await screen.findByText("On its way to you");
    handOff = { ...handOff, order: order() };
    act(() => dispatch({ channelId: "reward", type: "update", payload: { id: "1", origin: "webstore", state: "done", txId: null } }));
    expect(await screen.findByText("Yours")).toBeVisible();
  });

  it("that was refunded says so, also of what was delivered before", async () => {
    signedIn();
    const lines = [{ variationId: 201, name: "InfiniGold", quantity: 1, refunded: 1, waiting: 0 }];
    handOff = { ...handOff, paid: true, order: order({ status: "refunded", refunded: 1, lines }) };
    show(<OrderPage id="h1" />);
    expect(await screen.findByText("The shop has paid you back.")).toBeVisible();
    expect(screen.getByText("1 paid", { exact: false })).toHaveTextContent("1 paid, 1 refunded");
    expect(screen.getByText("Delivered before the refund")).toBeVisible();
  });

  // Spec: PAGE-14, SHOP-5
  it("that nobody knows is not found", async () => {
    signedIn();
    show(<OrderPage id="h2" />);
    expect(await screen.findByRole("heading", { name: "Order not found" })).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Your orders" })).toHaveAttribute("href", "/webstore/orders");
  });

  it("that does not load says so", async () => {
    signedIn();
    server.use(http.get("*/api/auth/webstore/handoffs/:id", () => problem(403, "Not from here.")));
    show(<OrderPage id="h1" />);
    expect(await screen.findByText("Not from here.")).toBeVisible();
  });
});

describe("the opening on the page of an order", () => {
  const knife = { ...sealed, drop: "knife", name: "Knife", rarity: "rare", version: 1 };
  const token = {
    kind: "token" as const,
    state: "done" as const,
    contract,
    tokenId: "6",
    name: "Knife",
    image: "/knife.svg",
    rarity: "rare",
    amount: "1",
  };
  const waiting = (id: string, kind = "destiny-bronze") => {
    const steps = [{ step: "drawn" as const, expected: "2100-01-01T00:00:00.000Z" }];
    return pack({ id, state: "settled", steps, opening: { ...sealed, openingId: id, kind } });
  };
  const drawn = (id: string, kind = "destiny-bronze") => pack({ id, opening: { ...knife, openingId: id, kind }, grants: [token] });
  const withPacks = (...rewards: Reward[]) => {
    handOff = { ...handOff, paid: true, order: order({ rewards }) };
  };
  const told = () =>
    act(() => dispatch({ channelId: "reward", type: "update", payload: { id: "1", origin: "webstore", state: "drawn", txId: null } }));
  const inList = () => screen.getAllByRole("listitem").map((row) => row.textContent);

  it("waits for the round with its time, and then shows what was drawn, which it does not give away before", async () => {
    signedIn();
    withPacks(waiting("77"), waiting("78"));
    show(<OrderPage id="h1" />);
    expect(await screen.findByRole("heading", { name: "Open 2 × Bronze destiny pack" })).toBeVisible();
    await waitFor(() => expect(screen.getByText(/Round 5 of the beacon decides/)).toHaveTextContent(/In about \d+:\d\d\./));
    withPacks(drawn("77"), drawn("78"));
    told();
    expect(await screen.findAllByText("Drawn: open it above")).toHaveLength(2);
    expect(screen.queryByText("Knife")).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Skip" }));
    await expectFocus(screen.findByRole("heading", { name: "Your 2 cards" }));
    expect(screen.getAllByRole("link", { name: "Verify this pull: Knife" })[1]).toHaveAttribute("href", "/packs/openings/77");
    expect(screen.getByText("They are in your inventory already.", { exact: false })).toBeVisible();
    expect(inList().filter((row) => row?.includes("Yours"))).toHaveLength(2);
  });

  it("waits for the block that names the round while the record of the payment is not on the chain", async () => {
    signedIn();
    withPacks({ ...waiting("77"), opening: { ...sealed, nonce: `0x${"0e".repeat(32)}`, round: 0 } });
    show(<OrderPage id="h1" />);
    expect(await screen.findByText(/^Paid\. Next/)).toHaveTextContent(
      /^Paid\. Next its record goes on the chain, and that block names the round\.$/,
    );
  });

  it("is sealed too when the draw was done with the first news of the payment", async () => {
    signedIn();
    vi.useFakeTimers({ shouldAdvanceTime: true });
    show(<OrderPage id="h1" />);
    await screen.findByText("Waiting for the shop to confirm your payment. This usually takes a few seconds.");
    withPacks(drawn("77"));
    await act(() => vi.advanceTimersByTimeAsync(pollEvery));
    expect(await screen.findByRole("heading", { name: "Open Bronze destiny pack" })).toBeVisible();
  });

  it("shows the cards at once after a reload", async () => {
    signedIn();
    withPacks(drawn("77"));
    show(<OrderPage id="h1" />);
    expect(await screen.findByRole("heading", { name: "Your card" })).toBeVisible();
    expect(inList().at(-1)).toContain("Yours");
  });

  it("of several kinds shows one after another", async () => {
    signedIn();
    withPacks(drawn("77"), waiting("78", "destiny-gold"), drawn("79"));
    show(<OrderPage id="h1" />);
    const packsOf = await screen.findByRole("group", { name: "Packs of this order" });
    expect(within(packsOf).getByRole("button", { name: "2 × Bronze destiny pack" })).toHaveAttribute("aria-pressed", "true");
    await userEvent.click(screen.getByRole("button", { name: "Skip" }));
    await userEvent.click(await screen.findByRole("button", { name: "Next: Gold destiny pack" }));
    expect(screen.getByRole("heading", { name: "Open Gold destiny pack" })).toBeVisible();
    expect(screen.getByText(/Round 5 of the beacon decides/)).toBeVisible();
    await userEvent.click(within(packsOf).getByRole("button", { name: "2 × Bronze destiny pack" }));
    expect(screen.getByRole("heading", { name: "Your 2 cards" })).toBeVisible();
  });

  it("is not there for packs that were paid back, or could not be drawn", async () => {
    signedIn();
    withPacks(pack({ state: "cancelled" }), pack({ id: "78", state: "failed", message: "No table." }));
    show(<OrderPage id="h1" />);
    expect(await screen.findByText("No table.")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Skip" })).toBeNull();
  });
});

describe("the player's orders", () => {
  const answers = (pages: { items: Order[]; debts?: Debt[]; blocked?: string; nextCursor?: string }[]) =>
    server.use(
      http.get("*/api/auth/webstore/orders", ({ request }) => {
        const cursor = Number(new URL(request.url).searchParams.get("cursor") ?? 0);
        return HttpResponse.json({ debts: [], ...pages[cursor] });
      }),
    );

  // Spec: SHOP-5
  it("are listed, with what was refunded, page by page", async () => {
    signedIn();
    const line = { variationId: 201, name: "InfiniGold: A pouch of 500", quantity: 2, refunded: 1, waiting: 0 };
    answers([{ items: [order({ orderId: 2, number: "1002", refunded: 1, lines: [line] })], nextCursor: "1" }, { items: [order()] }]);
    show(<Orders />);
    const first = await screen.findByRole("article", { name: "Order 1002" });
    expect(first).toHaveTextContent("Partly refunded");
    expect(first).toHaveTextContent("2 paid, 1 refunded");
    expect(screen.queryByText("What you owe")).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Show more" }));
    expect(await screen.findByRole("article", { name: "Order 1001" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
  });

  it("are none before the first", async () => {
    signedIn();
    answers([{ items: [] }]);
    show(<Orders />);
    expect(await screen.findByText("No orders yet")).toBeVisible();
    expect(screen.getAllByRole("link", { name: "To the webstore" })).toHaveLength(2);
  });

  // Spec: SHOP-5
  it("say what is owed, and that new purchases wait", async () => {
    signedIn();
    const debts: Debt[] = [
      { kind: "currency", currency: "ig", amount: "500", left: 320, state: "done" },
      {
        kind: "token",
        contract: clientConfig().contracts.usdc,
        tokenId: "0",
        amount: "25000000",
        left: 12_500_000,
        state: "done",
        cost: "12.5",
      },
    ];
    answers([
      { items: [order({ status: "refunded", refunded: 1 })], debts, blocked: "You cannot send or list anything until it is settled." },
    ]);
    show(<Orders />);
    const owed = await screen.findByRole("region", { name: "What you owe" });
    expect(owed).toHaveTextContent("320 InfiniGold Only our support can settle this. Please write to them.");
    await waitFor(() => expect(owed).toHaveTextContent("12.50 USDC"));
    expect(owed).toHaveTextContent(
      "You cannot send or list anything until it is settled. Currencies are taken back as soon as you have some.",
    );
    expect(screen.getByRole("article", { name: "Order 1001" })).toHaveTextContent("Refunded");
  });

  it("that do not load are shown as an error, not as empty", async () => {
    signedIn();
    server.use(http.get("*/api/auth/webstore/orders", () => problem(403, "Not from here.")));
    show(<Orders />);
    expect(await screen.findByText("Not from here.")).toBeVisible();
    expect(screen.queryByText("No orders yet")).toBeNull();
  });
});

describe("what is owed", () => {
  let world: WalletWorld;
  let answer: { debts: Debt[]; blocked?: string; payable?: string };
  let total: string;
  const owing = (some: Partial<Debt> = {}): Debt => ({
    kind: "currency",
    currency: "ig",
    amount: "500",
    left: 320,
    state: "done",
    cost: "1.9136",
    ...some,
  });
  const becomes = (next: typeof answer) => {
    answer = next;
    act(() =>
      dispatch({
        channelId: "webstore",
        type: "refetch-products",
        payload: { userId: session.get().profile?.AccountInfo.PlayFabId ?? "" },
      }),
    );
  };
  const blocked = "You cannot send or list anything until it is settled.";

  beforeEach(() => {
    sendings.set(sendings.initial);
    wallet.set(wallet.initial);
    world = answerWallet();
    signedIn({ smartWalletAddress: smart });
    total = "1.9136";
    answer = { debts: [owing()], blocked, payable: total };
    server.use(
      http.get("*/api/auth/webstore/orders", () => HttpResponse.json({ items: [order()], ...answer })),
      http.get("*/api/auth/webstore/debts/payment", () =>
        HttpResponse.json({ chainId: chain, calls: [{ to: usdc, value: "0", data: "0x" }], total }),
      ),
    );
    return keepWallet();
  });

  const owed = () => screen.findByRole("region", { name: "What you owe" });
  const pay = async () => userEvent.click(await screen.findByRole("button", { name: /^Pay / }));

  // Spec: SHOP-11
  it("is paid by one press, and then it is gone", async () => {
    world.accepted = () => {
      answer = { debts: [owing({ paying: true })], blocked };
    };
    show(<Orders />);
    expect(await owed()).toHaveTextContent("320 InfiniGold 1.9136 USDC");
    await waitFor(() => expect(screen.getByText(/^You have/)).toHaveTextContent("You have 500.00 USDC in your wallet."));
    expect(screen.getByRole("button", { name: "Pay 1.9136 USDC" })).toBeEnabled();
    await pay();
    expect(await screen.findByText("Your payment is on its way. This takes a few seconds.")).toHaveRole("status");
    expect(screen.queryByRole("button", { name: /^Pay / })).toBeNull();
    expect(world.has).toHaveLength(1);
    becomes({ debts: [] });
    await waitFor(() => expect(screen.queryByRole("region", { name: "What you owe" })).toBeNull());
  });

  it("is not paid with too little money, and says what to do", async () => {
    world.balance = 1_000_000n;
    show(<Orders />);
    const needs = "You have 1.00 USDC in your wallet. You need 0.9136 USDC more. Add money to your wallet";
    await waitFor(() => expect(screen.getByText(/^You have/)).toHaveTextContent(needs));
    expect(screen.getByRole("link", { name: "Add money to your wallet" })).toHaveAttribute("href", "/portal/money");
    expect(screen.getByRole("button", { name: "Pay 1.9136 USDC" })).toBeDisabled();
  });

  it("is not paid if it is not what the button says", async () => {
    total = "25";
    show(<Orders />);
    await screen.findByRole("button", { name: "Pay 1.9136 USDC" });
    answer = { ...answer, payable: "25" };
    await pay();
    expect(await screen.findByText("What you owe has changed. Look at the new amount, and press pay again.")).toHaveRole("alert");
    expect(await screen.findByRole("button", { name: "Pay 25.00 USDC" })).toBeEnabled();
    expect(world.has).toHaveLength(0);
  });

  it("says why the payment was refused, and can be paid again", async () => {
    server.use(http.get("*/api/auth/webstore/debts/payment", () => problem(409, "You owe nothing that can be paid now."), { once: true }));
    show(<Orders />);
    await pay();
    expect(await screen.findByText("You owe nothing that can be paid now.")).toHaveRole("alert");
    await pay();
    await waitFor(() => expect(world.has).toHaveLength(1));
  });

  it("whose answer is lost is not told as a failure, and is paid once", async () => {
    world.lost = () => HttpResponse.error();
    world.accepted = () => {
      answer = { debts: [owing({ paying: true })], blocked };
    };
    show(<Orders />);
    await pay();
    expect(await screen.findByText("Your payment is on its way. This takes a few seconds.")).toHaveRole("status");
    expect(screen.queryByRole("alert")).toBeNull();
    expect(world.has).toHaveLength(1);
  });

  it("that was dropped says so, and can be paid again", async () => {
    answer = { debts: [owing({ paying: true })], blocked };
    show(<Orders />);
    await screen.findByText("Your payment is on its way. This takes a few seconds.");
    becomes({ debts: [owing()], blocked, payable: total });
    expect(await screen.findByText("It did not get through. Nothing has left your wallet. You can pay again.")).toHaveRole("status");
    expect(screen.getByRole("button", { name: "Pay 1.9136 USDC" })).toBeEnabled();
    await pay();
    expect(screen.queryByText(/^It did not get through/)).toBeNull();
  });

  it("that succeeded is not called dropped because something else is owed by then", async () => {
    show(<Orders />);
    await screen.findByRole("button", { name: "Pay 1.9136 USDC" });
    becomes({ debts: [owing({ paying: true })], blocked });
    await screen.findByText("Your payment is on its way. This takes a few seconds.");
    becomes({ debts: [owing()], blocked, payable: "3" });
    expect(await screen.findByRole("button", { name: "Pay 3.00 USDC" })).toBeEnabled();
    expect(screen.queryByText(/^It did not get through/)).toBeNull();
  });
});

describe("the way back to the shop", () => {
  const at = (returnUrl: string) => `/getuserinfo?${new URLSearchParams({ returnUrl })}`;
  const returnUrl = "https://shop.example/back";
  let asked: unknown[];
  beforeEach(() => {
    asked = [];
    server.use(
      http.post("*/api/auth/webstore/return", async ({ request }) => {
        asked.push(await request.json());
        return HttpResponse.json({ url: `${returnUrl}?protectedData=x` });
      }),
    );
  });

  // Spec: PAGE-10, SHOP-6
  it("says what is handed over, and to whom, and goes there on a press only", async () => {
    signedIn();
    show(<HandOver />, at(returnUrl));
    expect(await screen.findByText("Your player id, encrypted, good for one hour. Nothing else.")).toBeVisible();
    expect(asked).toEqual([]);
    await userEvent.click(screen.getByRole("button", { name: "Continue to shop.example" }));
    await waitFor(() => expect(assign).toHaveBeenCalledWith(`${returnUrl}?protectedData=x`));
    expect(asked).toEqual([{ returnUrl }]);
    expect(screen.getByRole("button")).toHaveAttribute("aria-busy", "true");
    act(() => void dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
    await waitFor(() => expect(screen.getByRole("button")).not.toHaveAttribute("aria-busy"));
  });

  // Spec: PAGE-10
  it.each([at(returnUrl), "/getuserinfo"])("leads visitors of %s to the login after 1 s, and from there back", async (address) => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    visitor();
    show(
      <>
        <Routes>
          <Route path="/getuserinfo" element={<HandOver />} />
          <Route path="*" element={null} />
        </Routes>
        <Where />
      </>,
      address,
    );
    await act(() => vi.advanceTimersByTimeAsync(900));
    expect(screen.getByRole("status")).toHaveTextContent(address);
    expect(screen.queryByRole("button")).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(100));
    expect(screen.getByRole("status")).toHaveTextContent(`/login?${new URLSearchParams({ from: address })}`);
  });

  it.each([
    ["/getuserinfo", "The address says no shop."],
    [at("javascript:alert(1)"), "This is not the address of a shop."],
    [at("shop"), "This is not the address of a shop."],
  ])("from %s says that it cannot be", async (address, text) => {
    signedIn();
    show(<HandOver />, address);
    expect(await screen.findByText(text, { exact: false })).toBeVisible();
    expect(screen.queryByRole("button")).toBeNull();
  });

  // Spec: PAGE-10, SHOP-6
  it("to an address that is not the shop's is refused", async () => {
    signedIn();
    server.use(http.post("*/api/auth/webstore/return", () => problem(400, "This shop is not known here.")));
    show(<HandOver />, at("https://thief.example/"));
    await userEvent.click(await screen.findByRole("button", { name: "Continue to thief.example" }));
    expect(await screen.findByText("This shop is not known here. Nothing has been told to anyone.")).toBeVisible();
    expect(assign).not.toHaveBeenCalled();
  });
});
