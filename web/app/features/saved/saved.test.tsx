import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Toaster } from "~/components/ui/toasts";
import { readFilters } from "~/features/market/filters";
import { session } from "~/features/session/store";
import { queryClient } from "~/lib/query";
import { contract, listing, signedIn } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { SaveSearch } from "./components/save-search";
import { WatchItem } from "./components/watch-item";
import { Watchlist } from "./components/watchlist";
import { addressOf, filtersInWords, filtersToSave, type SavedSearch } from "./queries";

let searches: SavedSearch[] = [];
let watched: string[] = [];
/** The bodies of what was saved. */
let saved: unknown[] = [];

const search = (some: Partial<SavedSearch> = {}): SavedSearch => ({
  searchId: "S1",
  name: "Cheap blades",
  filters: { q: "blade", max: "12" },
  alerts: true,
  createdAt: "2026-11-20T10:00:00Z",
  ...some,
});

beforeEach(() => {
  searches = [];
  watched = [];
  saved = [];
  signedIn();
  vi.spyOn(console, "warn").mockImplementation(() => {});
  server.use(
    http.get("*/api/auth/marketplace/searches", () => HttpResponse.json({ items: searches })),
    http.post("*/api/auth/marketplace/searches", async ({ request }) => {
      saved.push(await request.json());
      return HttpResponse.json({ searchId: "S9" });
    }),
    http.put("*/api/auth/marketplace/searches/:id", async ({ request, params }) => {
      const change = (await request.json()) as { name: string; alerts: boolean };
      searches = searches.map((s) => (s.searchId === params.id ? { ...s, ...change } : s));
      return HttpResponse.json({ success: true });
    }),
    http.delete("*/api/auth/marketplace/searches/:id", ({ params }) => {
      searches = searches.filter((s) => s.searchId !== params.id);
      return HttpResponse.json({ success: true });
    }),
    http.get("*/api/auth/marketplace/watchlist", () =>
      HttpResponse.json({
        items: watched.map((tokenId) => ({
          contract,
          tokenId,
          metadata: listing({ listingId: tokenId }).metadata,
          since: "2026-11-20T10:00:00Z",
        })),
      }),
    ),
    http.put("*/api/auth/marketplace/watchlist/:contract/:tokenId", ({ params }) => {
      watched.push(String(params.tokenId));
      return HttpResponse.json({ success: true });
    }),
    http.delete("*/api/auth/marketplace/watchlist/:contract/:tokenId", ({ params }) => {
      watched = watched.filter((id) => id !== params.tokenId);
      return HttpResponse.json({ success: true });
    }),
  );
});

function show(page: React.ReactNode) {
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>{page}</MemoryRouter>
      <Toaster />
    </QueryClientProvider>,
  );
}

const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));

describe("a saved search", () => {
  // Spec: SELL-9
  it("has the market's filters, and leads back to them", () => {
    const query =
      "collection=avatars&q=blade&rarity=rare&rarity=epic&trait=Metal%3ASky%3A+Bronze" +
      "&seller=0x00000000000000000000000000000000000005E1&free=true&cheapest=true&min=1&max=12.5";
    const filters = readFilters(new URLSearchParams(query));
    const found = filtersToSave(filters);
    expect(found).not.toHaveProperty("sort");
    expect(found).not.toHaveProperty("cheapest");
    expect(readFilters(new URLSearchParams(addressOf(found).split("?")[1]))).toEqual({ ...filters, cheapest: false, sort: "newest" });
    expect(filtersInWords(found, (slug) => slug)).toBe(
      "avatars, “blade”, rare, epic, Metal: Sky: Bronze, seller 0x0000…05E1, free now, 1.00 to 12.50 USDC",
    );
  });

  it("of one item leads to its page", () => {
    expect(addressOf({ contract, tokenId: "7", max: "5" })).toBe(`/kod-marketplace/marketplace/item/${contract}/7`);
  });

  it("is named after its filters, and alerts unless the player does not want it", async () => {
    show(<SaveSearch filters={{ q: "blade", max: "12" }} />);
    await press("Save this search");
    const name = await screen.findByLabelText("Name");
    expect(name).toHaveValue("“blade”, up to 12.00 USDC");
    await userEvent.clear(name);
    await press("Save");
    expect(await screen.findByText("Give the search a name.")).toBeInTheDocument();
    await userEvent.type(name, "Cheap blades");
    await userEvent.click(screen.getByRole("checkbox", { name: "Notify me of new matches" }));
    await press("Save");
    await waitFor(() => expect(saved).toEqual([{ name: "Cheap blades", filters: { q: "blade", max: "12" }, alerts: false }]));
  });

  it("does not promise alerts of offers that become free again", async () => {
    show(<SaveSearch filters={{ free: true }} />);
    await press("Save this search");
    expect(await screen.findByText("You are notified of new offers, not of held ones that become free again.")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("checkbox", { name: "Notify me of new matches" }));
    expect(screen.queryByText(/become free again/)).toBeNull();
  });

  it("says so when its dialog does not load, and tries again", async () => {
    vi.resetModules();
    vi.doMock("./components/save-dialog", () => {
      throw new Error("no network");
    });
    show(
      <>
        <SaveSearch filters={{ q: "blade" }} />
        <Toaster />
      </>,
    );
    await press("Save this search");
    expect(await screen.findAllByText("That did not load")).not.toHaveLength(0);
    vi.doUnmock("./components/save-dialog");
    vi.resetModules();
    await press("Save this search");
    expect(await screen.findByLabelText("Name")).toHaveValue("“blade”");
  });

  it("says why it was not saved", async () => {
    const message = "You have saved 50 searches, which is as many as can be. Delete one first.";
    server.use(http.post("*/api/auth/marketplace/searches", () => problem(409, message, { reason: "too-many" })));
    show(<SaveSearch filters={{ q: "blade" }} />);
    await press("Save this search");
    await screen.findByLabelText("Name");
    await press("Save");
    expect(await screen.findByText(message)).toBeInTheDocument();
  });
});

describe("an item's page", () => {
  const item = <WatchItem contract={contract} tokenId="7" name="Moth Fang" price="12.5" />;

  it("puts it on the watchlist, and takes it off", async () => {
    show(item);
    await waitFor(() => expect(screen.getByRole("button", { name: "Watch" })).toBeEnabled());
    await press("Watch");
    await waitFor(() => expect(watched).toEqual(["7"]));
    await press("On your watchlist");
    await waitFor(() => expect(watched).toEqual([]));
    expect(await screen.findByRole("button", { name: "Watch" })).toHaveAttribute("aria-pressed", "false");
  });

  it("asks for an alert at a price, which must be one", async () => {
    show(item);
    await press("Price alert");
    const price = screen.getByLabelText("Price in USDC");
    expect(price).toHaveValue("");
    for (const [typed, says] of [
      [" ", "Enter a price, such as 12.50."],
      ["-1", "A price is 0 or more."],
      ["1,000", "Write it without a comma: 1000, or 12.50."],
      ["12,5", "It is for sale at 12.50 USDC now. Enter less."],
    ] as const) {
      await userEvent.clear(price);
      await userEvent.type(price, typed);
      await press("Notify me");
      expect(await screen.findByText(says)).toBeInTheDocument();
    }
    await userEvent.clear(price);
    await userEvent.type(price, "9,5");
    await press("Notify me");
    await waitFor(() => expect(saved).toEqual([{ name: "Moth Fang", filters: { contract, tokenId: "7", max: "9.5" }, alerts: true }]));
  });

  it("asks visitors for nothing", () => {
    session.set({ isAuthenticated: false, profile: null });
    show(item);
    expect(screen.queryByRole("button", { name: "Watch" })).toBeNull();
  });
});

describe("the watchlist", () => {
  it("switches alerts and deletes searches", async () => {
    searches = [search(), search({ searchId: "S2", name: "Gods" })];
    show(<Watchlist />);
    await userEvent.click(await screen.findByRole("checkbox", { name: "Notify me of new matches: Cheap blades" }));
    await waitFor(() => expect(searches[0]?.alerts).toBe(false));
    await press("Delete Gods");
    await waitFor(() => expect(screen.queryByText("Gods")).toBeNull());
    expect(screen.getByRole("link", { name: "Cheap blades" })).toHaveAttribute("href", "/kod-marketplace?q=blade&max=12");
  });

  it("renames searches", async () => {
    searches = [search()];
    show(<Watchlist />);
    await userEvent.click(await screen.findByRole("button", { name: "Rename Cheap blades" }));
    const name = screen.getByLabelText("Name");
    expect(name).toHaveValue("Cheap blades");
    await userEvent.clear(name);
    await press("Rename");
    expect(await screen.findByText("Give the search a name.")).toBeInTheDocument();
    await userEvent.type(name, " Knives ");
    await press("Rename");
    expect(await screen.findByRole("link", { name: "Knives" })).toBeInTheDocument();
    expect(searches).toMatchObject([{ name: "Knives", alerts: true }]);
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("says what to do while it is empty, and shows what is not for sale", async () => {
    show(<Watchlist />);
    expect(await screen.findByText("You watch no items")).toBeInTheDocument();
    expect(await screen.findByText(/^None yet/)).toBeInTheDocument();
    watched = ["7"];
    await queryClient.invalidateQueries();
    expect(await screen.findByText("Not for sale")).toBeInTheDocument();
    await press("Stop watching Blade 7");
    expect(await screen.findByText("You watch no items")).toBeInTheDocument();
  });

  it("says that it did not load", async () => {
    server.use(
      http.get("*/api/auth/marketplace/searches", () => problem(403, "Not now.")),
      http.get("*/api/auth/marketplace/watchlist", () => problem(403, "Not now.")),
    );
    show(<Watchlist />);
    await waitFor(() => expect(screen.getAllByText("Not now.")).toHaveLength(2));
  });
});
