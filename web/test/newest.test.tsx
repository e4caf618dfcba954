import { QueryClientProvider, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { act, render, renderHook, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { MemoryRouter } from "react-router";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { useAddToCart, useRemoveFromCart } from "~/features/cart/actions";
import { cartOf, ownTag } from "~/features/cart/holds";
import { useLiveCart } from "~/features/cart/live";
import { cartQuery } from "~/features/cart/queries";
import { unitOf } from "~/features/cart/visitor";
import { Checkout } from "~/features/checkout/components/checkout";
import { useLiveListings } from "~/features/market/live";
import {
  collectionsQuery,
  type Filters,
  historyQuery,
  itemQuery,
  type Listing,
  listingsOf,
  listingsQuery,
} from "~/features/market/queries";
import { dispatch } from "~/features/realtime/messages";
import { disconnectWallet } from "~/features/wallet/connection";
import { queryClient } from "~/lib/query";
import { delayed } from "./delayed";
import { contract, hold, listing, profile, signedIn } from "./make";
import { HttpResponse, http, problem, server } from "./server";
import { Till } from "./till";
import { answerWallet, smart } from "./wallet";

/** The server's state: each test changes it, and decides when responses and messages arrive. */
let listings: Listing[];
const me = profile();

/** Changes or adds a listing, and returns it as in its message. */
function change(listingId: string, some: Partial<Listing> = {}): Listing {
  const before = listings.find((l) => l.listingId === listingId);
  const after = { ...(before ?? listing({ listingId })), ...some, version: (before?.version ?? 0) + 1 };
  listings = before ? listings.map((l) => (l === before ? after : l)) : [after, ...listings];
  return after;
}

const mine = (listingId: string, index = 0) => hold({ playFabId: ownTag(me, listingId), listingId, index });
const tell = (type: "insert" | "update" | "delete", document: Listing) =>
  act(async () => {
    dispatch({ channelId: "live-listings-change", type, payload: { document, assetContractAddress: document.assetContractAddress } });
    await new Promise((shown) => setTimeout(shown));
  });

const cartNow = () => ({
  items: listings.flatMap((l) =>
    l.inCartItems
      .filter((h) => h.playFabId === ownTag(me, h.listingId))
      .map((h) => ({ ...h, playFabId: me.AccountInfo.PlayFabId, listingId: l.listingId, priceWhenHeld: "12.5", listing: l })),
  ),
});

const filters: Filters = {
  collection: "",
  q: "",
  rarity: [],
  trait: [],
  seller: "",
  free: false,
  cheapest: false,
  min: "",
  max: "",
  sort: "newest",
};

const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;

beforeEach(() => {
  signedIn();
  listings = [];
  vi.spyOn(console, "warn").mockImplementation(() => {});
});

describe("the cart, while an older answer is on its way,", () => {
  const cart = () => delayed(() => HttpResponse.json(cartNow()));
  function show(calls: ReturnType<typeof cart>) {
    server.use(http.get("*/api/auth/marketplace/cart", calls.resolver));
    return renderHook(
      () => {
        useLiveCart();
        return { cart: useQuery(cartQuery), add: useAddToCart(), remove: useRemoveFromCart() };
      },
      { wrapper },
    ).result;
  }
  const items = (shown: ReturnType<typeof show>) => shown.current.cart.data?.items.map((item) => `${item.listingId}/${item.index}`);

  it("takes what a message says that comes before the first answer", async () => {
    change("1", { inCartItems: [mine("1")] });
    const calls = cart();
    const shown = show(calls);
    await calls.arrived();
    await tell("update", change("1", { inCartItems: [] }));
    await tell("update", change("2", { inCartItems: [mine("2")] }));
    calls.letGo();
    await waitFor(() => expect(items(shown)).toEqual(["2/0"]));
  });

  it("takes what a message says during a later answer, also when the page is left and that answer never comes", async () => {
    change("1", { inCartItems: [mine("1")] });
    const calls = cart();
    const shown = show(calls);
    await calls.arrived();
    calls.letGo(1, false);
    await waitFor(() => expect(items(shown)).toEqual(["1/0"]));
    act(() => void queryClient.refetchQueries({ queryKey: cartQuery.queryKey }));
    await calls.arrived(2);
    await tell("update", change("1", { inCartItems: [] }));
    await act(() => queryClient.cancelQueries({ queryKey: cartQuery.queryKey }));
    expect(items(shown)).toEqual([]);
  });

  it("is not taken back by an older message", async () => {
    const older = change("1", { inCartItems: [hold()] });
    change("1", { inCartItems: [mine("1")] });
    const calls = cart();
    const shown = show(calls);
    await calls.arrived();
    calls.letGo();
    await waitFor(() => expect(items(shown)).toEqual(["1/0"]));
    await tell("update", older);
    expect(items(shown)).toEqual(["1/0"]);
  });

  it("has what was held, though the answer was asked for before that", async () => {
    const free = change("1");
    const calls = cart();
    server.use(
      http.post("*/api/auth/marketplace/cart/addToCart", () => {
        change("1", { inCartItems: [mine("1")] });
        return HttpResponse.json({ success: true });
      }),
    );
    const shown = show(calls);
    await calls.arrived();
    const held = shown.current.add.mutateAsync(unitOf(free));
    await vi.waitFor(() => expect(listings[0]?.inCartItems).toHaveLength(1));
    await vi.waitFor(() => expect(queryClient.isMutating()).toBe(1));
    calls.letGo();
    await act(() => held);
    await waitFor(() => expect(items(shown)).toEqual(["1/0"]));
  });

  it.each([
    ["gone", "accepts", true],
    ["there again", "refuses", false],
  ])("a unit that is let go stays away meanwhile, and is %s when the server %s", async (_, __, accepted) => {
    change("1", { quantity: 2, inCartItems: [mine("1")] });
    const calls = cart();
    let answer = () => {};
    server.use(
      http.post("*/api/auth/marketplace/cart/removeFromCart", async () => {
        await new Promise<void>((go) => {
          answer = go;
        });
        if (!accepted) return problem(409, "A payment for it is on its way.");
        change("1", { inCartItems: [hold({ index: 1 })] });
        return HttpResponse.json({ success: true });
      }),
    );
    const shown = show(calls);
    await calls.arrived();
    calls.letGo(1, false);
    await waitFor(() => expect(items(shown)).toEqual(["1/0"]));
    act(() => void queryClient.refetchQueries({ queryKey: cartQuery.queryKey }));
    await calls.arrived(2);
    const item = shown.current.cart.data?.items[0];
    if (!item) throw new Error("nothing is held");
    act(() => shown.current.remove.mutate(item));
    await waitFor(() => expect(items(shown)).toEqual([]));
    await tell("update", change("1", { inCartItems: [mine("1"), hold({ index: 1 })] })); // before it reaches the server
    expect(items(shown)).toEqual([]);
    await act(async () => calls.letGo(2));
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(items(shown)).toEqual([]);
    answer();
    await waitFor(() => expect(queryClient.isMutating()).toBe(0));
    await waitFor(() => expect(items(shown)).toEqual(accepted ? [] : ["1/0"]));
  });
});

describe("the market, while an older answer is on its way,", () => {
  const pageSize = 2;
  const pages = () =>
    delayed(({ request }: { request: Request }) => {
      const query = new URL(request.url).searchParams;
      const sorted = [...listings].sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
      const from = Number(query.get("cursor") ?? 0);
      const items = sorted.slice(from, from + pageSize);
      const more = from + pageSize < sorted.length;
      return HttpResponse.json({
        items,
        ...(from === 0 && { total: sorted.length }),
        ...(more && { nextCursor: String(from + pageSize) }),
      });
    });
  function show(calls: ReturnType<typeof pages>) {
    server.use(http.get("*/api/marketplace/listings", calls.resolver));
    return renderHook(
      () => {
        useLiveListings();
        return useInfiniteQuery(listingsQuery(filters));
      },
      { wrapper },
    );
  }
  const at = (minute: number) => ({ createdAt: new Date(Date.UTC(2026, 10, 20, 9, minute)).toISOString() });
  const text = (shown: ReturnType<typeof show>) =>
    listingsOf(shown.result.current.data?.pages ?? []).map((l) => `${l.listingId}: ${l.inCartItems.length} of ${l.quantity} held`);

  it("takes what messages say that come before the first page", async () => {
    change("1", at(1));
    change("2", at(2));
    const calls = pages();
    const shown = show(calls);
    await calls.arrived();
    await tell("update", change("1", { inCartItems: [hold()] }));
    const gone = change("2", { isInvalid: true });
    listings = listings.filter((l) => l !== gone);
    await tell("delete", gone);
    await tell("insert", change("3", at(3)));
    calls.letGo();
    await waitFor(() => expect(text(shown)).toEqual(["3: 0 of 1 held", "1: 1 of 1 held"]));
    expect(shown.result.current.data?.pages[0]?.total).toBe(2);
  });

  it("takes what a message says of the first page during the second", async () => {
    for (const minute of [1, 2, 3]) change(String(minute), at(minute));
    const calls = pages();
    const shown = show(calls);
    await calls.arrived();
    calls.letGo(1, false);
    await waitFor(() => expect(text(shown)).toHaveLength(2));
    act(() => void shown.result.current.fetchNextPage());
    await calls.arrived(2);
    await tell("update", change("3", { inCartItems: [hold()] }));
    await tell("insert", change("4", at(4)));
    calls.letGo(2);
    await waitFor(() => expect(text(shown)).toEqual(["4: 0 of 1 held", "3: 1 of 1 held", "2: 0 of 1 held", "1: 0 of 1 held"]));
  });

  it("loads the pages again of which the second cut the loading short", async () => {
    for (const minute of [1, 2, 3]) change(String(minute), at(minute));
    const calls = pages();
    const shown = show(calls);
    await calls.arrived();
    calls.letGo(1, false);
    await waitFor(() => expect(text(shown)).toHaveLength(2));
    change("3", { inCartItems: [hold()] }); // while there is no connection
    act(() => void queryClient.invalidateQueries());
    await calls.arrived(2);
    act(() => void shown.result.current.fetchNextPage());
    await calls.arrived(3);
    calls.letGo(3);
    await waitFor(() => expect(text(shown)).toEqual(["3: 1 of 1 held", "2: 0 of 1 held", "1: 0 of 1 held"]));
  });

  it("keeps what a message said when the page is left and that answer never comes", async () => {
    change("1", at(1));
    const calls = pages();
    const first = show(calls);
    await calls.arrived();
    calls.letGo(1, false);
    await waitFor(() => expect(text(first)).toHaveLength(1));
    act(() => void first.result.current.refetch());
    await calls.arrived(2);
    await tell("update", change("1", { inCartItems: [hold()] }));
    first.unmount();
    expect(text(show(calls))).toEqual(["1: 1 of 1 held"]);
  });

  it("is not taken back by an older message", async () => {
    const older = change("1", at(1));
    change("1", { inCartItems: [hold()] });
    const calls = pages();
    const shown = show(calls);
    await calls.arrived();
    calls.letGo();
    await waitFor(() => expect(text(shown)).toEqual(["1: 1 of 1 held"]));
    await tell("update", older);
    expect(text(shown)).toEqual(["1: 1 of 1 held"]);
  });
});

describe("an item's page, while an older answer is on its way,", () => {
  it("takes what a message says that comes before it, and asks again for owners, sales and prices", async () => {
    change("1", { quantity: 3 });
    let sold = 0;
    const items = delayed(() =>
      HttpResponse.json({
        contract,
        tokenId: "1",
        metadata: listing().metadata,
        owners: [],
        listings,
        sales: Array.from({ length: sold }, () => ({})),
      }),
    );
    const prices = delayed(() => HttpResponse.json({ items: Array.from({ length: sold }, () => ({})) }));
    const collections = delayed(() => HttpResponse.json({ items: [{ contract, slug: "game-items", listed: listings.length }] }));
    server.use(
      http.get("*/api/marketplace/items/:contract/:token/history", prices.resolver),
      http.get("*/api/marketplace/items/:contract/:token", items.resolver),
      http.get("*/api/marketplace/collections", collections.resolver),
    );
    const { result } = renderHook(
      () => {
        useLiveListings();
        const { data: item } = useQuery(itemQuery(contract, "1"));
        const { data: points } = useQuery(historyQuery(contract, "1"));
        const { data: kinds } = useQuery(collectionsQuery);
        const left = item?.listings.map((l) => `${l.quantity} left, ${l.inCartItems.length} held`);
        return `${left}; ${item?.sales.length} sales, ${points?.items.length} prices, ${kinds?.[0]?.listed} listed`;
      },
      { wrapper },
    );
    await Promise.all([items.arrived(), prices.arrived(), collections.arrived()]);
    sold = 1;
    await tell("update", change("1", { quantity: 2 }));
    await tell("update", change("1", { inCartItems: [hold()] }));
    await tell("insert", change("2", { tokenId: "7" }));
    listings = listings.filter((l) => l.tokenId === "1");
    listings = [...listings];
    items.letGo();
    prices.letGo();
    collections.letGo();
    await waitFor(() => expect(result.current).toBe("2 left, 1 held; 1 sales, 1 prices, 1 listed"));
  });
});

function CheckoutPage() {
  useLiveCart();
  return <Checkout />;
}

describe("the checkout page, while an older answer is on its way,", () => {
  let till: Till;
  const base = "*/api/auth/marketplace";
  const cancelled = "You cancelled this order. Nothing was charged.";

  beforeEach(() => {
    disconnectWallet();
    signedIn({ smartWalletAddress: smart });
    till = new Till();
    answerWallet().accepted = () => till.submit();
  });

  function show() {
    render(
      <MemoryRouter>
        <CheckoutPage />
      </MemoryRouter>,
      { wrapper },
    );
  }
  /** Makes the page refetch everything. */
  const comeBack = () => act(() => void dispatchEvent(new Event("focus")));
  const waiting = () => screen.findByText(/This order is waiting for its payment/);

  /** Shows an unpaid order, and delays the responses about it from then on. */
  async function showOrder() {
    till.hold("1");
    const order = till.place();
    show();
    await waiting();
    const answers = delayed(({ params }: { params: { id?: unknown } }) =>
      HttpResponse.json(till.orders.find((o) => o.orderId === params.id)),
    );
    server.use(http.get(`${base}/checkout/:id`, answers.resolver));
    comeBack();
    await answers.arrived();
    return { order, answers };
  }

  it("shows that the order was cancelled in another window", async () => {
    const { order, answers } = await showOrder();
    till.move(order, "expired", cancelled);
    till.tell();
    answers.letGo();
    expect(await screen.findByText(cancelled)).toBeInTheDocument();
  });

  it("shows that the order was cancelled here", async () => {
    const { answers } = await showOrder();
    await userEvent.click(screen.getByRole("button", { name: "Cancel this order" }));
    expect(await screen.findByText(cancelled)).toBeInTheDocument();
    await act(async () => answers.letGo(1, false));
    await answers.arrived(2);
    expect(screen.getByText(cancelled)).toBeInTheDocument();
    answers.letGo(2);
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(screen.getByText(cancelled)).toBeInTheDocument();
  });

  it("keeps a newer order, when that answer is the one to a cancellation", async () => {
    till.hold("1");
    const order = till.place();
    show();
    await waiting();
    const answers = delayed(() => {
      till.move(order, "expired", cancelled);
      return HttpResponse.json(order);
    });
    server.use(http.delete(`${base}/checkout/:id`, answers.resolver));
    await userEvent.click(screen.getByRole("button", { name: "Cancel this order" }));
    await answers.arrived();
    till.hold("2");
    till.place().createdAt = new Date(Date.parse(order.createdAt) + 1_000).toISOString();
    till.tell("2");
    expect(await screen.findByText("Blade 2")).toBeInTheDocument();
    answers.letGo();
    await waitFor(() => expect(queryClient.isMutating()).toBe(0));
    expect(await waiting()).toBeInTheDocument();
    expect(screen.queryByText(cancelled)).toBeNull();
  });

  it("shows the order that a message names, and not the one before it", async () => {
    till.hold("1");
    show();
    await screen.findByRole("link", { name: "Blade 1" });
    const answers = delayed(() => HttpResponse.json({ order: till.open() }));
    server.use(http.get(`${base}/checkout`, answers.resolver));
    const first = till.place();
    comeBack();
    await answers.arrived();
    till.move(first, "expired", cancelled);
    till.move(till.place(), "complete");
    till.tell();
    answers.letGo();
    expect(await screen.findByText("It is yours")).toBeInTheDocument();
  });

  it("marks what is no longer held, and pays for the rest", async () => {
    till.hold("1");
    till.hold("2");
    show();
    await screen.findByRole("link", { name: "Blade 2" });
    const answers = delayed(() => HttpResponse.json(cartOf(till.cart())));
    server.use(http.get(`${base}/cart`, answers.resolver));
    comeBack();
    await answers.arrived();
    till.release("1");
    till.tell("1");
    const line = within(screen.getByRole("link", { name: "Blade 1" }).closest("li") as HTMLElement);
    expect(await line.findByText("No longer in your cart.")).toBeInTheDocument();
    await act(async () => answers.letGo());
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(line.getByText("No longer in your cart.")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: /^Pay/ }));
    await screen.findByText("Your payment is on its way.");
    expect(till.asked.map(({ items }) => items?.map((item) => item.listingId))).toEqual([["2"]]);
  });
});
