import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Link, MemoryRouter, Route, Routes } from "react-router";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { useLiveCart } from "~/features/cart/live";
import { noteMarket } from "~/features/market/last-market";
import { disconnectWallet } from "~/features/wallet/connection";
import { paths } from "~/lib/paths";
import { queryClient } from "~/lib/query";
import { keys } from "~/lib/storage";
import { signedIn } from "../../../test/make";
import { Till } from "../../../test/till";
import { answerWallet, smart } from "../../../test/wallet";
import { Checkout } from "./components/checkout";
import { useOrderNews } from "./pay";
import { keepOrder } from "./queries";

let till: Till;

beforeEach(() => {
  disconnectWallet();
  signedIn({ smartWalletAddress: smart });
  answerWallet();
  till = new Till();
});

function CheckoutPage() {
  useLiveCart();
  return <Checkout />;
}

function MarketPage() {
  useOrderNews(true);
  return <Link to={paths.checkout}>Go to checkout</Link>;
}

/** Loads a page in a new tab with only the browser's storage. */
function open(path: string, beside: React.ReactNode = null) {
  cleanup();
  queryClient.clear();
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[path]}>
        <Routes>
          <Route path={paths.market} element={<MarketPage />} />
          <Route path={paths.checkout} element={<CheckoutPage />} />
        </Routes>
        {beside}
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

/** Buys an item on the checkout page of this tab. */
async function buy(listingId: string, beside: React.ReactNode = null) {
  till.hold(listingId);
  open(paths.checkout, beside);
  await screen.findByRole("link", { name: `Blade ${listingId}` });
  const order = till.place();
  till.move(order, "submitted");
  till.tell();
  await screen.findByText("Your payment is on its way.");
  till.move(order, "complete");
  for (const item of order.items) item.bought = item.quantity;
  till.holds = [];
  till.tell(listingId);
  await screen.findByText("It is yours");
}

/** Holds an item some time after the last order, like another tab or device. */
function holdLater(listingId: string) {
  till.hold(listingId).updatedAt = new Date(Date.now() + 1_000).toISOString();
  till.tell(listingId);
}

const goToCheckout = () => screen.findByRole("link", { name: "Go to checkout" });

describe("a receipt", () => {
  it("has a link that lasts, and the way back to what the player looked at", async () => {
    noteMarket("?collection=avatars&max=40");
    await buy("1");
    expect(screen.getByRole("link", { name: "Your receipt, to keep" })).toHaveAttribute(
      "href",
      paths.receipt(till.orders[0]?.orderId ?? ""),
    );
    expect(screen.getByRole("link", { name: "Continue shopping" })).toHaveAttribute("href", "/kod-marketplace?collection=avatars&max=40");
  });

  it("has the focus on its heading, after the page had it on its own", async () => {
    await buy("1");
    expect(screen.getByRole("heading", { name: "It is yours" })).toHaveFocus();
  });

  // Spec: PAY-15
  it("stays while the player does nothing, and offers what is held since", async () => {
    await buy("1");
    expect(screen.queryByRole("button", { name: "Review the rest of your cart" })).toBeNull();
    holdLater("2");
    const review = await screen.findByRole("button", { name: "Review the rest of your cart" });
    act(() => dispatchEvent(new Event("focus")));
    await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(screen.getByText("It is yours")).toBeInTheDocument();
    await userEvent.click(review);
    expect(await screen.findByRole("link", { name: "Blade 2" })).toBeInTheDocument();
    expect(screen.queryByText("It is yours")).toBeNull();
  });

  // Spec: PAY-15
  it("gives way to what is held when the player goes to the checkout from this page", async () => {
    await buy("1", <Link to={paths.checkout}>Go to checkout</Link>);
    holdLater("2");
    await userEvent.click(await goToCheckout());
    expect(await screen.findByRole("button", { name: /^Pay/ })).toBeInTheDocument();
    expect(screen.queryByText("It is yours")).toBeNull();
  });

  it("gives way to what is held when the page is loaded again, and stays when nothing is held", async () => {
    await buy("1");
    open(paths.checkout);
    expect(await screen.findByText("It is yours")).toBeInTheDocument();
    till.hold("2");
    open(paths.checkout);
    expect(await screen.findByRole("link", { name: "Blade 2" })).toBeInTheDocument();
    expect(screen.queryByText("It is yours")).toBeNull();
    expect(localStorage.getItem(keys.order)).toBeNull();
  });

  it("that nobody has seen is shown when the page is loaded again, whatever is held", async () => {
    till.hold("1");
    const order = till.place();
    keepOrder(till.player, order.orderId);
    till.move(order, "complete");
    till.hold("2");
    open(paths.checkout);
    expect(await screen.findByText("It is yours")).toBeInTheDocument();
  });

  // Spec: PAY-15
  it("of another tab gives way to what is held when the player goes to the checkout in this one", async () => {
    till.hold("1");
    const order = till.place();
    open(paths.market);
    keepOrder(till.player, order.orderId); // like the other tab
    till.move(order, "complete");
    till.holds = [];
    till.hold("2");
    await userEvent.click(await goToCheckout());
    expect(await screen.findByRole("link", { name: "Blade 2" })).toBeInTheDocument();
    expect(screen.queryByText("It is yours")).toBeNull();
  });

  it("is still to come when the player goes to the checkout while the payment is on its way", async () => {
    till.hold("1");
    const order = till.place();
    till.move(order, "submitted");
    keepOrder(till.player, order.orderId);
    open(paths.market);
    await userEvent.click(await goToCheckout());
    await screen.findByText("Your payment is on its way.");
    till.move(order, "complete");
    till.holds = [];
    holdLater("2");
    expect(await screen.findByText("It is yours")).toBeInTheDocument();
  });
});

describe("the order that the browser keeps", () => {
  it("stays while it is open when the market is opened in another tab", async () => {
    till.hold("1");
    const order = till.place();
    keepOrder(till.player, order.orderId);
    open(paths.market);
    await goToCheckout();
    expect(localStorage.getItem(keys.order)).toContain(order.orderId);
  });

  it("is put away once it is known to be over and the player is elsewhere", async () => {
    await buy("1");
    expect(localStorage.getItem(keys.order)).not.toBeNull();
    cleanup();
    render(
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>
          <MarketPage />
        </MemoryRouter>
      </QueryClientProvider>,
    );
    expect(localStorage.getItem(keys.order)).toBeNull();
  });
});
