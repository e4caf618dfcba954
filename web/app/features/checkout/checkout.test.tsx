import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { decodeFunctionData, type Hex, parseAbi } from "viem";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { notifyHeld, Toaster } from "~/components/ui/toasts";
import { loadConfig } from "~/features/config/load";
import { dispatch } from "~/features/realtime/messages";
import { disconnectWallet } from "~/features/wallet/connection";
import { queryClient } from "~/lib/query";
import { keys } from "~/lib/storage";
import { cart, cartItem, contract, listing, profile, signedIn } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { answerWallet, chain, factory, market, operation, owner, smart, usdc, type WalletWorld } from "../../../test/wallet";
import { Checkout } from "./components/checkout";
import { keepOrder, type Order } from "./queries";

const accountAbi = parseAbi([
  "struct Call { address target; uint256 value; bytes data; }",
  "function executeBatch(Call[] calls) payable returns (bytes[])",
]);
const factoryAbi = parseAbi(["function createAccount(bytes32) payable returns (address)"]);

/** The server's state. */
let order: Order | null;
let world: WalletWorld;

const held = () => cart(cartItem({ listing: listing({ price: "12.5" }), expiresAt: new Date(Date.now() + 300_000).toISOString() }));
let inCart = held();

function anOrder(state: Order["state"], some: Partial<Order> = {}): Order {
  const states = ["awaiting-payment", "submitted", "confirming", "complete"];
  const reached = states.indexOf(state) < 0 ? ["awaiting-payment", state] : states.slice(0, states.indexOf(state) + 1);
  return {
    orderId: "ORDER1",
    state,
    items: [
      {
        listingId: "1",
        assetContractAddress: market,
        tokenId: "1",
        seller: market,
        quantity: 1,
        bought: state === "complete" ? 1 : 0,
        price: "12.5",
        metadata: listing().metadata,
      },
    ],
    currency: usdc,
    total: "12.5",
    totalUnits: "12500000",
    calls: [
      { to: usdc, value: "0", data: "0x095ea7b3" },
      { to: market, value: "0", data: "0x704232dc" },
    ],
    timeline: reached.map((s) => ({ state: s, at: new Date().toISOString(), detail: s })),
    userOpHash: null,
    txHash: null,
    createdAt: new Date().toISOString(),
    expiresAt: new Date(Date.now() + 600_000).toISOString(),
    ...some,
  };
}

beforeEach(() => {
  disconnectWallet();
  signedIn({ smartWalletAddress: smart });
  order = null;
  inCart = held();
  world = answerWallet();
  world.accepted = () => {
    order = anOrder("submitted", { userOpHash: operation });
  };
  vi.spyOn(console, "warn").mockImplementation(() => {});
  server.use(
    http.get("*/api/auth/marketplace/cart", () => HttpResponse.json(inCart)),
    http.get("*/api/auth/marketplace/checkout", () =>
      HttpResponse.json({ order: order && ["awaiting-payment", "submitted", "confirming"].includes(order.state) ? order : null }),
    ),
    http.get("*/api/auth/marketplace/checkout/ORDER1", () => HttpResponse.json(order)),
    http.post("*/api/auth/marketplace/checkout", () => {
      order = anOrder("awaiting-payment");
      return HttpResponse.json(order, { status: 201 });
    }),
  );
});

function show() {
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <Checkout />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

const payButton = () => screen.findByRole("button", { name: /^Pay/ });

/** Settles the order and delivers the message. */
function settle(state: Order["state"], some: Partial<Order> = {}) {
  order = anOrder(state, some);
  act(() => dispatch({ channelId: "order", type: "update", payload: { orderId: "ORDER1", state } }));
}

describe("paying", () => {
  it("makes all calls of the order in one operation of the smart account, signed by the server and paid for by the portal", async () => {
    show();
    await userEvent.click(await payButton());
    expect(await screen.findByText("Your payment is on its way.")).toBeInTheDocument();

    expect(world.sent).toMatchObject({ sender: smart, nonce: "0x7", paymaster: market, factory, signature: `0x${"5e".repeat(65)}` });
    const { args } = decodeFunctionData({ abi: accountAbi, data: world.sent?.callData as Hex });
    expect(args?.[0].map((c) => [c.target.toLowerCase(), c.value, c.data])).toEqual([
      [usdc, 0n, "0x095ea7b3"],
      [market, 0n, "0x704232dc"],
    ]);
    const made = decodeFunctionData({ abi: factoryAbi, data: world.sent?.factoryData as Hex });
    expect(made.args?.[0]).toBe(`${owner}${"0".repeat(24)}`);

    expect(world.signed).toMatchObject({ chainId: chain, userOperation: { sender: smart, callData: world.sent?.callData, nonce: "0x7" } });
    expect(world.rpc.indexOf("paymaster pm_getPaymasterStubData")).toBeLessThan(world.rpc.indexOf("bundler eth_estimateUserOperationGas"));
    expect(world.rpc.indexOf("paymaster pm_getPaymasterData")).toBeLessThan(world.rpc.indexOf("bundler eth_sendUserOperation"));
  });

  // Spec: LIVE-27, PAY-11
  it("follows the order to its end", async () => {
    show();
    await userEvent.click(await payButton());
    await screen.findByText("Your payment is on its way.");
    settle("confirming");
    expect(await screen.findByText("Waiting for the chain to confirm.")).toBeInTheDocument();
    settle("complete", { txHash: operation });
    expect(await screen.findByText("It is yours")).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "See what I own" })).toHaveAttribute("href", "/portal/my-inventory");
    expect(console.warn).not.toHaveBeenCalled(); // no failure on the way
  });

  // Spec: RUN-22
  it("is one trace, from the click to what it changed", async () => {
    const traces: [string, string | null][] = [];
    const note = ({ request }: { request: Request }) => {
      traces.push([new URL(request.url).pathname, request.headers.get("traceparent")]);
    };
    server.events.on("request:start", note);
    const traceOf = (path: RegExp) => traces.findLast(([asked]) => path.test(asked))?.[1];
    show();
    const pay = await payButton();
    expect(traceOf(/cart$/)).toBeNull();
    await userEvent.click(pay);
    await screen.findByText("Your payment is on its way.");
    const trace = traceOf(/checkout$/);
    expect(trace).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(traceOf(/bundler/)).toBe(trace);
    settle("complete", { txHash: operation });
    await screen.findByText("It is yours");
    await waitFor(() => expect(traceOf(/checkout\/ORDER1$/)).toBe(trace));
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    await act(() => queryClient.refetchQueries({ queryKey: ["cart"] }));
    expect(traceOf(/cart$/)).toBeNull();
    server.events.removeListener("request:start", note);
  });

  it("asks only for what a message can have changed", async () => {
    const asked: string[] = [];
    server.use(
      http.get("*/api/auth/marketplace/cart", () => {
        asked.push("cart");
        return HttpResponse.json(inCart);
      }),
      http.get("*/api/auth/marketplace/checkout/ORDER1", () => {
        asked.push("order");
        return HttpResponse.json(order);
      }),
    );
    /** What the page asks for after a message, once it shows the text. */
    const askedAfter = async (state: Order["state"], text: string) => {
      await waitFor(() => expect(queryClient.isFetching()).toBe(0));
      asked.length = 0;
      settle(state);
      await screen.findByText(text);
      await waitFor(() => expect(queryClient.isFetching()).toBe(0));
      return [...new Set(asked)].sort();
    };
    order = anOrder("awaiting-payment");
    show();
    await screen.findByText("Pay now");
    expect(await askedAfter("awaiting-payment", "Pay now")).toEqual(["cart"]); // the order's holds last longer
    expect(await askedAfter("submitted", "Your payment is on its way.")).toEqual(["order"]);
    expect(await askedAfter("confirming", "Waiting for the chain to confirm.")).toEqual(["order"]);
    expect(await askedAfter("complete", "It is yours")).toEqual(["cart", "order"]);
  });

  it("sends the total that was shown, and says what the server found instead", async () => {
    const body = vi.fn();
    server.use(
      http.post("*/api/auth/marketplace/checkout", async ({ request }) => {
        body(await request.json());
        return problem(409, "A price has changed: the total is now 14 USDC.", { reason: "price-changed" });
      }),
    );
    show();
    await userEvent.click(await payButton());
    expect(await screen.findByText("A price has changed: the total is now 14 USDC.")).toHaveAttribute("role", "alert");
    expect(body).toHaveBeenCalledWith({
      playFabId: profile().AccountInfo.PlayFabId,
      items: [{ listingId: "1", assetContractAddress: contract, index: 0, price: "12.5" }],
      expectedTotal: "12.5",
    });
  });

  it("shows why the relay refused, and lets the player try again", async () => {
    world.bundle = () => ({ error: { code: -32500, message: "This unit is in another player's cart." } });
    show();
    await userEvent.click(await payButton());
    expect(await screen.findByText("This unit is in another player's cart.")).toHaveAttribute("role", "alert");
    world.bundle = () => ({});
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("Your payment is on its way.")).toBeInTheDocument();
  });

  it("says that it keeps trying while the answer to the payment is lost", async () => {
    world.accepted = () => {};
    world.lost = () => HttpResponse.error();
    show();
    await userEvent.click(await payButton());
    expect(await screen.findByText("No answer yet. We keep trying; nothing is paid twice.")).toHaveRole("status");
    world.lost = () => undefined;
    expect(await screen.findByText("Your payment is on its way.", {}, { timeout: 5_000 })).toBeInTheDocument();
    expect(world.has).toHaveLength(1);
  });

  it("says so when the relay cannot be reached, whatever the wallet's library makes of it", async () => {
    const relay = "*/api/proxy/bundler/*";
    server.use(http.post(relay, () => HttpResponse.error()));
    show();
    await userEvent.click(await payButton());
    expect(await screen.findByText(/The server does not answer/)).toHaveAttribute("role", "alert");
    server.use(http.post(relay, () => problem(503, "We cannot reach our database just now.")));
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("We cannot reach our database just now.")).toHaveAttribute("role", "alert");
  });
});

describe("a page that is loaded again", () => {
  // Spec: PAY-3
  it.each<[Order["state"], string]>([
    ["awaiting-payment", "Pay now"],
    ["submitted", "Your payment is on its way."],
    ["confirming", "Waiting for the chain to confirm."],
  ])("goes on with an order that is %s", async (state, text) => {
    order = anOrder(state);
    show();
    expect(await screen.findByText(text)).toBeInTheDocument();
  });

  // Spec: PAY-11
  it.each<[Order["state"], string]>([
    ["complete", "It is yours"],
    ["partly-complete", "Partly yours"],
    ["failed", "Nothing was bought"],
  ])("says how an order ended that was %s meanwhile", async (state, text) => {
    keepOrder(profile().AccountInfo.PlayFabId, "ORDER1");
    order = anOrder(state);
    show();
    expect(await screen.findByText(text)).toBeInTheDocument();
  });

  it.each([
    ["packs leads to their opening", true],
    ["nothing that is opened does not", false],
  ])("of %s", async (_of, isPack) => {
    keepOrder(profile().AccountInfo.PlayFabId, "ORDER1");
    const bought = anOrder("complete");
    const [item] = bought.items;
    const { chests = "" } = (await loadConfig()).collections;
    order = { ...bought, items: item && isPack ? [{ ...item, assetContractAddress: chests }] : bought.items };
    show();
    await screen.findByText("It is yours");
    const link = () => screen.queryByRole("link", { name: "Open it now" });
    if (isPack) await waitFor(() => expect(link()).toHaveAttribute("href", "/kod-marketplace/packs"));
    else expect(link()).toBeNull();
  });

  it("says when there is no news of a payment, and goes on when there is", async () => {
    order = anOrder("submitted");
    show();
    await screen.findByText("Your payment is on its way.");
    const news = "*/api/auth/marketplace/checkout";
    server.use(
      http.get(news, () => problem(400, "Away.")),
      http.get(`${news}/ORDER1`, () => problem(400, "Away.")),
    );
    expect(await screen.findByText(/Its state did not load. Away./, undefined, { timeout: 5000 })).toHaveAttribute("role", "alert");
    const paid = anOrder("complete");
    server.use(
      http.get(news, () => HttpResponse.json({ order: paid })),
      http.get(`${news}/ORDER1`, () => HttpResponse.json(paid)),
    );
    expect(await screen.findByText("It is yours", undefined, { timeout: 5000 })).toBeInTheDocument();
  });

  it("goes back to the cart from an order that failed", async () => {
    keepOrder(profile().AccountInfo.PlayFabId, "ORDER1");
    order = anOrder("failed", { error: "The seller took it back." });
    show();
    expect(await screen.findByText("The seller took it back.")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Back to the cart" }));
    expect(await payButton()).toBeInTheDocument();
    expect(localStorage.getItem(keys.order)).toBeNull();
  });
});

describe("the review", () => {
  // Spec: MONEY-7
  it("does not let a player pay what they don't have, and offers test money where there is any", async () => {
    world.balance = 12_000_000n;
    server.use(
      http.post("*/api/dev/faucet", () => {
        world.balance += 100_000_000n;
        return HttpResponse.json({ success: true, message: "100 test USDC are on their way." });
      }),
    );
    show();
    expect(await screen.findByText("You do not have enough USDC for this.")).toBeInTheDocument();
    expect(screen.getByText(/^You need/)).toHaveTextContent("You need 0.50 USDC more.");
    expect(screen.getByRole("link", { name: "Add money to your wallet" })).toHaveAttribute("href", "/portal/money");
    expect(screen.getByRole("link", { name: "Sell something you own" })).toHaveAttribute("href", "/portal/sell");
    expect(await payButton()).toBeDisabled();
    await userEvent.click(await screen.findByRole("button", { name: "Get 100 test USDC" }));
    await vi.waitFor(async () => expect(await payButton()).toBeEnabled());
  });

  it("offers no test money where there is none", async () => {
    world.balance = 0n;
    world.faucet = false;
    show();
    expect(await screen.findByText("You do not have enough USDC for this.")).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Get 100 test USDC" })).toBeNull();
  });

  it("does not let a player pay for what has gone", async () => {
    inCart = cart(cartItem({ changed: "gone", expiresAt: new Date(Date.now() + 300_000).toISOString() }));
    show();
    expect(await screen.findByText(/1 item in your cart is no longer for sale/)).toBeInTheDocument();
    expect(await payButton()).toBeDisabled();
  });

  it("says so when there is nothing to pay", async () => {
    inCart = cart();
    show();
    expect(await screen.findByText("Your cart is empty")).toBeInTheDocument();
  });

  // Spec: CART-9
  it("takes back the notice of what was held", async () => {
    render(<Toaster />);
    act(() => notifyHeld({ imageUrl: "", title: "Blade 1", total: 1 }));
    show();
    await vi.waitFor(() => expect(screen.getByText("Blade 1 is held for you").closest("[role=status]")).toHaveClass("opacity-0"));
  });

  it("counts what it shows", async () => {
    show();
    const total = (await screen.findByText("Total")).closest("p") as HTMLElement;
    expect(within(total).getByText("12.50")).toBeInTheDocument();
  });
});
