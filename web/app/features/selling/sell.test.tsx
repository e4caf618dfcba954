import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, renderHook, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { decodeFunctionData, encodeAbiParameters, parseAbi } from "viem";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { flags } from "~/features/flags/store";
import type { Holding } from "~/features/holdings/queries";
import type { Item } from "~/features/market/queries";
import { logout } from "~/features/session/session";
import { session } from "~/features/session/store";
import { disconnectWallet } from "~/features/wallet/connection";
import { queryClient } from "~/lib/query";
import { tabKeys } from "~/lib/tab-keys";
import { delayed } from "../../../test/delayed";
import { expectFocus } from "../../../test/focus";
import { clientConfig, listing, signedIn } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { answerWallet, chain, factory, market as implementation, mainChain, smart, usdc, type WalletWorld } from "../../../test/wallet";
import { listCalls } from "./calls";
import { Sell } from "./components/sell";
import { deal, deals, useKeptDeal } from "./deal";

const blades = `0x${"a1".repeat(20)}`;
const faces = `0x${"a2".repeat(20)}`;
const keepsakes = `0x${"a3".repeat(20)}`;
const marketplace = clientConfig().contracts.marketplace;

const abi = parseAbi([
  "struct Terms { address assetContract; uint256 tokenId; uint256 quantity; address currency; uint256 " +
    "pricePerToken; uint128 startTimestamp; uint128 endTimestamp; bool reserved; }",
  "function createListing(Terms params)",
  "function updateListing(uint256 listingId, Terms params)",
  "function cancelListing(uint256 listingId)",
  "function setApprovalForAll(address operator, bool approved)",
  "function executeBatch((address target, uint256 value, bytes data)[] calls)",
]);

const holding = (some: Partial<Holding>, name: string, collection = "game-items"): Holding => ({
  contract: blades,
  tokenId: "1",
  amount: "5",
  wallet: "smart",
  metadata: { ...listing().metadata, name, collection },
  ...some,
});

/** The parameters of a listing. */
interface Terms {
  assetContract: string;
  tokenId: bigint;
  quantity: bigint;
  currency: string;
  pricePerToken: bigint;
  startTimestamp: bigint;
  endTimestamp: bigint;
  reserved: boolean;
}

interface Market {
  item: Partial<Item>;
  collection: string;
  own: { owned: string; offered: string };
  fees: { platformBps: number; royaltyBps: number } | null;
  approved: string[];
}

let world: WalletWorld;
let stall: Market;
let held: Record<string, Holding[]>;
let most: number;

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  signedIn({ smartWalletAddress: smart });
  world = answerWallet();
  stall = {
    item: {},
    collection: "game-items",
    own: { owned: "5", offered: "2" },
    fees: { platformBps: 100, royaltyBps: 250 },
    approved: [],
  };
  held = {};
  most = 20;
  server.use(
    http.get("*/api/marketplace/items/:contract/:tokenId", ({ params: { contract, tokenId } }) =>
      HttpResponse.json({
        contract,
        tokenId,
        metadata: { ...listing().metadata, name: `Blade ${tokenId}`, collection: stall.collection },
        owners: [],
        listings: [],
        sales: [],
        ...stall.item,
      }),
    ),
    http.get("*/api/auth/marketplace/own/:contract/:tokenId", () => HttpResponse.json(stall.own)),
    http.get("*/api/marketplace/fees", () =>
      stall.fees ? HttpResponse.json(stall.fees) : problem(503, "The fees are not known just now."),
    ),
    http.get("*/api/auth/nft/:list", ({ params: { list } }) => HttpResponse.json({ items: held[String(list)] ?? [], total: 0 })),
    http.get("*/api/auth/logout", () => HttpResponse.json({})),
  );
  approve();
});
afterEach(async () => {
  await logout();
  session.set(session.initial);
  flags.set(flags.initial);
  deals.set(deals.initial);
  disconnectWallet();
});

/** Answers whether the marketplace may take tokens, before the calls of the wallet. */
function approve() {
  server.use(
    http.post("*/api/proxy/rpc/:on", async ({ request }) => {
      const body = (await request.clone().json()) as
        | { id: number; params: [{ to: string; data: string }] }
        | { id: number; params: [{ to: string; data: string }] }[];
      const calls = Array.isArray(body) ? body : [body];
      if (!calls.every(({ params }) => params?.[0]?.data?.startsWith("0xe985e9c5"))) return undefined;
      const answers = calls.map(({ id, params: [{ to }] }) => ({
        jsonrpc: "2.0",
        id,
        result: encodeAbiParameters([{ type: "bool" }], [stall.approved.includes(to)]),
      }));
      return HttpResponse.json(Array.isArray(body) ? answers : answers[0]);
    }),
    http.get("*/api/config", () =>
      HttpResponse.json(
        clientConfig({
          currency: { address: usdc },
          gameChain: { id: chain, accountFactory: factory, accountImplementation: implementation },
          mainChain: { id: mainChain, accountFactory: factory, accountImplementation: implementation },
          listings: { minPrice: "0.01", atOnce: most, live: 500 },
        }),
      ),
    ),
  );
}

function show(address = `/portal/sell?item=${blades}:1`) {
  const router = createMemoryRouter(
    [
      { path: "/portal/sell", element: <Sell /> },
      { path: "*", element: <p>Another page</p> },
    ],
    { initialEntries: [address] },
  );
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return router;
}

/** The calls of the operation that was sent. */
function sent() {
  const { callData } = world.sent as { callData: `0x${string}` };
  const { args } = decodeFunctionData({ abi, data: callData });
  return (args as unknown as [{ target: string; data: `0x${string}` }[]])[0].map(({ target, data }) => ({
    target: target.toLowerCase(),
    ...decodeFunctionData({ abi, data }),
  }));
}

const price = () => screen.findByLabelText("Price of one, in USDC");
const count = () => screen.findByLabelText("How many, of 3");

describe("the price of an item", () => {
  it("is divided into fee, royalty and what the seller receives", async () => {
    show();
    await userEvent.type(await price(), "10");
    const shares = screen.getAllByRole("definition").map((value) => value.textContent);
    expect(shares.slice(0, 4)).toEqual(["10.00", "0.10", "0.25", "9.65"]);
    expect(screen.getByText("Market fee, 1 %")).toBeInTheDocument();
    expect(screen.getByText("Royalty, 2.5 %")).toBeInTheDocument();
  });

  it("is worked out from what the seller wants to receive", async () => {
    show();
    await price();
    await userEvent.click(screen.getByRole("radio", { name: "You receive" }));
    await userEvent.type(screen.getByLabelText("For one, in USDC"), "9.65");
    expect(screen.getAllByRole("definition")[0]).toHaveTextContent("9.999998");
  });

  it("is compared with the lowest of others and the last sales", async () => {
    stall.item = {
      listings: [listing({ listingId: "8", price: "1", seller: smart }), listing({ listingId: "9", price: "4" })],
      sales: [
        { unitPrice: "3.9", txHash: "0x1", listingId: "2" },
        { unitPrice: "4.1", txHash: "0x2", listingId: "3" },
      ] as Item["sales"],
    };
    show();
    await price();
    expect(screen.getByText("Lowest now", { exact: false })).toHaveTextContent("Lowest now 4.00 USDC");
    expect(screen.getByText("Last sold at", { exact: false })).toHaveTextContent("Last sold at 3.90, 4.10 USDC");
    await userEvent.type(await price(), "1.99");
    expect(screen.getByText("This is less than half of the lowest price on the market.")).toBeInTheDocument();
    await userEvent.clear(await price());
    await userEvent.type(await price(), "20.01");
    expect(screen.getByText("This is more than five times the lowest price on the market.")).toBeInTheDocument();
  });

  it.each([
    ["0", "The price must be above 0."],
    ["0.0000001", "USDC has six decimals at most."],
    ["0.001", "The lowest price is 0.01 USDC."],
    [String(2n ** 256n - 1n), "The highest price is 1,000,000,000 USDC."],
  ])("of %s is refused at the field, which keeps it", async (text, reason) => {
    show();
    await userEvent.type(await price(), text);
    await userEvent.click(screen.getByRole("button", { name: "List 1 item" }));
    const field = await price();
    expect(field).toHaveAccessibleDescription(reason);
    expect(field).toHaveValue(text);
    expect(field).toHaveFocus();
    expect(world.sent).toBeUndefined();
  });

  it("cannot be given without the fees, which are asked for again", async () => {
    stall.fees = null;
    show();
    await screen.findByText("The fees are not known just now.");
    await userEvent.type(await price(), "10");
    await userEvent.click(screen.getByRole("button", { name: "List 1 item" }));
    expect(world.sent).toBeUndefined();
    stall.fees = { platformBps: 0, royaltyBps: 0 };
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(screen.getAllByRole("definition")[3]).toHaveTextContent("10.00"));
  });
});

describe("a quantity", () => {
  it.each([
    ["0", "List at least 1."],
    ["4", "At most 3: you have 5, and 2 are listed."],
    ["1.5", "Write a whole number."],
  ])("of %s is refused at the field, which keeps it", async (text, reason) => {
    show();
    await userEvent.type(await price(), "10");
    await userEvent.clear(await count());
    await userEvent.type(await count(), text);
    await userEvent.click(screen.getByRole("button", { name: "List 1 item" }));
    expect(await count()).toHaveAccessibleDescription(reason);
    expect(await count()).toHaveValue(text);
    await expectFocus(count());
    expect(world.sent).toBeUndefined();
  });

  it("is not asked for a single item", async () => {
    stall = { ...stall, collection: "avatars", own: { owned: "1", offered: "0" } };
    show();
    await price();
    expect(screen.queryByLabelText(/^How many/)).toBeNull();
  });
});

describe("what cannot be listed", () => {
  // Spec: SELL-1
  it.each([
    ["it is bound", { collection: "piggy-soulbound" }, "It is bound to your wallet and cannot be sold."],
    ["it is not traded", { collection: "arks" }, "It is not traded on this market."],
    ["the player has none", { own: { owned: "0", offered: "0" } }, "You have none in your smart wallet."],
    ["all are listed", { own: { owned: "2", offered: "2" } }, "All 2 of yours are listed already."],
    ["more are listed than are there", { own: { owned: "1", offered: "3" } }, "It is listed already."],
  ])("says why: %s", async (_, some, reason) => {
    Object.assign(stall, some);
    show();
    expect(await screen.findByText(reason, { exact: false })).toBeInTheDocument();
    expect(screen.queryByLabelText("Price of one, in USDC")).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "List 1 item" }));
    expect(world.sent).toBeUndefined();
  });

  it("says that it did not load, and loads again", async () => {
    let down = true;
    server.use(http.get("*/api/auth/marketplace/own/:contract/:tokenId", () => (down ? problem(404, "Not now.") : undefined)));
    show();
    await screen.findByText("This item did not load");
    down = false;
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    await price();
  });
});

describe("listing", () => {
  // Spec: SELL-1
  it("puts all on the market in one operation, with the approvals that are missing", async () => {
    stall.approved = [faces];
    const router = show(`/portal/sell?item=${blades}:1&item=${faces}:7&item=${blades}:2`);
    await waitFor(() => expect(screen.getAllByLabelText("Price of one, in USDC")).toHaveLength(3));
    const [first, second, third] = screen.getAllByLabelText("Price of one, in USDC");
    await userEvent.type(first as Element, "10");
    await userEvent.type(second as Element, "0.5");
    await userEvent.type(third as Element, "7");
    const counts = screen.getAllByLabelText("How many, of 3");
    await userEvent.clear(counts[0] as Element);
    await userEvent.type(counts[0] as Element, "3");
    await userEvent.click(screen.getByRole("radio", { name: "30 days" }));
    expect(screen.getByText("37.50 USDC")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "List 3 items" }));
    await screen.findByRole("heading", { name: "On the market" });

    const calls = sent();
    expect(calls.map(({ target, functionName }) => [target, functionName])).toEqual([
      [blades, "setApprovalForAll"],
      [marketplace, "createListing"],
      [marketplace, "createListing"],
      [marketplace, "createListing"],
    ]);
    expect(calls[0]?.args).toEqual([expect.stringMatching(new RegExp(marketplace, "i")), true]);
    const terms = calls.slice(1).map(({ args }) => (args as readonly unknown[])[0]) as Terms[];
    expect(
      terms.map(({ assetContract, tokenId, quantity, pricePerToken }) => [assetContract.toLowerCase(), tokenId, quantity, pricePerToken]),
    ).toEqual([
      [blades, 1n, 3n, 10_000_000n],
      [faces, 7n, 1n, 500_000n],
      [blades, 2n, 1n, 7_000_000n],
    ]);
    for (const { currency, startTimestamp, endTimestamp, reserved } of terms) {
      expect(currency.toLowerCase()).toBe(usdc);
      expect(reserved).toBe(false);
      expect(endTimestamp - startTimestamp).toBe(BigInt(30 * 86_400));
      expect(Math.abs(Date.now() / 1000 - Number(startTimestamp))).toBeLessThan(300);
    }
    const done = screen.getByRole("region", { name: "Your last step" });
    expect(within(done).getByRole("link", { name: "3 × Blade 1" })).toHaveAttribute(
      "href",
      `/kod-marketplace/marketplace/item/${blades}/1`,
    );
    expect(router.state.location.search).toBe("");
  });

  it("says what it waits for, and takes no second press", async () => {
    let done = false;
    world.receipt = () => (done ? { success: true } : null);
    show();
    await userEvent.type(await price(), "10");
    await userEvent.click(screen.getByRole("button", { name: "List 1 item" }));
    await screen.findByText("Waiting for the chain to take it.");
    expect(screen.getByRole("heading", { name: "Listing 1 item" })).toBeInTheDocument();
    expect(document.querySelector("button[type=submit]")).toHaveAttribute("aria-busy", "true");
    done = true;
    await screen.findByRole("heading", { name: "On the market" });
    await userEvent.click(screen.getByRole("button", { name: "Done" }));
    expect(screen.queryByRole("heading", { name: "On the market" })).toBeNull();
  });

  it("says why it was refused, and keeps what was typed", async () => {
    world.bundle = () => ({ error: { code: -32000, message: "Listing is paused." } });
    show();
    await userEvent.type(await price(), "10");
    await userEvent.click(screen.getByRole("button", { name: "List 1 item" }));
    await screen.findByText("Listing is paused.");
    expect(await price()).toHaveValue("10");
    expect(screen.getByRole("heading", { name: "1 item not listed" })).toHaveFocus();
  });

  it("says that the chain refused it", async () => {
    world.receipt = () => ({ success: false });
    show();
    await userEvent.type(await price(), "10");
    await userEvent.click(screen.getByRole("button", { name: "List 1 item" }));
    await screen.findByText("The chain refused this. Nothing has changed.");
  });

  it("asks for no approval twice, nor for one that is there", async () => {
    const offer = { contract: blades, tokenId: "1", count: 1, price: 1n };
    expect(await listCalls(smart, [offer, { ...offer, tokenId: "2" }], 60)).toHaveLength(3);
    stall.approved = [blades];
    expect(await listCalls(smart, [offer, { ...offer, tokenId: "2" }], 60)).toHaveLength(2);
  });

  it("is put away while it is switched off", async () => {
    flags.set({ flags: { listing: { enabled: false } }, loading: false, isFetched: true });
    show();
    await screen.findByText("Paused for now");
    expect(screen.queryByRole("button", { name: "List 1 item" })).toBeNull();
  });

  it("is there again as it was typed when it is switched on again", async () => {
    const listing = (enabled: boolean) => act(() => flags.set({ flags: { listing: { enabled } }, loading: false, isFetched: true }));
    listing(true);
    show();
    await userEvent.type(await price(), "12.5");
    listing(false);
    expect(screen.getByText("Paused for now")).toBeVisible();
    expect(screen.queryByRole("button", { name: "List 1 item" })).toBeNull();
    listing(true);
    expect(await price()).toHaveValue("12.5");
    expect(screen.queryByText("Paused for now")).toBeNull();
  });

  it("whose answer is lost is live, and not told as a failure", async () => {
    world.lost = () => HttpResponse.error();
    const states: (string | undefined)[] = [];
    const stop = deals.subscribe(() => states.push(deals.get().last?.state));
    show();
    await userEvent.type(await price(), "10");
    await userEvent.click(screen.getByRole("button", { name: "List 1 item" }));
    await screen.findByRole("heading", { name: "On the market" });
    stop();
    expect(states).not.toContain("failed");
    expect(world.has).toHaveLength(1);
  });

  it("whose answer is lost goes on after a reload", async () => {
    let away = false;
    server.use(http.post("*/api/proxy/bundler/:on", () => (away ? HttpResponse.error() : undefined)));
    world.lost = () => {
      away = true;
      return HttpResponse.error();
    };
    const thing = { key: "1", contract: blades, tokenId: "1", name: "Blade 1", image: "", count: 1 };
    const before = deal("list", [thing], async () => [{ to: marketplace, value: "0", data: "0x" }]);
    await waitFor(() => expect(deals.get().last?.state).toBe("late"));
    const stored = sessionStorage.getItem(tabKeys.deal) ?? "";
    deals.set(deals.initial);
    sessionStorage.setItem(tabKeys.deal, stored);
    world.lost = () => undefined;
    away = false;
    renderHook(useKeptDeal);
    expect(deals.get().last).toMatchObject({ kind: "list", things: [thing], state: "confirming" });
    await waitFor(() => expect(deals.get().last?.state).toBe("done"));
    await before;
    expect(world.has).toHaveLength(1);
    expect(sessionStorage.getItem(tabKeys.deal)).not.toContain("signed");
  });

  it("is carried out once the fees have loaded, if they had not when it was pressed", async () => {
    const fees = delayed(() => HttpResponse.json({ platformBps: 100, royaltyBps: 250 }));
    server.use(http.get("*/api/marketplace/fees", fees.resolver));
    show(`/portal/sell?item=${blades}:1:1:33`);
    await price();
    await userEvent.click(screen.getByRole("button", { name: "List 1 item" }));
    expect(document.querySelector("button[type=submit]")).toHaveAttribute("aria-busy", "true");
    expect(world.sent).toBeUndefined();
    await act(async () => fees.letGo());
    await screen.findByRole("heading", { name: "On the market" });
    expect(world.has).toHaveLength(1);
  });

  it("is forgotten when an item is removed that it waited for", async () => {
    const fees = delayed(() => HttpResponse.json({ platformBps: 100, royaltyBps: 250 }));
    server.use(http.get("*/api/marketplace/fees", fees.resolver));
    show(`/portal/sell?item=${blades}:1:1:33&item=${blades}:2:1:33`);
    await userEvent.click(await screen.findByRole("button", { name: "List 2 items" }));
    expect(document.querySelector("button[type=submit]")).toHaveAttribute("aria-busy", "true");
    await userEvent.click(screen.getByRole("button", { name: "Remove Blade 2" }));
    expect(document.querySelector("button[type=submit]")).not.toHaveAttribute("aria-busy");
    await act(async () => fees.letGo());
    await screen.findAllByText(/31\.84/);
    expect(world.sent).toBeUndefined();
  });

  it("leaves alone what is shown by the time it is done: another form with its typed price", async () => {
    let done = false;
    world.receipt = () => (done ? { success: true } : null);
    const router = show();
    await userEvent.type(await price(), "10");
    await userEvent.click(screen.getByRole("button", { name: "List 1 item" }));
    await screen.findByText("Waiting for the chain to take it.");
    await act(() => router.navigate(`/portal/sell?item=${blades}:2`));
    await screen.findByRole("heading", { name: "Blade 2" });
    await userEvent.type(await price(), "77");
    done = true;
    await screen.findByRole("heading", { name: "On the market" });
    expect(await price()).toHaveValue("77");
    expect(router.state.location.search).toBe(`?item=${blades}:2`);
  });

  it("leaves alone the address of another page", async () => {
    let done = false;
    world.receipt = () => (done ? { success: true } : null);
    const router = show();
    await userEvent.type(await price(), "10");
    await userEvent.click(screen.getByRole("button", { name: "List 1 item" }));
    await screen.findByText("Waiting for the chain to take it.");
    await act(() => router.navigate("/kod-marketplace/packs?tx=0x1"));
    done = true;
    await waitFor(() => expect(deals.get().last?.state).toBe("done"));
    expect(router.state.location).toMatchObject({ pathname: "/kod-marketplace/packs", search: "?tx=0x1" });
  });

  it("takes out of the form what is listed, and leaves what was chosen meanwhile", async () => {
    let done = false;
    world.receipt = () => (done ? { success: true } : null);
    held = { listGameItems: [holding({}, "Sword"), holding({ tokenId: "2" }, "Shield")] };
    const router = show();
    await userEvent.type(await price(), "10");
    await userEvent.click(screen.getByRole("button", { name: "List 1 item" }));
    await screen.findByText("Waiting for the chain to take it.");
    await userEvent.click(await screen.findByRole("button", { name: /^Shield/ }));
    done = true;
    await screen.findByRole("heading", { name: "On the market" });
    await waitFor(() => expect(router.state.location.search).toBe(`?item=${encodeURIComponent(`${blades}:2`)}`));
  });
});

describe("the choice of what to sell", () => {
  it("has what can be traded, and says why something cannot be sold", async () => {
    held = {
      listGameItems: [holding({}, "Sword"), holding({ tokenId: "2", wallet: "verified" }, "Shield")],
      listPiggyBanks: [holding({ contract: keepsakes }, "Keepsake Piggy", "piggy-soulbound")],
    };
    const router = show("/portal/sell");
    await userEvent.click(await screen.findByRole("button", { name: /^Sword/ }));
    expect(router.state.location.search).toBe(`?item=${encodeURIComponent(`${blades}:1`)}`);
    await price();
    expect(screen.getByRole("button", { name: /^Sword/, pressed: true })).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: /^Shield/ })).toBeNull();
    expect(screen.getByText("It is in your own wallet. Only what is in your smart wallet can be sold here.")).toBeInTheDocument();
    expect(screen.getByText("It is bound to your wallet and cannot be sold.")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Remove Blade 1" }));
    expect(router.state.location.search).toBe("");
  });

  it("takes no more at once than the operator lets players list", async () => {
    most = 2;
    held = { listGameItems: [holding({}, "Sword"), holding({ tokenId: "3" }, "Helm")] };
    show(`/portal/sell?item=${blades}:1&item=${blades}:2`);
    await screen.findByText("At most 2 items can be listed at once.");
    expect(screen.getByRole("button", { name: /^Sword/, pressed: true })).toBeEnabled();
    expect(screen.getByRole("button", { name: /^Helm/ })).toBeDisabled();
  });

  it("says when an address names more than can be listed at once", async () => {
    most = 1;
    show(`/portal/sell?item=${blades}:1&item=${blades}:2`);
    await screen.findByText("Only 1 item can be listed at once. Remove some of the others.");
  });

  it("says when there is nothing", async () => {
    show("/portal/sell");
    await screen.findByText("Nothing to sell yet");
  });

  it("says what did not load, and loads it again", async () => {
    let down = true;
    server.use(http.get("*/api/auth/nft/listGameItems", () => (down ? problem(404, "Not now.") : undefined)));
    held = { listGameItems: [holding({}, "Sword")] };
    show("/portal/sell");
    await screen.findByText("What you own of Arms & relics did not load");
    down = false;
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    await screen.findByRole("button", { name: /^Sword/ });
  });

  it("fills in what an address names of a listing that has ended", async () => {
    show(`/portal/sell?item=${blades}:1:2:8.5&item=${blades}:1&item=nonsense`);
    expect(await price()).toHaveValue("8.5");
    expect(await count()).toHaveValue("2");
    act(() => {});
    expect(screen.getByRole("button", { name: "List 1 item" })).toBeInTheDocument();
  });
});
