import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useEffect, useState } from "react";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { notifyHeld, Toaster } from "~/components/ui/toasts";
import type { Availability } from "~/features/market/availability";
import { HoldButton, Ribbon } from "~/features/market/components/listing-card";
import { dispatch } from "~/features/realtime/messages";
import { queryClient } from "~/lib/query";
import { useStore } from "~/lib/store";
import { cart, cartItem, hold, listing, profile, signedIn } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { CartButton, CartDrawer } from "./components/cart-drawer";
import { notifyInCart } from "./components/in-cart";
import { cartDrawer, openCart } from "./drawer";
import { type Cart, ownTag } from "./holds";
import { useCartExpiry, useLiveCart } from "./live";
import { cartKey } from "./queries";

const inTime = () => ({ updatedAt: new Date().toISOString(), expiresAt: new Date(Date.now() + 600_000).toISOString() });

/** The player's cart on the server. */
let held: Cart;

beforeEach(() => {
  signedIn();
  held = cart();
  vi.spyOn(console, "warn").mockImplementation(() => {});
  server.use(http.get("*/api/auth/marketplace/cart", () => HttpResponse.json(held)));
});

function Living({ paused = false }: { paused?: boolean }) {
  useLiveCart();
  useCartExpiry(paused);
  return null;
}

function show(element: React.ReactNode) {
  return render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        {element}
        <Toaster />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

const notices = () => screen.getByRole("region", { name: "Notices" });

describe("holding a unit", () => {
  const free = listing();
  const button = <HoldButton listing={free} state={{ kind: "free", left: 1 }} />;

  it.each([
    ["Add to cart", { kind: "free", left: 1 }],
    ["One more", { kind: "mine", count: 1, until: 0, left: 1 }],
    ["Held", { kind: "held", until: 0 }],
  ] as const)("has a button that says %s, and of what", (text, state) => {
    show(<HoldButton listing={free} state={state} />);
    expect(screen.getByRole("button", { name: `${text}: Blade 1` })).toHaveTextContent(text);
  });

  // Spec: UI-7, CART-1, CART-9
  it("sends the listing and the player, and says what is held", async () => {
    const sent = vi.fn();
    server.use(
      http.post("*/api/auth/marketplace/cart/addToCart", async ({ request }) => {
        sent(await request.json());
        held = cart(cartItem(inTime()));
        return HttpResponse.json({ success: true });
      }),
    );
    show(button);
    await userEvent.click(screen.getByRole("button", { name: "Add to cart: Blade 1" }));
    expect(await within(notices()).findByText("Blade 1 is held for you")).toBeInTheDocument();
    expect(within(notices()).getByText("1 item in your cart")).toBeInTheDocument();
    expect(sent).toHaveBeenCalledWith({
      newItem: { listingId: "1", assetContractAddress: free.assetContractAddress },
      playFabId: profile().AccountInfo.PlayFabId,
    });
  });

  // Spec: CART-8
  it("says that it failed, and why", async () => {
    server.use(
      http.post("*/api/auth/marketplace/cart/addToCart", () => problem(409, "Somebody else has this in their cart.", { reason: "held" })),
    );
    show(button);
    await userEvent.click(screen.getByRole("button", { name: "Add to cart: Blade 1" }));
    expect(await within(notices()).findByText("Could not add item to cart")).toBeInTheDocument();
    expect(within(notices()).getByText("Somebody else has this in their cart.")).toBeInTheDocument();
  });

  it.each([
    ["listing-time", "You have had this in your cart for more than 15 minutes without buying it. You can add it again in 43 minutes."],
    ["unit-time", "You have had many items in your cart without buying them. You can add the next one in 10 minutes."],
    ["others-first", "You have just had the last one, so others can take it first. You can add it again in a minute."],
    [
      "network-full",
      "Players on your network hold 60 items together, which is as many as can be. One of them is free in 7 minutes at the latest.",
    ],
    ["funds-recent", "Your USDC has only just arrived. You can add this with it in a minute."],
  ])("says why it was refused and when that ends: %s", async (reason, message) => {
    server.use(http.post("*/api/auth/marketplace/cart/addToCart", () => problem(429, message, { reason })));
    show(button);
    await userEvent.click(screen.getByRole("button", { name: "Add to cart: Blade 1" }));
    expect(await within(notices()).findByText(message)).toBeInTheDocument();
  });

  describe("without enough money", () => {
    const address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    const lacking = (details: Record<string, string>) =>
      server.use(
        http.post("*/api/auth/marketplace/cart/addToCart", () =>
          problem(409, "You need 1.7 USDC more to add this.", {
            reason: "insufficient-funds",
            details: { missing: "1.7", currency: "USDC", depositAddress: address, ...details },
          }),
        ),
      );
    const ask = () => userEvent.click(screen.getByRole("button", { name: "Add to cart: Blade 1" }));

    it("says how much is missing and where to send it, until something is held", async () => {
      lacking({});
      show(button);
      await ask();
      const where = await within(notices()).findByText(address);
      expect(where.closest("[role=status]")).toHaveTextContent(
        "Could not add item to cartYou need 1.70 USDC more to add this.Send it to your wallet:",
      );
      expect(within(notices()).queryByRole("button", { name: "Get 100 test USDC" })).toBeNull();
      server.use(http.post("*/api/auth/marketplace/cart/addToCart", () => HttpResponse.json({ success: true })));
      await ask();
      expect(await within(notices()).findByText("Blade 1 is held for you")).toBeInTheDocument();
      expect(where.closest("[role=status]")).toHaveClass("opacity-0");
    });

    it("gives test money on a development server", async () => {
      lacking({ faucet: "/api/dev/faucet" });
      server.use(
        http.post("*/api/dev/faucet", () => HttpResponse.json({ success: true, message: "100 USDC are on their way." }, { status: 202 })),
      );
      show(button);
      await ask();
      await userEvent.click(await within(notices()).findByRole("button", { name: "Get 100 test USDC" }));
      expect(await within(notices()).findByText("100 USDC are on their way.")).toBeInTheDocument();
      expect(within(notices()).getByText(address).closest("[role=status]")).toHaveClass("opacity-0");
    });
  });

  // Spec: CART-8
  it("says that it failed when the answer says so, whatever its status", async () => {
    server.use(http.post("*/api/auth/marketplace/cart/addToCart", () => HttpResponse.json({ success: false, message: "" })));
    show(button);
    await userEvent.click(screen.getByRole("button", { name: "Add to cart: Blade 1" }));
    expect(await within(notices()).findByText("Could not add item to cart")).toBeInTheDocument();
  });
});

describe("the drawer", () => {
  const open = async () => {
    show(<CartDrawer open onOpenChange={() => {}} />);
    return screen.findByRole("dialog", { name: "Your cart" });
  };

  it("shows what is held, for how long, and what changed", async () => {
    held = cart(
      cartItem({ listing: listing({ listingId: "1" }), ...inTime() }),
      cartItem({ listing: listing({ listingId: "2", price: "14" }), priceWhenHeld: "12.5", changed: "price", ...inTime() }),
    );
    const drawer = await open();
    expect(await within(drawer).findByText("Blade 1")).toBeInTheDocument();
    await vi.waitFor(() => expect(within(drawer).getAllByRole("timer")[0]).toHaveTextContent(/(10:00|9:5\d)/));
    expect(within(drawer).getByText(/The price changed/)).toHaveTextContent("it was 12.50");
    expect(within(drawer).getByText("26.50")).toBeInTheDocument();
    expect(within(drawer).getByRole("link", { name: "Go to checkout" })).toHaveAttribute("href", "/kod-marketplace/marketplace/checkout");
  });

  it("takes back the notice of what was held: the cart says it itself", async () => {
    show(<CartDrawer open={false} onOpenChange={() => {}} />);
    act(() => notifyHeld({ imageUrl: "", title: "Blade 1", total: 1 }));
    expect(within(notices()).getByText("Blade 1 is held for you").closest("[role=status]")).toHaveClass("opacity-100");
    await open();
    for (const notice of screen.getAllByText("Blade 1 is held for you")) expect(notice.closest("[role=status]")).toHaveClass("opacity-0");
  });

  it("does not lead to checkout with something that has gone", async () => {
    held = cart(cartItem({ changed: "gone", ...inTime() }));
    const drawer = await open();
    expect(await within(drawer).findByText("No longer for sale. Remove it to go on.")).toBeInTheDocument();
    expect(within(drawer).queryByRole("link", { name: "Go to checkout" })).toBeNull();
  });

  // Spec: CART-2, CART-8
  it("takes an item out at once, and puts it back when the server refuses", async () => {
    held = cart(cartItem(inTime()));
    const drawer = await open();
    let refuse = () => {};
    server.use(
      http.post("*/api/auth/marketplace/cart/removeFromCart", async () => {
        await new Promise<void>((resolve) => {
          refuse = resolve;
        });
        return problem(409, "A payment for it is on its way.");
      }),
    );
    await userEvent.click(await within(drawer).findByRole("button", { name: "Remove Blade 1 from the cart" }));
    expect(await within(drawer).findByText("Nothing in your cart")).toBeInTheDocument();
    refuse();
    expect(await within(drawer).findByText("Blade 1")).toBeInTheDocument();
    expect(within(notices()).getByText("Could not remove item from cart")).toBeInTheDocument();
  });

  // Spec: CART-3, CART-8
  it("says when everything could not be let go", async () => {
    held = cart(cartItem(inTime()));
    server.use(http.post("*/api/auth/marketplace/cart/emptyCart", () => problem(500, "Oops.")));
    const drawer = await open();
    await userEvent.click(await within(drawer).findByRole("button", { name: "Empty cart" }));
    expect(await within(notices()).findByText("Could not empty cart")).toBeInTheDocument();
  });

  // Spec: UI-12, API-2
  it("says when it could not be loaded, unlike an empty one, and tries again", async () => {
    server.use(http.get("*/api/auth/marketplace/cart", () => problem(400, "Not now."), { once: true }));
    const drawer = await open();
    expect(await within(drawer).findByText("Your cart did not load")).toBeInTheDocument();
    await userEvent.click(within(drawer).getByRole("button", { name: "Try again" }));
    expect(await within(drawer).findByText("Nothing in your cart")).toBeInTheDocument();
  });
});

/** The cart as in the market's header. */
function Header() {
  const open = useStore(cartDrawer, (d) => d.open);
  return (
    <>
      <CartButton onClick={openCart} />
      <CartDrawer open={open} onOpenChange={(to) => cartDrawer.set({ open: to })} />
    </>
  );
}

const inMyCart: Availability = { kind: "mine", count: 1, until: Date.now() + 600_000, left: 0 };
const last = listing();

/** The button of a listing's last unit, which is the player's once it is added. */
function LastUnit() {
  const [isOwn, setOwn] = useState(false);
  useEffect(() => queryClient.getMutationCache().subscribe(({ mutation }) => setOwn(mutation?.state.status === "success")), []);
  return <HoldButton listing={last} state={isOwn ? inMyCart : { kind: "free", left: 1 }} />;
}

describe("what was added leads to the cart", () => {
  afterEach(() => cartDrawer.set(cartDrawer.initial));

  it("from the toast; on closing, the focus is on the button of the cart", async () => {
    cartDrawer.set({ isThere: true });
    held = cart(cartItem(inTime()));
    show(<Header />);
    act(() => notifyInCart({ imageUrl: "", title: "Blade 1", total: 1 }));
    await userEvent.click(within(notices()).getByRole("button", { name: "View cart" }));
    expect(await screen.findByRole("dialog", { name: "Your cart" })).toBeInTheDocument();
    await userEvent.keyboard("{Escape}");
    expect(screen.getByRole("button", { name: /^Cart/ })).toHaveFocus();
  });

  it("from the button that added the last unit, which keeps the focus", async () => {
    server.use(http.post("*/api/auth/marketplace/cart/addToCart", () => HttpResponse.json({ success: true })));
    show(<LastUnit />);
    await userEvent.click(screen.getByRole("button"));
    const button = await screen.findByRole("button", { name: "In cart: Blade 1" });
    expect(button).toHaveFocus();
    await userEvent.click(button);
    expect(cartDrawer.get().open).toBe(true);
  });

  it("from the ribbon of the card", async () => {
    show(<Ribbon state={{ ...inMyCart, left: 2 }} />);
    await userEvent.click(screen.getByRole("button", { name: /^In cart/ }));
    expect(cartDrawer.get().open).toBe(true);
  });
});

describe("a cart that is open", () => {
  const labels = () => screen.getByRole("button", { name: /^Cart/ }).getAttribute("aria-label");
  async function shown(items: Cart, paused = false) {
    held = items;
    show(
      <>
        <Living paused={paused} />
        <CartButton onClick={() => {}} />
      </>,
    );
    await vi.waitFor(() => expect(queryClient.getQueryData(cartKey)).toBeDefined());
  }

  beforeEach(() => vi.useFakeTimers({ shouldAdvanceTime: true }));
  afterEach(() => vi.useRealTimers());

  // Spec: CART-6
  it("loses an item when its hold ends", async () => {
    await shown(cart(cartItem(inTime())));
    expect(labels()).toBe("Cart, 1 item");
    await act(() => vi.advanceTimersByTimeAsync(599_000));
    expect(labels()).toBe("Cart, 1 item");
    await act(() => vi.advanceTimersByTimeAsync(3_000));
    expect(labels()).toBe("Cart, 0 items");
  });

  // Spec: CART-6
  it("is checked every second", async () => {
    const late = { ...inTime(), expiresAt: new Date(Date.now() + 601_000).toISOString() };
    await shown(cart(cartItem(inTime()), cartItem({ ...late, index: 1 })));
    const losses: number[] = [];
    let items = 2;
    const stop = queryClient.getQueryCache().subscribe(() => {
      const now = queryClient.getQueryData<Cart>(cartKey)?.totalItems ?? items;
      if (now < items) losses.push(Date.now());
      items = now;
    });
    await act(() => vi.advanceTimersByTimeAsync(603_000));
    stop();
    expect(losses).toHaveLength(2);
    expect((losses[1] ?? 0) - (losses[0] ?? 0)).toBe(1_000);
  });

  // Spec: PAGE-7, CART-6, PAY-2
  it("keeps it while the expiry is paused, as on the checkout page", async () => {
    await shown(cart(cartItem(inTime())), true);
    await act(() => vi.advanceTimersByTimeAsync(700_000));
    expect(labels()).toBe("Cart, 1 item");
  });

  // Spec: LIVE-20
  it("follows what everybody is told of its listings", async () => {
    await shown(cart(cartItem(inTime())));
    const own = hold({ playFabId: ownTag(profile(), hold().listingId), ...inTime() });
    const tell = (type: string, document: object) =>
      act(() =>
        dispatch({ channelId: "live-listings-change", type, payload: { document, assetContractAddress: own.assetContractAddress } }),
      );
    held = cart(cartItem(inTime()), cartItem({ ...inTime(), index: 1 }));
    tell("update", listing({ quantity: 2, inCartItems: [own, { ...own, index: 1 }] }));
    await vi.waitFor(() => expect(labels()).toBe("Cart, 2 items"));
    await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0));
    tell("delete", listing());
    await vi.waitFor(() => expect(labels()).toBe("Cart, 0 items"));
  });

  it("says that it may be out of date when it could not be loaded again, until it is", async () => {
    await shown(cart(cartItem(inTime())));
    server.use(http.get("*/api/auth/marketplace/cart", () => problem(400, "Away.")));
    show(<CartDrawer open onOpenChange={() => {}} />);
    const drawer = await screen.findByRole("dialog", { name: "Your cart" });
    expect(await within(drawer).findByText(/This may be out of date/)).toBeInTheDocument();
    expect(within(drawer).getByText("Blade 1")).toBeInTheDocument();
    await act(() => vi.advanceTimersByTimeAsync(5_000)); // holds are checked meanwhile
    expect(within(drawer).getByText(/This may be out of date/)).toBeInTheDocument();
    server.use(http.get("*/api/auth/marketplace/cart", () => HttpResponse.json(held)));
    act(() => within(drawer).getByRole("button", { name: "Try again" }).click());
    await vi.waitFor(() => expect(within(drawer).queryByText(/This may be out of date/)).toBeNull());
  });

  // Spec: LIVE-27
  it("says why a hold ended early", async () => {
    await shown(cart(cartItem(inTime())));
    held = cart();
    act(() =>
      dispatch({
        channelId: "listing",
        type: "hold-ended",
        payload: { listingId: "1", assetContractAddress: "", index: 0, message: "The seller raised the price." },
      }),
    );
    expect(await within(notices()).findByText("Blade 1: The seller raised the price.")).toBeInTheDocument();
    await vi.waitFor(() => expect(labels()).toBe("Cart, 0 items"));
  });
});
