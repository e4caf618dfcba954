import { QueryClientProvider } from "@tanstack/react-query";
import { act, fireEvent, render, screen, within } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Toaster } from "~/components/ui/toasts";
import { CartButton } from "~/features/cart/components/cart-drawer";
import { type Cart, cartOf } from "~/features/cart/holds";
import { useCartExpiry, useLiveCart } from "~/features/cart/live";
import { cartKey } from "~/features/cart/queries";
import { queryClient } from "~/lib/query";
import { cart, cartItem, listing, profile, signedIn } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { useEndedHolds } from "./ended-holds";
import { orderKey } from "./queries";

/** The player's cart on the server, which ends holds by its own clock. */
let held: Cart;
let added: string[];

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  vi.spyOn(console, "warn").mockImplementation(() => {});
  signedIn();
  added = [];
  server.use(
    http.get("*/api/auth/marketplace/cart", () =>
      HttpResponse.json(cartOf(held.items.filter((item) => Date.parse(item.expiresAt) > Date.now()))),
    ),
    http.post("*/api/auth/marketplace/cart/addToCart", async ({ request }) => {
      const { newItem } = (await request.json()) as { newItem: { listingId: string } };
      added.push(newItem.listingId);
      held = cart(...held.items, unit(newItem.listingId, 600));
      return HttpResponse.json({ success: true });
    }),
  );
});
afterEach(() => vi.useRealTimers());

const unit = (listingId: string, seconds: number) =>
  cartItem({
    listing: listing({ listingId }),
    updatedAt: new Date().toISOString(),
    expiresAt: new Date(Date.now() + seconds * 1000).toISOString(),
  });

function Living({ paused }: { paused: boolean }) {
  useLiveCart();
  useCartExpiry(paused);
  useEndedHolds(paused);
  return <CartButton onClick={() => {}} />;
}

async function open(items: Cart, paused = false) {
  held = items;
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <Living paused={paused} />
        <Toaster />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  await vi.waitFor(() => expect(queryClient.getQueryData<Cart>(cartKey)?.totalItems).toBe(items.totalItems));
}

const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000));
const notices = () => within(screen.getByRole("region", { name: "Notices" }));
const again = () => notices().queryByRole("button", { name: "Add again" });

// Spec: CART-23
it("a hold that ends is told by name, and the item is added again on request", async () => {
  await open(cart(unit("1", 600)));
  await pass(598);
  expect(again()).toBeNull();
  await pass(5);
  expect(notices().getByText("Blade 1 is no longer reserved for you")).toBeInTheDocument();
  await pass(120); // it stays
  again()?.focus();
  fireEvent.click(again() as HTMLElement);
  await vi.waitFor(() => expect(screen.getByRole("button", { name: "Cart, 1 item" })).toHaveFocus());
  expect(added).toEqual(["1"]);
  expect(await notices().findByText("Blade 1 is held for you")).toBeInTheDocument();
});

it("holds that end one after the other are one notice, which adds all of them again", async () => {
  await open(cart(unit("1", 60), unit("2", 62)));
  await pass(70);
  expect(notices().getByText("2 items are no longer reserved for you")).toBeInTheDocument();
  expect(notices().getByText("Blade 1, Blade 2")).toBeInTheDocument();
  fireEvent.click(again() as HTMLElement);
  await vi.waitFor(() => expect(added).toEqual(["1", "2"]));
});

it("a hold that ended while the page slept is told, also when the cart was loaded first", async () => {
  await open(cart(unit("1", 600)));
  vi.setSystemTime(Date.now() + 3_600_000); // no timer runs in a page that sleeps
  await act(() => queryClient.invalidateQueries({ queryKey: cartKey }));
  await pass(2);
  expect(notices().getByText("Blade 1 is no longer reserved for you")).toBeInTheDocument();
});

it("says why an item cannot be added again", async () => {
  await open(cart(unit("1", 60)));
  await pass(65);
  server.use(http.post("*/api/auth/marketplace/cart/addToCart", () => problem(409, "Somebody else holds it.", { reason: "held" })));
  fireEvent.click(again() as HTMLElement);
  expect(await notices().findByText("Somebody else holds it.")).toBeInTheDocument();
});

it.each<[string, () => void]>([
  [
    "was extended on another device",
    () => {
      held = cart(unit("1", 900));
    },
  ],
  [
    "was released before",
    () => {
      held = cart();
      void queryClient.invalidateQueries({ queryKey: cartKey });
    },
  ],
  [
    "was paid",
    () =>
      queryClient.setQueryData(orderKey(profile().AccountInfo.PlayFabId), {
        orderId: "o",
        state: "confirming",
        timeline: [],
        items: [{ listingId: "1" }],
      }),
  ],
])("nothing is told of a hold that %s", async (_, happen) => {
  await open(cart(unit("1", 60)));
  await pass(10);
  act(happen);
  await pass(80);
  expect(again()).toBeNull();
});

it("nothing is told on the checkout, which says it itself", async () => {
  await open(cart(unit("1", 60)), true);
  await pass(80);
  expect(again()).toBeNull();
});
