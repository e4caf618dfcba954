import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { dispatch } from "~/features/realtime/messages";
import { connection } from "~/features/realtime/store";
import { wallet } from "~/features/wallet/store";
import { queryClient } from "~/lib/query";
import { purses } from "~/lib/registry";
import { clientConfig, listing, signedIn } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { Inventory } from "./components/inventory";
import { useLiveHoldings } from "./live";
import { type Holding, sumOf } from "./queries";

const address = (digits: string) => `0x${digits.repeat(20)}`;
const contracts = {
  usdc: address("c1"),
  god: address("c2"),
  elderGods: address("0e"),
  avatarCollection: address("0a"),
  seasonAvatarsCollection: address("0b"),
  gameItems: address("01"),
  chests: address("ce"),
  piggyCollection: address("06"),
  piggySoulboundCollection: address("07"),
};

/** The requests since `forget`, each once, by the last segment of the path. */
let asked: Set<string>;
/** The wallet's balance of any currency, in base units. */
let money: bigint;
/** The player's holdings, by list. */
let owned: Record<string, Holding[]>;
/** The lists the player is on. */
let lists: { name: string; until?: string }[];

beforeEach(() => {
  connection.set({ state: "Connected", joined: true });
  wallet.set(wallet.initial);
  signedIn({ smartWalletAddress: address("22") });
  asked = new Set();
  money = 5_000_000n;
  owned = {};
  lists = [];
  const config = clientConfig({ currency: { address: contracts.usdc }, contracts });
  server.use(
    http.get("*/api/config", () => HttpResponse.json(config)),
    http.get("*/api/piggy-banks/config", () => HttpResponse.json({ version: 1, banks: [] })),
    http.get("*/api/auth/rewards", () => HttpResponse.json({ items: [] })),
    http.get("*/api/auth/currencies", () => {
      asked.add("currencies");
      return HttpResponse.json({ currencies: { d0: 40, d1: 12, f2: 6, f3: 2, gt: 30, nt: 15, et: 8, ct: 4, ig: 7, ne: 5 } });
    }),
    http.get("*/api/auth/whitelist", () => HttpResponse.json({ items: lists })),
    http.post("*/api/auth/marketplace/avatar/avatarClaimCheck", () =>
      HttpResponse.json({ success: true, claimed: false, claimable: false }),
    ),
    http.get("*/api/auth/nft/listPasses", () => {
      asked.add("listPasses");
      return HttpResponse.json({
        total: 3,
        communityCount: 2,
        ultimateCount: 1,
        communityTokenIds: ["1", "2"],
        ultimateTokenIds: ["3"],
        items: owned.listPasses ?? [],
      });
    }),
    http.get("*/api/auth/nft/:list", ({ params: { list } }) => {
      asked.add(String(list));
      const items = owned[String(list)] ?? [];
      return HttpResponse.json({ total: items.length, items });
    }),
    http.post("*/api/proxy/rpc/1337042", async ({ request }) => {
      asked.add("balance");
      const calls = (await request.json()) as { id: number }[];
      return HttpResponse.json(calls.map(({ id }) => ({ jsonrpc: "2.0", id, result: `0x${money.toString(16)}` })));
    }),
  );
});

function Page() {
  useLiveHoldings();
  return <Inventory />;
}

function Nothing() {
  useLiveHoldings();
  return null;
}

async function show() {
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <Page />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0));
  await screen.findByText("2 Community, 1 Ultimate");
  asked.clear();
}

const tell = (...changed: string[]) =>
  act(async () => dispatch({ channelId: "holdings", type: "change", payload: { contracts: changed } }));
const quiet = () => vi.waitFor(() => expect(queryClient.isFetching()).toBe(0));

const pack: Holding = {
  contract: contracts.chests,
  tokenId: "1",
  amount: "2",
  wallet: "smart",
  metadata: { ...listing().metadata, name: "General pack" },
};

/**
 * Game items on two pages: Moth Fang, and Moon Bow on a page that does not load until the returned function is
 * called.
 */
function moonBowIsAway(): () => void {
  let away = true;
  server.use(
    http.get("*/api/auth/nft/listGameItems", ({ request }) => {
      const second = new URL(request.url).searchParams.has("cursor");
      if (second && away) return problem(400, "Away.");
      const found = { ...pack, tokenId: second ? "2" : "1", metadata: { ...pack.metadata, name: second ? "Moon Bow" : "Moth Fang" } };
      return HttpResponse.json({ total: 2, items: [found], ...(!second && { nextCursor: "2" }) });
    }),
  );
  return () => {
    away = false;
  };
}

describe("what does not load", () => {
  // Spec: UI-12, ITEM-6, API-2
  it("is said once, however much it is, and never taken for nothing", async () => {
    const away = () => problem(400, "Away.");
    server.use(http.get("*/api/auth/nft/:list", away), http.get("*/api/auth/currencies", away));
    render(
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>
          <Page />
        </MemoryRouter>
      </QueryClientProvider>,
    );
    expect(await screen.findByText("What you own did not load")).toBeInTheDocument();
    expect(screen.getAllByRole("alert")).toHaveLength(1);
    expect(screen.getByRole("alert")).toHaveTextContent("Away.");
    expect(screen.getByRole("alert").closest(".peer")).toBeInTheDocument(); // "Nothing here yet" shows only where that is empty
    server.use(http.get("*/api/auth/nft/:list", () => HttpResponse.json({ total: 0, items: [] })));
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("Some of your items did not load")).toBeInTheDocument();
    server.use(http.get("*/api/auth/currencies", () => HttpResponse.json({ currencies: { ig: 7 } })));
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    await vi.waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
  });

  it("is said of the money too", async () => {
    server.use(http.post("*/api/proxy/rpc/1337042", () => problem(400, "No chain.")));
    render(
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>
          <Page />
        </MemoryRouter>
      </QueryClientProvider>,
    );
    expect(await screen.findByText("Some of your items did not load", undefined, { timeout: 8000 })).toBeInTheDocument();
    expect(screen.queryByText("0.00")).toBeNull();
  }, 10_000);

  // Spec: UI-12, API-2
  it("is said of the lists one is on, which can be asked for again", async () => {
    server.use(http.get("*/api/auth/whitelist", () => problem(400, "Away.")));
    await show();
    expect(await screen.findByRole("alert")).toHaveTextContent("The lists you are on did not load.");
    server.use(http.get("*/api/auth/whitelist", () => HttpResponse.json({ items: [{ name: "founders" }] })));
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("On the list founders")).toBeInTheDocument();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  // Spec: UI-12, API-2
  it("is told to the monitoring", async () => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
    server.use(http.get("*/api/auth/nft/listArks", () => problem(400, "Away.")));
    await show();
    expect(warned).toHaveBeenCalledWith("holdings: did not load", "Away.");
    warned.mockRestore();
  });
});

describe("the inventory", () => {
  // Spec: ACCOUNT-10
  it("says on which lists the player is, and until when", async () => {
    lists = [{ name: "founders" }, { name: "presale", until: "2027-01-31T12:00:00Z" }];
    await show();
    expect(await screen.findByText("On the lists founders, presale (until January 31, 2027)")).toBeInTheDocument();
  });

  // Spec: ITEM-7
  it("marks the game items that are new", async () => {
    vi.stubGlobal(
      "IntersectionObserver",
      class {
        observe() {}
        disconnect() {}
      },
    );
    const items = ["7", "8"].map((tokenId) => ({ ...pack, tokenId, metadata: { ...pack.metadata, name: `Thing ${tokenId}` } }));
    server.use(http.get("*/api/auth/nft/listGameItems", () => HttpResponse.json({ total: 2, items, newItems: ["8"] })));
    await show();
    const card = (name: string) => within(screen.getByRole("link", { name }).closest("article") as HTMLElement);
    expect(await card("Thing 8").findByText("New")).toBeInTheDocument();
    expect(card("Thing 7").queryByText("New")).toBeNull();
  });

  it("offers the season avatar", async () => {
    server.use(
      http.post("*/api/auth/marketplace/avatar/avatarClaimCheck", () =>
        HttpResponse.json({ success: true, claimed: false, claimable: true }),
      ),
    );
    await show();
    expect(screen.getByRole("button", { name: "Claim your avatar" })).toBeInTheDocument();
  });

  // Spec: ITEM-11
  it("is looked at in parts, by words, kind and rarity, on all of its pages", async () => {
    const thing = (tokenId: string, name: string, rarity: string): Holding => ({
      ...pack,
      tokenId,
      metadata: { ...pack.metadata, name, rarity, attributes: [{ trait_type: "God", value: "Selmene" }] },
    });
    const pages: Record<string, Holding[]> = {
      "": [thing("1", "Moth Fang", "rare")],
      "2": [thing("2", "Moon Fang", "rare")],
      "3": [thing("3", "Moon Bow", "epic")],
    };
    server.use(
      http.get("*/api/auth/nft/listGameItems", ({ request }) => {
        const cursor = new URL(request.url).searchParams.get("cursor") ?? "";
        const next = { "": "2", "2": "3", "3": "" }[cursor];
        return HttpResponse.json({ total: 3, items: pages[cursor], ...(next && { nextCursor: next }) });
      }),
    );
    owned.listPacks = [pack];
    await show();
    expect(screen.getByText("Moth Fang")).toBeInTheDocument();
    expect(screen.queryByText("Moon Bow")).not.toBeInTheDocument(); // on a page that was not requested
    const search = screen.getByLabelText("Search your inventory");
    await userEvent.type(search, "selmene moon");
    expect(await screen.findByText("Moon Bow")).toBeInTheDocument();
    expect(screen.getByText("Moon Fang")).toBeInTheDocument();
    expect(screen.queryByText("Moth Fang")).not.toBeInTheDocument();
    expect(screen.queryByText("General pack")).not.toBeInTheDocument();
    await userEvent.selectOptions(screen.getByLabelText("Rarity"), "Epic");
    expect(screen.queryByText("Moon Fang")).not.toBeInTheDocument();
    await userEvent.selectOptions(screen.getByLabelText("Kind"), "KOD packs");
    expect(screen.queryByText("Moon Bow")).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Clear the filters" }));
    expect(await screen.findByText("General pack")).toBeInTheDocument();
    expect(search).toHaveValue("");
  });

  // Spec: ITEM-2
  it("adds up followers d0, d1, f2 and f3, and tokens gt, nt, et and ct, and nothing else", () => {
    const sums = (currencies: Record<string, number>) =>
      purses.map((purse) =>
        sumOf(
          currencies,
          purse.currencies.map(({ code }) => code),
        ),
      );
    expect(sums({ d0: 1, d1: 2, f2: 4, f3: 8, gt: 16, nt: 32, et: 64, ct: 128, ig: 256, ne: 512, fa: 1024, d2: 9, xx: 9 })).toEqual([
      15, 240, 256, 512, 1024,
    ]);
    expect(sums({})).toEqual([0, 0, 0, 0, 0]);
  });

  // Spec: ITEM-1, ITEM-2
  it("shows money, currencies by purse, and passes", async () => {
    money = 5_250_000n;
    await show();
    const figure = (term: string) => screen.getByText(term, { selector: "dt" }).parentElement?.querySelector("dd");
    expect(figure("USDC")).toHaveTextContent("5.25");
    expect(figure("GOD")).toHaveTextContent("0.00");
    expect(figure("Followers")).toHaveTextContent(/^60$/);
    expect(figure("Tokens")).toHaveTextContent(/^57$/);
    expect(figure("InfiniGold")).toHaveTextContent(/^7$/);
    expect(figure("Nectar")).toHaveTextContent(/^5$/);
    expect(figure("Passes")).toHaveTextContent("3");
  });

  it("says of what could not be looked at that it was not, and never that nothing fits", async () => {
    const comeBack = moonBowIsAway();
    await show();
    await userEvent.type(screen.getByLabelText("Search your inventory"), "bow");
    expect(await screen.findByText("We could not search all of these.")).toBeInTheDocument();
    // "Nothing of yours fits" shows only where that is empty.
    expect(screen.getByText("We could not search all of these.").closest(".peer")).toBeInTheDocument();
    comeBack();
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("Moon Bow")).toBeInTheDocument();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("says of a further page that it did not load, and asks for it again", async () => {
    const comeBack = moonBowIsAway();
    await show();
    await userEvent.click(screen.getByRole("button", { name: "Show more" }));
    expect(await screen.findByText("The rest did not load.")).toBeInTheDocument();
    comeBack();
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("Moon Bow")).toBeInTheDocument();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  // Spec: ITEM-10
  it("shows beside it what of the money lies in the player's own wallet", async () => {
    const own = address("33");
    signedIn({ smartWalletAddress: address("22"), userVerifiedWallet: { walletAddress: own } });
    server.use(
      http.post("*/api/proxy/rpc/1337042", async ({ request }) => {
        const calls = (await request.json()) as { id: number; params: [{ to: string; data: string }] }[];
        const units = ({ to, data }: { to: string; data: string }) =>
          to !== contracts.usdc ? 0 : data.endsWith(own.slice(2)) ? 7_000_000 : 5_000_000;
        return HttpResponse.json(calls.map(({ id, params }) => ({ jsonrpc: "2.0", id, result: `0x${units(params[0]).toString(16)}` })));
      }),
    );
    await show();
    const more = await screen.findByText("more in your own wallet");
    expect(more).toHaveTextContent("7.00 more in your own wallet");
    expect(more.parentElement).toHaveTextContent(/^USDC5\.00/);
  });

  it("leads to selling what is traded and in the smart wallet", async () => {
    owned.listPacks = [
      {
        ...pack,
        contract: address("a1"),
        tokenId: "7",
        wallet: "smart",
        metadata: { ...pack.metadata, name: "General pack", collection: "chests" },
      },
      {
        ...pack,
        contract: address("a1"),
        tokenId: "8",
        wallet: "verified",
        metadata: { ...pack.metadata, name: "Avatar pack", collection: "chests" },
      },
    ];
    owned.listArks = [
      { ...pack, contract: address("a3"), wallet: "smart", metadata: { ...pack.metadata, name: "Ark", collection: "arks" } },
    ];
    await show();
    await screen.findByText("Ark");
    expect(screen.getByRole("link", { name: "Sell General pack" })).toHaveAttribute("href", `/portal/sell?item=${address("a1")}:7`);
    expect(screen.getAllByRole("link", { name: /^Sell/ })).toHaveLength(1);
  });

  // Spec: ITEM-5
  it("has a card for each pass, which can be looked at by themselves", async () => {
    const pass = (contract: string, tokenId: string, name: string): Holding => ({
      ...pack,
      contract,
      tokenId,
      metadata: { ...pack.metadata, name, collection: "passes-community" },
    });
    owned.listPasses = [
      pass(address("a1"), "7", "Community InfiniPass #7"),
      pass(address("a1"), "8", "Community InfiniPass #8"),
      pass(address("a2"), "7", "Ultimate InfiniPass #7"),
    ];
    owned.listPacks = [pack];
    await show();
    const section = screen.getByRole("region", { name: "Passes 3" });
    expect(within(section).getAllByRole("link")).toHaveLength(3);
    await userEvent.selectOptions(screen.getByLabelText("Kind"), "Passes");
    expect(screen.queryByText("General pack")).toBeNull();
    await userEvent.type(screen.getByLabelText("Search your inventory"), "ultimate");
    await vi.waitFor(() => expect(screen.queryByText("Community InfiniPass #7")).toBeNull());
    expect(screen.getByRole("link", { name: "Ultimate InfiniPass #7" })).toHaveAttribute(
      "href",
      `/kod-marketplace/marketplace/item/${address("a2")}/7`,
    );
  });

  // Spec: LIVE-27
  it("shows what has come by itself, as soon as the server tells of it", async () => {
    await show();
    expect(screen.queryByText("General pack")).not.toBeInTheDocument();
    owned.listPacks = [pack];
    money = 7_000_000n;
    await tell(contracts.chests.toLowerCase(), contracts.usdc.toUpperCase().replace("0X", "0x"));
    expect(await screen.findByText("General pack")).toBeInTheDocument();
    expect(await screen.findByText("2 copies")).toBeInTheDocument();
    expect(await screen.findByText("7.00")).toBeInTheDocument();
  });

  // Spec: LIVE-27
  it.each([
    ["money", [contracts.usdc], ["balance"]],
    ["GOD", [contracts.god], ["balance"]],
    ["packs", [contracts.chests], ["listPacks"]],
    ["an avatar of the season and a relic", [contracts.seasonAvatarsCollection, contracts.gameItems], ["listAvatars", "listGameItems"]],
    ["a keepsake piggy", [contracts.piggySoulboundCollection], ["listPiggyBanks"]],
    ["an ark and a pass", [address("a4"), address("a3")], ["listArks", "listPasses"]],
    ["a contract that is none of the brand's", [address("99")], []],
    ["nothing", [], []],
  ])("asks anew for what a change of %s concerns, and for nothing else", async (_, changed, expected) => {
    await show();
    await tell(...changed);
    await vi.waitFor(() => expect([...asked].sort()).toEqual(expected));
    await quiet();
    expect([...asked].sort()).toEqual(expected);
  });

  it("asks for its lists once it has joined the channel, whose first connection refetches what was asked before", async () => {
    connection.set({ joined: false });
    const lists = () => [...asked].filter((path) => path.startsWith("list"));
    render(
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>
          <Page />
        </MemoryRouter>
      </QueryClientProvider>,
    );
    await vi.waitFor(() => expect(asked.size).toBeGreaterThan(0));
    expect(lists()).toEqual([]);
    act(() => connection.set({ joined: true }));
    await vi.waitFor(() => expect(lists().length).toBeGreaterThan(5));
  });

  it("shows what came while the first answers, from before it, were on their way", async () => {
    const answers: (() => void)[] = [];
    server.use(
      http.get("*/api/auth/nft/listPacks", async () => {
        const items = owned.listPacks ?? [];
        if (answers.length === 0) await new Promise<void>((go) => answers.push(go));
        return HttpResponse.json({ total: items.length, items });
      }),
    );
    render(
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>
          <Page />
        </MemoryRouter>
      </QueryClientProvider>,
    );
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    owned.listPacks = [pack];
    await tell(contracts.chests);
    answers[0]?.();
    expect(await screen.findByText("General pack")).toBeInTheDocument();
  });
});

describe("a page that shows no inventory", () => {
  it("asks for nothing", async () => {
    render(<Nothing />);
    await tell(contracts.chests, address("99"));
    await quiet();
    expect(asked.size).toBe(0);
  });
});
