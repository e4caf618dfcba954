import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { decodeFunctionData, parseAbi } from "viem";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Toaster } from "~/components/ui/toasts";
import { dispatch } from "~/features/realtime/messages";
import { keepOutcomes } from "~/features/realtime/outcomes";
import { logout } from "~/features/session/session";
import { session } from "~/features/session/store";
import { disconnectWallet } from "~/features/wallet/connection";
import { queryClient } from "~/lib/query";
import { delayed } from "../../../test/delayed";
import { hold, listing, signedIn } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { answerWallet, smart, type WalletWorld } from "../../../test/wallet";
import { MyListings } from "./components/listings";
import { deals } from "./deal";
import { useListingNews } from "./news";
import type { OwnListing } from "./queries";

const abi = parseAbi([
  "struct Terms { address assetContract; uint256 tokenId; uint256 quantity; address currency; uint256 " +
    "pricePerToken; uint128 startTimestamp; uint128 endTimestamp; bool reserved; }",
  "function updateListing(uint256 listingId, Terms params)",
  "function cancelListing(uint256 listingId)",
  "function execute(address target, uint256 value, bytes data)",
  "function executeBatch((address target, uint256 value, bytes data)[] calls)",
]);

type Some = Partial<OwnListing["listing"]>;
const own = (state: OwnListing["state"], some: Some = {}, more: Partial<OwnListing> = {}): OwnListing => ({
  listing: listing({
    seller: smart,
    quantity: 3,
    price: "10",
    pricePerToken: "10000000",
    startTimestamp: 1_700_000_000,
    endTimestamp: 1_900_000_000,
    ...some,
  }),
  state,
  sold: 0,
  received: "0",
  sales: [],
  ...more,
});

let world: WalletWorld;
let mine: OwnListing[];
/** The states that were asked for. */
let asked: string[];

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  signedIn({ smartWalletAddress: smart });
  world = answerWallet();
  mine = [];
  asked = [];
  server.use(
    http.get("*/api/auth/marketplace/my-listings", ({ request }) => {
      const state = new URL(request.url).searchParams.get("state") ?? "";
      asked.push(state);
      return HttpResponse.json({ items: mine.filter((l) => l.state === state || (state === "invalid" && l.state === "returned")) });
    }),
    http.get("*/api/marketplace/fees", () => HttpResponse.json({ platformBps: 100, royaltyBps: 250 })),
    http.get("*/api/auth/logout", () => HttpResponse.json({})),
  );
});
afterEach(async () => {
  await logout();
  session.set(session.initial);
  deals.set(deals.initial);
  disconnectWallet();
});

function show(address = "/portal/listings") {
  const router = createMemoryRouter([{ path: "*", element: <MyListings /> }], { initialEntries: [address] });
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
  const { functionName, args } = decodeFunctionData({ abi, data: callData });
  const calls = functionName === "execute" ? [{ data: args[2] }] : (args as unknown as [{ data: `0x${string}` }[]])[0];
  return calls.map(({ data }) => decodeFunctionData({ abi, data }));
}

const row = (name: string) => screen.findByRole("listitem", { name });
const facts = (element: HTMLElement) =>
  Object.fromEntries(
    within(element)
      .getAllByRole("term")
      .map((term) => [term.textContent, term.nextElementSibling?.textContent]),
  );

describe("a live listing", () => {
  // Spec: SELL-4
  it("says its price, what the seller receives, what is left, when it ends and how much is held", async () => {
    mine = [own("live", { inCartItems: [hold(), hold({ index: 1 })] })];
    show();
    await waitFor(async () => expect(facts(await row("Blade 1"))["You receive"]).toBe("9.65 USDC"));
    expect(facts(await row("Blade 1"))).toEqual({
      "Price of one": "10.00 USDC",
      "You receive": "9.65 USDC",
      Left: "3",
      "In carts now": "2 held",
      Ends: expect.stringContaining("2030"),
    });
    expect(screen.queryByText("tag-of-another")).toBeNull();
  });

  it("follows holds as they are announced, and asks what was sold", async () => {
    mine = [own("live", { version: 1 })];
    show();
    await screen.findByText("0 held");
    const before = asked.length;
    mine = [own("live", { version: 2, inCartItems: [hold()] })];
    act(() =>
      dispatch({
        channelId: "live-listings-change",
        type: "update",
        payload: { document: mine[0]?.listing, assetContractAddress: "0xa1" },
      }),
    );
    await screen.findByText("1 held");
    await waitFor(() => expect(asked.length).toBeGreaterThan(before));
  });

  it("of another seller changes nothing here", async () => {
    mine = [own("live")];
    show();
    await screen.findByText("0 held");
    const before = asked.length;
    act(() =>
      dispatch({
        channelId: "live-listings-change",
        type: "update",
        payload: { document: listing({ version: 9 }), assetContractAddress: "0xa1" },
      }),
    );
    await act(async () => {});
    expect(asked.length).toBe(before);
  });

  it("gets another price, and keeps everything else", async () => {
    mine = [own("live", { listingId: "42" })];
    show();
    await userEvent.click(await screen.findByRole("button", { name: "Change the price of Blade 42" }));
    const field = await within(screen.getByRole("dialog")).findByLabelText("Price of one, in USDC");
    expect(field).toHaveValue("10");
    await screen.findByText("Market fee, 1 %");
    await userEvent.click(screen.getByRole("button", { name: "Change the price" }));
    expect(field).toHaveAccessibleDescription("This is the price it has.");
    await userEvent.clear(field);
    await userEvent.type(field, "0");
    await userEvent.click(screen.getByRole("button", { name: "Change the price" }));
    expect(field).toHaveAccessibleDescription("The price must be above 0.");
    await userEvent.clear(field);
    await userEvent.type(field, "8.5");
    await userEvent.click(screen.getByRole("button", { name: "Change the price" }));
    await screen.findByRole("heading", { name: "The price is changed" });
    expect(sent()).toMatchObject([
      {
        functionName: "updateListing",
        args: [
          42n,
          {
            tokenId: 42n,
            quantity: 3n,
            pricePerToken: 8_500_000n,
            startTimestamp: 1_700_000_000n,
            endTimestamp: 1_900_000_000n,
            reserved: false,
          },
        ],
      },
    ]);
  });

  /** Raises the price of a unit that somebody holds, which the server refuses. */
  async function raiseWhileHeld() {
    mine = [own("live")];
    world.bundle = () => ({ error: { code: -32000, message: "Somebody holds it just now." } });
    show();
    await userEvent.click(await screen.findByRole("button", { name: "Change the price of Blade 1" }));
    const field = await within(screen.getByRole("dialog")).findByLabelText("Price of one, in USDC");
    await screen.findByText("Market fee, 1 %");
    await userEvent.clear(field);
    await userEvent.type(field, "11");
    await userEvent.click(screen.getByRole("button", { name: "Change the price" }));
  }

  it("keeps its price when the server refuses another, and says why", async () => {
    await raiseWhileHeld();
    await screen.findByText("Somebody holds it just now.");
    expect(screen.getByRole("heading", { name: "The price is not changed" })).toHaveFocus();
  });

  it("says that it is sold once it is, in place of why its price was not changed", async () => {
    await raiseWhileHeld();
    await screen.findByRole("heading", { name: "The price is not changed" });
    mine = [own("sold", { quantity: 0 })];
    act(() => dispatch({ channelId: "listing", type: "sold", payload: {} } as never));
    expect(await screen.findByRole("link", { name: "See the listing" })).toHaveAttribute("href", "/portal/listings?state=sold");
    expect(screen.getByText("Blade 1 is sold.", { exact: false })).toHaveRole("status");
    expect(screen.queryByRole("heading", { name: "The price is not changed" })).toBeNull();
  });

  it("gets its new price once the fees have loaded, if they had not when that was pressed", async () => {
    mine = [own("live", { listingId: "42" })];
    const fees = delayed(() => HttpResponse.json({ platformBps: 100, royaltyBps: 250 }));
    server.use(http.get("*/api/marketplace/fees", fees.resolver));
    show();
    await userEvent.click(await screen.findByRole("button", { name: "Change the price of Blade 42" }));
    await userEvent.clear(screen.getByLabelText("Price of one, in USDC"));
    await userEvent.type(screen.getByLabelText("Price of one, in USDC"), "7");
    await userEvent.click(screen.getByRole("button", { name: "Change the price" }));
    expect(screen.getByRole("dialog").querySelector("button[type=submit]")).toHaveAttribute("aria-busy", "true");
    expect(world.sent).toBeUndefined();
    await act(async () => fees.letGo());
    await screen.findByRole("heading", { name: "The price is changed" });
    expect(world.has).toHaveLength(1);
  });

  it("is ended once that is confirmed", async () => {
    mine = [own("live", { listingId: "42" })];
    show();
    await userEvent.click(await screen.findByRole("button", { name: "End the listing of Blade 42" }));
    await userEvent.click(screen.getByRole("button", { name: "Keep it" }));
    expect(world.sent).toBeUndefined();
    await userEvent.click(screen.getByRole("button", { name: "End the listing of Blade 42" }));
    await userEvent.click(screen.getByRole("button", { name: "End it" }));
    await screen.findByRole("heading", { name: "Off the market" });
    expect(sent()).toMatchObject([{ functionName: "cancelListing", args: [42n] }]);
  });
});

describe("all live listings", () => {
  // Spec: SELL-1
  it("are ended in one operation, those of all pages", async () => {
    const pages = [own("live", { listingId: "1" }), own("live", { listingId: "2" }), own("live", { listingId: "3" })];
    server.use(
      http.get("*/api/auth/marketplace/my-listings", ({ request }) => {
        const cursor = new URL(request.url).searchParams.get("cursor");
        return HttpResponse.json(cursor ? { items: pages.slice(2) } : { items: pages.slice(0, 2), nextCursor: "next" });
      }),
    );
    show();
    await userEvent.click(await screen.findByRole("button", { name: "End all" }));
    await screen.findByRole("heading", { name: "End 3 listings?" });
    await userEvent.click(screen.getByRole("button", { name: "End them" }));
    await screen.findByRole("heading", { name: "Off the market" });
    expect(sent().map(({ args }) => args?.[0])).toEqual([1n, 2n, 3n]);
  });

  it("are ended at most 32 at once, as the portal signs no more calls in one operation", async () => {
    mine = Array.from({ length: 40 }, (_, i) => own("live", { listingId: String(i) }));
    show();
    await userEvent.click(await screen.findByRole("button", { name: "End all" }));
    await screen.findByRole("heading", { name: "End 32 listings?" });
  });
});

it("the question whether to end all does not take the place of another one, asked meanwhile", async () => {
  mine = ["1", "2"].map((listingId) => own("live", { listingId }));
  show();
  await screen.findByRole("button", { name: "End all" });
  const slow = delayed(() => HttpResponse.json({ items: mine }));
  server.use(http.get("*/api/auth/marketplace/my-listings", slow.resolver));
  await userEvent.click(screen.getByRole("button", { name: "End all" }));
  await slow.arrived();
  await userEvent.click(screen.getByRole("button", { name: "Change the price of Blade 1" }));
  await userEvent.clear(screen.getByLabelText("Price of one, in USDC"));
  await userEvent.type(screen.getByLabelText("Price of one, in USDC"), "7");
  await act(async () => slow.letGo());
  expect(screen.getByLabelText("Price of one, in USDC")).toHaveValue("7");
  expect(screen.queryByRole("heading", { name: "End 2 listings?" })).toBeNull();
});

describe("while the question whether to end all is open", () => {
  beforeEach(async () => {
    mine = ["1", "2", "3"].map((listingId) => own("live", { listingId }));
    show();
    await userEvent.click(await screen.findByRole("button", { name: "End all" }));
    await screen.findByRole("heading", { name: "End 3 listings?" });
  });

  it("one may be sold: the others are ended", async () => {
    mine = mine.filter(({ listing }) => listing.listingId !== "2");
    await userEvent.click(screen.getByRole("button", { name: "End them" }));
    await screen.findByRole("heading", { name: "Off the market" });
    expect(sent().map(({ args }) => args?.[0])).toEqual([1n, 3n]);
  });

  it("all may be sold: nothing is sent", async () => {
    mine = [];
    await userEvent.click(screen.getByRole("button", { name: "End them" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(world.sent).toBeUndefined();
  });

  it("the player may decide otherwise before the answer: nothing is ended", async () => {
    const slow = delayed(() => HttpResponse.json({ items: mine }));
    server.use(http.get("*/api/auth/marketplace/my-listings", slow.resolver));
    await userEvent.click(screen.getByRole("button", { name: "End them" }));
    await slow.arrived();
    await userEvent.click(screen.getByRole("button", { name: "Keep them" }));
    await userEvent.click(screen.getByRole("button", { name: "End the listing of Blade 2" }));
    expect(screen.getByRole("button", { name: "End it" })).toBeEnabled();
    await userEvent.click(screen.getByRole("button", { name: "Keep it" }));
    await act(async () => slow.letGo());
    expect(world.sent).toBeUndefined();
    expect(deals.get().last).toBeNull();
  });
});

describe("what was listed", () => {
  it("is sold with each sale and what the seller received", async () => {
    const sale = { listingId: "1", seller: smart, buyer: smart, txHash: "0x1", time: "2026-11-20T10:00:00.000Z" };
    mine = [
      own(
        "sold",
        { quantity: 0 },
        {
          sold: 3,
          received: "29.25",
          sales: [
            { ...sale, quantity: 2, unitPrice: "10", total: "20", received: "19.5" },
            { ...sale, quantity: 1, unitPrice: "10", total: "10" },
          ],
        },
      ),
    ];
    show("/portal/listings?state=sold");
    await screen.findByText("3 sold. You received", { exact: false });
    expect(screen.getByText("29.25", { exact: false })).toBeInTheDocument();
    expect(screen.getByText(/: 2 at/)).toHaveTextContent("2 at 10.00 USDC, you received 19.50 USDC");
    expect(screen.getByText(/: 1 at/)).toHaveTextContent(/1 at 10.00 USDC$/);
  });

  it("is listed again as it was, once it has ended", async () => {
    mine = [own("ended", { quantity: 2, price: "8.5" })];
    show("/portal/listings?state=ended");
    const again = await screen.findByRole("link", { name: "List Blade 1 again" });
    expect(again).toHaveAttribute("href", `/portal/sell?item=${mine[0]?.listing.assetContractAddress}:1:2:8.5`);
    expect(screen.queryByRole("button", { name: /^End the/ })).toBeNull();
  });

  it("is explained when nobody can buy it, and can be ended", async () => {
    mine = [own("invalid")];
    show("/portal/listings?state=invalid");
    await screen.findByText("Nobody can buy it now", { exact: false });
    expect(screen.getByRole("button", { name: "End the listing of Blade 1" })).toBeEnabled();
    expect(screen.queryByRole("button", { name: /^Change the price/ })).toBeNull();
  });
});

describe("a listing whose items were gone and are back", () => {
  it("is sold from again at its price once the seller says so", async () => {
    mine = [own("returned")];
    show("/portal/listings?state=invalid");
    await screen.findByText("It left your wallet and is back.", { exact: false });
    await userEvent.click(screen.getByRole("button", { name: "Sell Blade 1 again at this price" }));
    await waitFor(() => expect(world.sent).toBeDefined());
    expect(sent()).toEqual([
      {
        functionName: "updateListing",
        args: [
          1n,
          expect.objectContaining({
            quantity: 3n,
            pricePerToken: 10_000_000n,
            startTimestamp: 1_700_000_000n,
            endTimestamp: 1_900_000_000n,
          }),
        ],
      },
    ]);
  });

  it("can get the price that it has from the dialog, or end", async () => {
    mine = [own("returned")];
    show("/portal/listings?state=invalid");
    await userEvent.click(await screen.findByRole("button", { name: "Change the price of Blade 1" }));
    await userEvent.click(await screen.findByRole("button", { name: "Change the price" }));
    await waitFor(() => expect(world.sent).toBeDefined());
    expect(sent()).toEqual([{ functionName: "updateListing", args: [1n, expect.objectContaining({ pricePerToken: 10_000_000n })] }]);
    expect(screen.getByRole("button", { name: "End the listing of Blade 1" })).toBeInTheDocument();
  });
});

describe("the lists", () => {
  it.each([
    ["", "Nothing on the market"],
    ["?state=sold", "Nothing sold out yet"],
    ["?state=ended", "Nothing has ended"],
    ["?state=invalid", "No problems"],
    ["?state=nonsense", "Nothing on the market"],
  ])("say that there is nothing at %j", async (query, title) => {
    show(`/portal/listings${query}`);
    await screen.findByText(title);
  });

  it("are chosen by tab, in the address", async () => {
    mine = [own("live"), own("ended", { listingId: "2" })];
    const router = show();
    await row("Blade 1");
    await userEvent.click(screen.getByRole("tab", { name: "Ended" }));
    await row("Blade 2");
    expect(router.state.location.search).toBe("?state=ended");
  });

  it("say that they did not load, and load again", async () => {
    let down = true;
    server.use(http.get("*/api/auth/marketplace/my-listings", () => (down ? problem(404, "Not now.") : undefined)));
    mine = [own("live")];
    show();
    await screen.findByText("Your listings did not load");
    down = false;
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    await row("Blade 1");
  });
});

function Elsewhere({ elsewhere }: { elsewhere: boolean }) {
  useListingNews(elsewhere);
  return <Toaster />;
}

describe("on other pages", () => {
  // Spec: LIVE-13
  it("a listing is told when it is on the market or off it, or failed", async () => {
    const stop = keepOutcomes();
    render(<Elsewhere elsewhere />);
    const tell = (type: "new" | "remove", success: boolean) =>
      act(() => dispatch({ channelId: "listing", type, payload: { txId: "0x1", success } }));
    tell("new", true);
    expect(await screen.findByText("On the market")).toBeInTheDocument();
    tell("new", true);
    expect(screen.getAllByText("On the market")).toHaveLength(1);
    tell("new", false);
    expect(await screen.findByText("Not listed")).toBeInTheDocument();
    tell("remove", true);
    expect(await screen.findByText("Off the market")).toBeInTheDocument();
    tell("remove", false);
    expect(await screen.findByText("The listing has not ended")).toBeInTheDocument();
    stop();
  });
});
