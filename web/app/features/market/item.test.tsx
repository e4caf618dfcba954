import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Toaster } from "~/components/ui/toasts";
import { session } from "~/features/session/store";
import { queryClient } from "~/lib/query";
import { clientConfig, contract, item, listing, signedIn } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { ItemPage } from "./components/item";
import type { Item, ItemEvent } from "./queries";

/** What the page asks beside the item: nothing of its kind is for sale, and nothing has happened. */
beforeEach(() =>
  server.use(
    http.get("*/api/config", () => HttpResponse.json(clientConfig())),
    http.get("*/api/marketplace/listings", () => HttpResponse.json({ items: [] })),
    http.get("*/api/marketplace/items/*/1/activity", () => HttpResponse.json({ items: [], names: {} })),
    http.get("*/api/marketplace/items/*/1/history", () => HttpResponse.json({ items: [] })),
  ),
);

/** Opens the page of an item with this supply. */
async function open(supply: Item["supply"], some: Partial<Item> = {}) {
  server.use(http.get(`*/api/marketplace/items/${contract}/1`, () => HttpResponse.json(item({ ...(supply && { supply }), ...some }))));
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <ItemPage contract={contract} tokenId="1" />
        <Toaster />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  await screen.findByRole("heading", { name: "Blade 1" });
}

// Spec: MARKET-7
describe("an item's page says how many there are", () => {
  it.each<[string, Item["supply"], string]>([
    ["copies with a cap", { of: "token", existing: "12", max: "25000" }, "12 of at most 25,000 copies"],
    ["copies without one", { of: "token", existing: "1012" }, "1,012 copies"],
    ["a single copy", { of: "token", existing: "1" }, "1 copy"],
    ["the only copy there will be", { of: "token", existing: "1", max: "1" }, "1 of at most 1 copy"],
    ["unique tokens", { of: "collection", existing: "60", max: "10000" }, "60 of at most 10,000 in the collection"],
    ["unique tokens without a cap", { of: "collection", existing: "60" }, "60 in the collection"],
    ["more than a float can count", { of: "token", existing: "9007199254740993" }, "9,007,199,254,740,993 copies"],
  ])("%s", async (_, supply, text) => {
    await open(supply);
    expect(screen.getByText(text)).toBeInTheDocument();
  });

  it("and nothing where it is not known", async () => {
    await open(undefined);
    expect(screen.queryByText(/cop(y|ies)$|in the collection$/)).not.toBeInTheDocument();
  });
});

// Spec: MARKET-25
describe("the page of an item that its contract describes", () => {
  afterEach(() => session.set(session.initial));

  it("says when the contract was read, and lets a player have it read again", async () => {
    session.set({ ...session.initial, isAuthenticated: true, isLoading: false, profile: signedIn() });
    let asked = 0;
    server.use(
      http.post(`*/api/marketplace/items/${contract}/1/refresh`, () => {
        asked++;
        return HttpResponse.json({ success: true, message: "We are looking again." });
      }),
    );
    await open(undefined, { byContract: true, readAt: "2026-03-01T12:00:00Z" });
    expect(screen.getByText(/come from its contract, read on 1? ?Mar/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Read again" }));
    expect(await screen.findByText("We are looking again.")).toBeInTheDocument();
    expect(asked).toBe(1);
  });

  it("offers nothing to visitors, and nothing for what the catalogue describes", async () => {
    await open(undefined, { byContract: true });
    expect(screen.getByText(/which has not been read yet/)).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Read again" })).not.toBeInTheDocument();
  });
});

describe("the page of an item that one owns", () => {
  afterEach(() => session.set(session.initial));

  const owning = (owned: string, offered: string) => {
    signedIn({ smartWalletAddress: "0x00000000000000000000000000000000000000f2" });
    server.use(http.get(`*/api/auth/marketplace/own/${contract}/1`, () => HttpResponse.json({ owned, offered })));
  };
  const sendLink = () => screen.queryByRole("link", { name: "Send it to another wallet" });

  it("leads to sending it, also where it does not list the player among the largest owners", async () => {
    owning("1", "0");
    await open(undefined, { owners: [{ address: contract, amount: "25" }] });
    await waitFor(() => expect(sendLink()).toHaveAttribute("href", `/portal/money?tab=send&asset=${contract}:1`));
  });

  it.each([
    ["somebody else's", "0", {}],
    ["bound to the wallet", "1", { metadata: { ...listing().metadata, collection: "season-avatars" } }],
  ])("does not lead to sending what is %s", async (_, owned, some) => {
    owning(owned, "0");
    await open(undefined, some);
    await screen.findByText(owned === "1" ? "You own this" : /^Nobody offers one right now\./);
    expect(sendLink()).toBeNull();
  });

  it.each([
    ["1", "0", "You have one.", "Sell", `/portal/sell?item=${contract}:1`],
    ["1000", "0", "You have 1,000.", "Sell", `/portal/sell?item=${contract}:1`],
    ["3", "1", "You have 3, 1 of them listed.", "Sell", `/portal/sell?item=${contract}:1`],
    ["1", "1", "You have one, and it is listed.", "See your listings", "/portal/listings"],
  ])("says so for %s, of which %s are listed", async (owned, offered, text, link, to) => {
    owning(owned, offered);
    await open(undefined);
    expect(await screen.findByText("You own this")).toBeInTheDocument();
    expect(screen.getByText(text)).toBeInTheDocument();
    expect(screen.getByRole("link", { name: link })).toHaveAttribute("href", to);
    expect(screen.queryByText("Nobody offers one right now.", { exact: false })).toBeNull();
  });

  it("says so below the offer of another", async () => {
    owning("2", "0");
    await open(undefined, { listings: [listing()] });
    expect(await screen.findByText("You own this")).toBeInTheDocument();
    expect(screen.getAllByRole("button", { name: "Add to cart: Blade 1" })).toHaveLength(2);
    expect(screen.getByText("In your cart it is reserved for you for ten minutes.")).toBeInTheDocument();
  });

  it("says why it cannot be sold", async () => {
    owning("1", "0");
    await open(undefined, { metadata: { ...listing().metadata, collection: "season-avatars" } });
    expect(await screen.findByText("It is bound to your wallet and cannot be sold.", { exact: false })).toBeInTheDocument();
    expect(screen.queryByRole("link", { name: "Sell" })).toBeNull();
  });

  it("says nothing to who has none", async () => {
    owning("0", "0");
    await open(undefined);
    expect(await screen.findByText("Nobody offers one right now.", { exact: false })).toBeInTheDocument();
    expect(screen.queryByText("You own this")).toBeNull();
  });
});

const another = "0x00000000000000000000000000000000000000F7";

describe("an item's page", () => {
  // Spec: PAGE-13, MARKET-22
  it("says what it is, what it is for, and where it is on its chain", async () => {
    server.use(http.get("*/api/config", () => HttpResponse.json(clientConfig({ gameChain: { explorerUrl: "https://explorer.example" } }))));
    await open(undefined);
    expect(screen.getByText("Drawn at noon it casts no shadow.")).toBeInTheDocument();
    expect(screen.getByText("A weapon for King of Destiny.")).toBeInTheDocument();
    expect(screen.getByText("ERC-1155")).toBeInTheDocument();
    expect(await screen.findByText("Game")).toBeInTheDocument();
    expect(await screen.findByRole("link", { name: /^0x0000…00A1/ })).toHaveAttribute(
      "href",
      `https://explorer.example/address/${contract}`,
    );
    expect(screen.getByRole("link", { name: /^1\s*\(opens/ })).toHaveAttribute("href", `https://explorer.example/token/${contract}?a=1`);
    expect(screen.getByRole("button", { name: /^Copy the token id 1/ })).toBeInTheDocument();
  });

  it("has buttons that copy where the chain has no explorer", async () => {
    await open(undefined);
    expect(screen.getByRole("button", { name: /^Copy the contract's address/ })).toBeInTheDocument();
    expect(screen.queryByRole("link", { name: /^0x0000…00A1/ })).toBeNull();
  });

  it("names players, and shows the addresses of others", async () => {
    const seller = listing().seller;
    await open(undefined, {
      listings: [listing({ quantity: 3 }), listing({ listingId: "2", tokenId: "1", seller: another })],
      names: { [another]: "Kyra" },
    });
    const [first, second] = within(screen.getByRole("list", { name: "Listings" })).getAllByRole("listitem");
    expect(first).toHaveTextContent(`× 3by ${seller.slice(0, 6)}…${seller.slice(-4)}`);
    expect(second).toHaveTextContent("by Kyra");
    expect(within(second as HTMLElement).getByRole("button", { name: /^Copy the address 0x0000…00F7/ })).toBeInTheDocument();
  });

  // Spec: PLAYER-8
  it("marks the wallet that sells the packs as official, unlike a player of the same name", async () => {
    const house = "0x00000000000000000000000000000000000000f5";
    server.use(http.get("*/api/config", () => HttpResponse.json(clientConfig({ contracts: { managerBackendWallet: house } }))));
    const listings = [listing({ seller: house }), listing({ listingId: "2", seller: another })];
    await open(undefined, { listings, names: { [another]: "Pantheon Official" } });
    const [first, second] = within(screen.getByRole("list", { name: "Listings" })).getAllByRole("listitem");
    const mark = (row?: HTMLElement) => within(row as HTMLElement).queryByRole("img", { name: "official" });
    await waitFor(() => expect(mark(first)).toBeInTheDocument());
    expect(first).toHaveTextContent("by Pantheon");
    expect(second).toHaveTextContent("by Pantheon Official");
    expect(mark(second)).toBeNull();
  });

  it("says what it was last sold for, and the cheapest of its kind", async () => {
    const sale = {
      listingId: "7",
      seller: contract,
      buyer: another,
      quantity: 1,
      unitPrice: "9.5",
      total: "9.5",
      txHash: "0x01",
      time: "2026-11-20T10:00:00Z",
    };
    server.use(
      http.get("*/api/marketplace/listings", ({ request }) => {
        const { searchParams: asked } = new URL(request.url);
        expect([asked.get("collection"), asked.get("rarity"), asked.get("sort")]).toEqual(["game-items", "rare", "price-asc"]);
        return HttpResponse.json({
          items: [
            listing({ listingId: "5", tokenId: "5", price: "3" }),
            listing({ listingId: "6", tokenId: "5", price: "4" }),
            listing({ listingId: "8", tokenId: "1" }),
          ],
        });
      }),
    );
    await open(undefined, { sales: [sale] });
    expect(screen.getByText("on Nov 20, 2026").parentElement).toHaveTextContent("9.50 USDC");
    const floor = (await screen.findByText("Cheapest of this kind")).parentElement as HTMLElement;
    expect(await within(floor).findByRole("link", { name: "Blade 5" })).toHaveAttribute("href", expect.stringMatching(/item\/.*\/5$/));
    expect(floor).toHaveTextContent("3.00 USDC");
    // One card for each other item.
    const row = await screen.findByRole("region", { name: "Similar items" });
    expect(within(row).getAllByRole("article")).toHaveLength(1);
    expect(within(row).getByRole("article")).toHaveTextContent("Blade 5");
  });

  it("has no row of similar items where there is none", async () => {
    await open(undefined);
    expect(await screen.findByText("None for sale")).toBeInTheDocument();
    expect(screen.queryByRole("heading", { name: "Similar items" })).toBeNull();
  });

  it("of what is not traded compares it with nothing", async () => {
    server.use(http.get("*/api/marketplace/listings", () => expect.unreachable()));
    await open(undefined, { metadata: { ...listing().metadata, collection: "arks" } });
    expect(screen.queryByText("Cheapest of this kind")).toBeNull();
  });

  // Spec: MARKET-22
  it("asks nothing about a player where nobody is signed in", async () => {
    const asked: string[] = [];
    const note = ({ request }: { request: Request }) => void asked.push(new URL(request.url).pathname);
    server.events.on("request:start", note);
    await open(undefined, { listings: [listing()] });
    await userEvent.click(screen.getByRole("tab", { name: "Activity" }));
    await screen.findByText("Nothing has happened to it yet.");
    await userEvent.click(screen.getByRole("tab", { name: "Sales" }));
    await userEvent.click(screen.getByRole("tab", { name: "Owners" }));
    server.events.removeListener("request:start", note);
    expect(asked).toContain(`/api/marketplace/items/${contract}/1/activity`);
    expect(asked.filter((path) => path.startsWith("/api/auth/") || path.startsWith("/api/smartWallet/"))).toEqual([]);
  });
});

describe("an item's activity", () => {
  const event = (some: Partial<ItemEvent>): ItemEvent => ({
    id: "1.0.0",
    kind: "sold",
    time: "2026-11-20T10:00:00Z",
    txHash: `0x${"7a".repeat(32)}`,
    ...some,
  });

  // Spec: MARKET-9
  it("tells what happened, and more on request", async () => {
    server.use(
      http.get("*/activity", ({ request }) =>
        new URL(request.url).searchParams.get("cursor")
          ? HttpResponse.json({ items: [event({}), event({ id: "0.0.0", kind: "minted", to: another, quantity: "12" })], names: {} })
          : HttpResponse.json({
              items: [
                event({ id: "3.0.0", kind: "repriced", from: another, price: "2", before: "5.5", quantity: "1" }),
                event({ id: "1.0.0", from: another, to: contract, price: "5", quantity: "2" }),
              ],
              names: { [another]: "Kyra" },
              nextCursor: "next",
            }),
      ),
    );
    await open(undefined);
    await userEvent.click(screen.getByRole("tab", { name: "Activity" }));
    const list = await screen.findByRole("list", { name: "Activity" });
    const lines = () => within(list).getAllByRole("listitem");
    expect(lines()[0]).toHaveTextContent("Price changedfrom 5.50 USDC to 2.00 USDC");
    expect(lines()[0]).toHaveTextContent("by Kyra");
    expect(lines()[1]).toHaveTextContent("Sold5.00 USDC × 2");
    expect(lines()[1]).toHaveTextContent("from Kyra");
    await userEvent.click(screen.getByRole("button", { name: "Show more" }));
    await within(list).findByText("Minted");
    expect(lines()).toHaveLength(3);
    expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
  });

  it("says when it did not load", async () => {
    server.use(http.get("*/activity", () => problem(404, "Gone.")));
    await open(undefined);
    await userEvent.click(screen.getByRole("tab", { name: "Activity" }));
    expect(await screen.findByText("The activity did not load")).toBeInTheDocument();
  });
});

describe("an item is shared", () => {
  afterEach(() => Reflect.deleteProperty(navigator, "share"));

  it("by the system, where it can", async () => {
    const share = vi.fn(() => Promise.resolve());
    Object.defineProperty(navigator, "share", { value: share, configurable: true });
    await open(undefined);
    await userEvent.click(screen.getByRole("button", { name: "Share" }));
    expect(share).toHaveBeenCalledWith({ title: "Blade 1", url: window.location.origin + window.location.pathname });
    expect(screen.queryByText("The link is copied")).toBeNull();
  });

  it("as a link that is copied, else", async () => {
    const user = userEvent.setup();
    await open(undefined);
    await user.click(screen.getByRole("button", { name: "Share" }));
    expect(await screen.findByText("The link is copied")).toBeInTheDocument();
    expect(await navigator.clipboard.readText()).toBe(window.location.origin + window.location.pathname);
  });
});
