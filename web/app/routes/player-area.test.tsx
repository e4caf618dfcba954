import { useQuery } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import { createMemoryRouter, Link, MemoryRouter, RouterProvider } from "react-router";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { login } from "~/features/session/auth";
import { knowBy, logout } from "~/features/session/session";
import { session } from "~/features/session/store";
import { wallet } from "~/features/wallet/store";
import { queryClient } from "~/lib/query";
import { keys } from "~/lib/storage";
import { jwt, profile, signedIn } from "../../test/make";
import { HttpResponse, http, problem, server } from "../../test/server";
import Marketplace from "./marketplace/layout";
import { PlayerArea } from "./player-area";
import Portal from "./portal/layout";

// One clock for the whole file: the session's periodic checks start only once.
beforeAll(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));
afterAll(() => void vi.useRealTimers());
afterEach(() => void vi.unstubAllGlobals());

/** Records the page's requests. */
const asked = vi.fn((what: string) => what);
/** The wallet header of the calls, by the last segment of their path. */
let wallets: Record<string, string | null>;

const name = ({ request }: { request: Request }) => {
  wallets[request.url.split("/").at(-1)?.split("?")[0] ?? ""] = request.headers.get("x-wallet-address");
};

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  session.set({ isAuthenticated: false, isLoading: false, profile: null, problem: "" });
  wallets = {};
  asked.mockClear();
  server.events.removeAllListeners();
  server.events.on("request:start", name);
  server.use(
    http.get("*/api/auth/pubSubAccessToken", () => problem(503, "Away.")),
    http.get("*/api/auth/logout", () => HttpResponse.json({ success: true })),
    http.get("*/api/auth/profile", () => HttpResponse.json(profile({ smartWalletAddress: "0x1" }))),
    http.post("*/api/auth/protectedData", async ({ request }) => {
      const { value, action } = (await request.json()) as { value: string; action: string };
      return HttpResponse.json({ value: `${action}ed ${value}` });
    }),
    http.all("*/api/*", () => problem(403, "Not in this test.")),
  );
});

/** A page with a query of the wallet, one of the holdings, and one that is neither. */
function Mine() {
  useQuery({ queryKey: ["wallet", "balance"], queryFn: () => asked("wallet") });
  useQuery({ queryKey: ["holdings", "listArks"], queryFn: () => asked("holdings") });
  useQuery({ queryKey: ["account"], queryFn: () => asked("account") });
  return "Mine";
}

const area = () =>
  render(
    <MemoryRouter>
      <PlayerArea loader={null}>
        <Mine />
      </PlayerArea>
    </MemoryRouter>,
  );

describe("a player's area", () => {
  // Spec: SESSION-12, SESSION-14
  it("names the wallet in every call from the first one after a login on, and has the id encrypted for the shop", async () => {
    server.use(http.post("*/api/auth/login", () => HttpResponse.json({ success: true, token: jwt({ exp: Date.now() / 1000 + 3600 }) })));
    area();
    await act(() => login({ email: "ianthe@example.com", password: "secret1" }));
    await vi.waitFor(() =>
      expect(queryClient.getQueryData(["profile", "encryptedFabId", "00000000000000A1"])).toBe("encrypted 00000000000000A1"),
    );
    await vi.waitFor(() => expect(wallets).toMatchObject({ protectedData: "0x1", pubSubAccessToken: "0x1" }));
    await act(() => logout());
    expect(queryClient.getQueryData(["profile", "encryptedFabId", "00000000000000A1"])).toBeUndefined();
  });

  // Spec: SESSION-8
  it("refreshes the profile and two other loads, balances and holdings, every 60 s", async () => {
    server.use(http.post("*/api/auth/login", () => HttpResponse.json({ success: true, token: jwt({ exp: Date.now() / 1000 + 3600 }) })));
    area();
    await act(() => login({ email: "ianthe@example.com", password: "secret1" }));
    await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(3));
    asked.mockClear();
    wallets = {};
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    await vi.waitFor(() => expect(asked.mock.calls.flat().sort()).toEqual(["holdings", "wallet"]));
    expect(wallets).toHaveProperty("profile");
    await act(() => logout());
  });

  // Spec: SESSION-5
  it("logout clears all user collections, currencies and wallet addresses", async () => {
    signedIn();
    area();
    expect(screen.getByText("Mine")).toBeInTheDocument();
    wallet.set({ status: "connected", smartAddress: "0x1", totals: { of: "0x1", usdcCachedTotal: "5.0000", godTotal: "0.00" } });
    queryClient.setQueryData(["holdings", "listArks"], "mine");
    queryClient.setQueryData(["holdings", "currencies"], "mine");
    await act(() => logout());
    expect(wallet.get()).toEqual(wallet.initial);
    expect(queryClient.getQueryCache().getAll()).toEqual([]);
  });

  // Spec: SESSION-5
  it("logout clears them too while another part of the site is open", async () => {
    signedIn();
    const { unmount } = area();
    queryClient.setQueryData(["holdings", "currencies"], "mine");
    wallet.set({ status: "connected", smartAddress: "0x1" });
    unmount();
    await act(() => logout());
    expect(queryClient.getQueryCache().getAll()).toEqual([]);
    expect(wallet.get()).toEqual(wallet.initial);
  });
});

describe("the marketplace's theme", () => {
  const open = (path: string) => {
    const router = createMemoryRouter(
      [
        { path: "/", element: <Link to="/portal/my-inventory">What I own</Link> },
        { path: "/portal/my-inventory", element: <Portal /> },
        { path: "/kod-marketplace", element: <Marketplace /> },
        { path: "*", element: "elsewhere" },
      ],
      { initialEntries: [path] },
    );
    render(<RouterProvider router={router} />);
    return () => router.state.location.pathname + router.state.location.search;
  };
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

  // Spec: SESSION-7, SESSION-10
  it("is noted by the marketplace, so that a session lost there leads to the timeout page", async () => {
    vi.stubGlobal("matchMedia", () => ({ matches: true })); // a loader without motion
    await knowBy(Promise.resolve(profile()));
    const where = open("/kod-marketplace");
    expect(localStorage.getItem(keys.marketplaceTheme)).toBe("true");
    await act(() => logout());
    await pass(1_000);
    expect(where()).toBe("/kod-marketplace/timeout");
  });

  // Spec: SESSION-7
  it("is taken back by the portal, so that a visitor who comes there by a link is led to the login", async () => {
    localStorage.setItem(keys.marketplaceTheme, "true");
    const where = open("/");
    act(() => screen.getByRole("link", { name: "What I own" }).click());
    await vi.waitFor(() => expect(where()).toBe("/portal/my-inventory"));
    expect(localStorage.getItem(keys.marketplaceTheme)).toBeNull();
    await pass(1_000);
    expect(where()).toBe("/login?from=%2Fportal%2Fmy-inventory");
  });
});
