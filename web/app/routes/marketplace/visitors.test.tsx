import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { keepChoice, takeChoice } from "~/features/cart/visitor";
import { flags } from "~/features/flags/store";
import { HoldButton } from "~/features/market/components/listing-card";
import { session } from "~/features/session/store";
import { tabKeys } from "~/lib/tab-keys";
import { clientConfig, listing, signedIn } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import Marketplace from "./layout";

const nobody = { isLoading: false, isAuthenticated: false, profile: null, problem: "" };
const blade = listing();
const page = <HoldButton listing={blade} state={{ kind: "free", left: 1 }} />;

/** The bodies of the requests to hold something. */
let added: unknown[] = [];
/** The paths of all calls for players. */
let forPlayers: string[] = [];

function open(path: string) {
  const router = createMemoryRouter(
    [
      {
        element: <Marketplace />,
        children: [
          { path: "/kod-marketplace", element: page },
          { path: "/kod-marketplace/marketplace/checkout", element: <p>checkout</p> },
        ],
      },
      { path: "*", element: <p>another page</p> },
    ],
    { initialEntries: [path] },
  );
  render(<RouterProvider router={router} />);
  return router;
}

const openToVisitors = (enabled: boolean) => flags.set({ flags: { public_market: { enabled } }, loading: false, isFetched: true });
const whereIs = (router: ReturnType<typeof open>) => router.state.location.pathname + router.state.location.search;

beforeEach(() => {
  added = [];
  forPlayers = [];
  sessionStorage.clear();
  session.set(nobody);
  openToVisitors(true);
  vi.stubGlobal("matchMedia", () => ({ matches: true })); // a loader without motion
  server.use(
    http.get("*/api/config", () => HttpResponse.json(clientConfig())),
    http.post("*/api/auth/marketplace/cart/addToCart", async ({ request }) => {
      added.push(await request.json());
      return HttpResponse.json({ success: true });
    }),
    http.all("*/api/*", ({ request }) => {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith("/api/auth/")) forPlayers.push(pathname);
      return problem(403, "Not in this test.");
    }),
  );
  vi.spyOn(console, "warn").mockImplementation(() => {});
});

afterEach(() => vi.unstubAllGlobals());

describe("the market, open to visitors", () => {
  it("asks a visitor to sign in for what they want to hold, and knows the way back", async () => {
    open("/kod-marketplace?q=blade");
    await userEvent.click(screen.getByRole("button", { name: "Add to cart: Blade 1" }));
    const dialog = screen.getByRole("dialog", { name: "Sign in to add it to your cart" });
    expect(dialog).toHaveTextContent("Blade 1");
    expect(dialog).toHaveTextContent("reserved for you for ten minutes");
    const [signIn, register] = ["Sign in", "Create a free account"].map((name) => screen.getByRole("link", { name }));
    expect(signIn).toHaveAttribute("href", "/login?from=%2Fkod-marketplace%3Fq%3Dblade");
    expect(register).toHaveAttribute("href", "/register?from=%2Fkod-marketplace%3Fq%3Dblade");
    expect([added, forPlayers]).toEqual([[], []]);
  });

  // Spec: ACCESS-10
  it("holds what was chosen once the visitor has signed in, and only once", async () => {
    const router = open("/kod-marketplace");
    await userEvent.click(screen.getByRole("button", { name: "Add to cart: Blade 1" }));
    await userEvent.click(screen.getByRole("link", { name: "Create a free account" }));
    expect(whereIs(router)).toBe("/register?from=%2Fkod-marketplace");
    act(() => void signedIn());
    await act(() => router.navigate("/kod-marketplace"));
    await waitFor(() => expect(added).toHaveLength(1));
    expect(added[0]).toMatchObject({ newItem: { listingId: "1", assetContractAddress: blade.assetContractAddress } });
    await act(() => router.navigate("/elsewhere"));
    await act(() => router.navigate("/kod-marketplace"));
    expect(added).toHaveLength(1);
  });

  it("forgets what was chosen by a visitor who comes back without having signed in", async () => {
    const router = open("/kod-marketplace");
    await userEvent.click(screen.getByRole("button", { name: "Add to cart: Blade 1" }));
    await userEvent.click(screen.getByRole("link", { name: "Create a free account" }));
    await act(() => router.navigate("/kod-marketplace"));
    act(() => void signedIn());
    await screen.findByRole("button", { name: "Add to cart: Blade 1" });
    expect(added).toEqual([]);
  });

  it.each([
    ["is not readable", "{"],
    ["is something else", "[]"],
  ])("holds nothing that %s", async (_, stored) => {
    sessionStorage.setItem(tabKeys.choice, stored);
    signedIn();
    open("/kod-marketplace");
    await screen.findByRole("button", { name: "Add to cart: Blade 1" });
    expect([added, sessionStorage.getItem(tabKeys.choice)]).toEqual([[], null]);
  });

  it("keeps a choice for half an hour", () => {
    const wanted = {
      listingId: "1",
      assetContractAddress: blade.assetContractAddress,
      name: "Blade 1",
      image: "",
      price: "1.00",
      count: 1,
    };
    vi.useFakeTimers();
    keepChoice(wanted);
    vi.advanceTimersByTime(1_799_999);
    expect(takeChoice()).toEqual(wanted);
    keepChoice(wanted);
    vi.advanceTimersByTime(1_800_000);
    expect(takeChoice()).toBeUndefined();
    vi.useRealTimers();
  });

  it("shows only the market and its items; other pages lead to the login after 1 s", async () => {
    vi.useFakeTimers();
    const router = open("/kod-marketplace/marketplace/checkout");
    await act(() => vi.advanceTimersByTimeAsync(999));
    expect(whereIs(router)).toBe("/kod-marketplace/marketplace/checkout");
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(whereIs(router)).toBe("/login?from=%2Fkod-marketplace%2Fmarketplace%2Fcheckout");
    vi.useRealTimers();
  });
});

// Spec: ACCESS-9
it("the market leads visitors to the login after 1 s where it is not open to them", async () => {
  vi.useFakeTimers();
  openToVisitors(false);
  const router = open("/kod-marketplace");
  await act(() => vi.advanceTimersByTimeAsync(999));
  expect(whereIs(router)).toBe("/kod-marketplace");
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(whereIs(router)).toBe("/login?from=%2Fkod-marketplace");
  vi.useRealTimers();
});
