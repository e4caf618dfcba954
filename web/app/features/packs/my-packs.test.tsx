import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { burns } from "~/features/burning/burn";
import { flags } from "~/features/flags/store";
import type { Holding } from "~/features/holdings/queries";
import { dispatch } from "~/features/realtime/messages";
import { type Reward, useLiveRewards } from "~/features/reward/queries";
import { logout } from "~/features/session/session";
import { session } from "~/features/session/store";
import { disconnectWallet } from "~/features/wallet/connection";
import { queryClient } from "~/lib/query";
import { godTable } from "../../../test/draws";
import { chests, contract, listing, opened, product, signedIn } from "../../../test/make";
import { tableOdds } from "../../../test/packs";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { answerWallet, smart, transaction, type WalletWorld } from "../../../test/wallet";
import { MyPacks } from "./components/my-packs";
import { pullsOf } from "./openings";

let world: WalletWorld;
/** What the player holds, by list, and the openings, as the server tells them. */
let owned: Record<string, Holding[]>;
let openings: Reward[];

const holding = (token: string, tokenId: string, amount: number, wallet: Holding["wallet"] = "smart"): Holding => ({
  contract: token,
  tokenId,
  amount: String(amount),
  wallet,
  metadata: listing().metadata,
});

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.stubGlobal("matchMedia", (query: string) => ({ matches: query === "(prefers-reduced-motion: reduce)" }));
  signedIn();
  flags.set({ flags: { pack_opening: { enabled: true } }, loading: false, isFetched: true });
  world = answerWallet();
  owned = { listPacks: [holding(chests, "1", 3)] };
  openings = [];
  server.use(
    http.get("*/api/auth/logout", () => HttpResponse.json({})),
    http.get("*/api/marketplace/getProducts", () =>
      HttpResponse.json({ products: [product(), product({ productId: "3", kind: "god", name: "God pack" })] }),
    ),
    http.get("*/api/auth/nft/:list", ({ params: { list } }) => {
      const items = owned[String(list)] ?? [];
      return HttpResponse.json({ total: items.length, items });
    }),
    http.get("*/api/auth/rewards", ({ request }) => {
      const txId = new URL(request.url).searchParams.get("txId");
      return HttpResponse.json({ items: openings.filter((o) => o.txId === txId) });
    }),
    http.get("*/api/auth/packs/openings", () => HttpResponse.json({ items: openings })),
  );
});

afterEach(async () => {
  await logout();
  burns.set(burns.initial);
  session.set(session.initial);
  flags.set(flags.initial);
  disconnectWallet();
});

function Page() {
  useLiveRewards();
  return <MyPacks />;
}

function open(search = "") {
  const router = createMemoryRouter(
    [
      { path: "/kod-marketplace/packs", element: <Page /> },
      { path: "*", element: <p>Elsewhere</p> },
    ],
    {
      initialEntries: [`/kod-marketplace/packs${search}`],
    },
  );
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return router;
}

const general = async () => within(await screen.findByRole("article", { name: "General pack" }));
/** Changes the openings, and tells the player. */
const drawn = (...now: Reward[]) =>
  act(() => {
    openings = now;
    dispatch({ channelId: "reward", type: "update", payload: { id: "1", origin: "pack", state: "drawn", txId: transaction } });
  });

describe("my packs", () => {
  // Spec: PAGE-13
  it("are those in the player's smart wallet; those elsewhere are mentioned", async () => {
    owned.listPacks = [holding(chests, "1", 3), holding(chests, "1", 2, "verified"), holding(chests, "3", 1, "verified")];
    open();
    const card = await general();
    expect(card.getByText("You have 3")).toBeInTheDocument();
    expect(card.getByText("2 more in your own wallet, which cannot be opened here.")).toBeInTheDocument();
    const elsewhere = within(screen.getByRole("article", { name: "God pack" }));
    expect(elsewhere.queryByRole("button")).toBeNull();
  });

  // Spec: PACK-4
  it("are shown by edition, those that are no longer sold too", async () => {
    const old = tableOdds(JSON.stringify({ ...godTable, kind: "general", edition: 1, token: "9" }), { onSale: false });
    server.use(
      http.get("*/api/marketplace/getProducts", () =>
        HttpResponse.json({
          products: [
            product({
              editions: [
                { edition: 3, tokenId: "1", available: 3, hash: "00" },
                { edition: 2, tokenId: "5", available: 3, hash: "11" },
              ],
            }),
          ],
        }),
      ),
      http.get("*/api/packs/odds", () => HttpResponse.json({ beacon: {}, tables: [old] })),
    );
    owned.listPacks = [
      holding(chests, "9", 1),
      holding(chests, "5", 2),
      holding(chests, "1", 3),
      holding(chests, "77", 1),
      holding(contract, "9", 1),
    ];
    open();
    const cards = await screen.findAllByRole("article");
    expect(cards.map((card) => card.getAttribute("aria-label"))).toEqual([
      "General pack of edition 3",
      "General pack of edition 2",
      "General pack of edition 1",
    ]);
    expect(within(cards[2] as HTMLElement).getByRole("link", { name: "Edition 1: its odds" })).toHaveAttribute("href", "/packs/odds");
    expect(screen.getByRole("group", { name: "Number of General packs of edition 2 to open" })).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Open General pack of edition 1" }));
    await waitFor(() => expect(world.sent).toBeDefined());
    expect(String(world.sent?.callData)).toContain(
      [smart.slice(2).padStart(64, "0"), "9".padStart(64, "0"), "1".padStart(64, "0")].join(""),
    );
  });

  it("of an edition that is not on sale say that they did not load, and load again", async () => {
    owned.listPacks = [holding(chests, "9", 1)];
    server.use(
      http.get("*/api/packs/odds", () => problem(403, "Not now."), { once: true }),
      http.get("*/api/packs/odds", () =>
        HttpResponse.json({ beacon: {}, tables: [tableOdds(JSON.stringify({ ...godTable, token: "9" }))] }),
      ),
    );
    open();
    await screen.findByText("Your packs did not load");
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("article", { name: "God pack" })).toHaveTextContent("You have 1");
  });

  it("say when there are none, and lead to the market", async () => {
    owned.listPacks = [];
    open();
    expect(await screen.findByRole("link", { name: "To the market" })).toBeInTheDocument();
  });

  it("say that they did not load, and load again", async () => {
    server.use(http.get("*/api/auth/nft/listPacks", () => problem(403, "Not now."), { once: true }));
    open();
    await screen.findByText("Your packs did not load");
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect((await general()).getByText("You have 3")).toBeInTheDocument();
  });

  // Spec: PACK-5
  it("cannot be opened while opening is switched off, and say so", async () => {
    flags.set({ flags: { pack_opening: { enabled: false } } });
    open();
    expect((await general()).getByRole("button", { name: "Open General pack" })).toBeDisabled();
    expect(screen.getByText(/Opening packs is paused just now/)).toBeInTheDocument();
  });

  // Spec: PACK-4
  it("are opened twenty at once at most", async () => {
    owned.listPacks = [holding(chests, "1", 30)];
    open();
    expect((await general()).getByRole("button", { name: "Open 20 × General pack" })).toHaveTextContent("Open 20 at once");
  });
});

describe("opening packs", () => {
  // Spec: PACK-4
  it("burns as many as are chosen in one operation, and shows the cards once all are drawn", async () => {
    const router = open();
    const card = await general();
    await userEvent.click(card.getByRole("button", { name: "One more" }));
    await userEvent.click(card.getByRole("button", { name: "Open 2 × General pack" }));
    await screen.findByText("Hold the pack until the ring is full.");
    await waitFor(() => expect(router.state.location.search).toBe(`?tx=${transaction}`));
    expect(String(world.sent?.callData)).toContain(
      [smart.slice(2).padStart(64, "0"), "1".padStart(64, "0"), "2".padStart(64, "0")].join(""),
    );
    await userEvent.click(screen.getByRole("button", { name: "Open" }));
    drawn(opened(0, { state: "drawn" }), opened(1, { state: "settled" }));
    expect(await screen.findByText(/Round 4,242 of the beacon decides/)).toBeInTheDocument();
    expect(screen.queryByText("Your 2 cards")).toBeNull();
    drawn(opened(0, { state: "drawn" }), opened(1, { state: "drawn" }));
    expect(await screen.findByRole("heading", { name: "Your 2 cards" }, { timeout: 5_000 })).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Verify this pull: Relic 0" })).toHaveAttribute(
      "href",
      `/packs/openings/1337042-${transaction}-0-0`,
    );
  });

  // Spec: PACK-4
  it("marks as new what the player had none of before the burn, whatever arrives meanwhile", async () => {
    owned.listGameItems = [holding(contract, "0", 1)];
    open();
    await userEvent.click((await general()).getByRole("button", { name: "Open 3 × General pack" }));
    await screen.findByText("Burned. Waiting for the chain to make it final.");
    owned.listGameItems = [holding(contract, "0", 2), holding(contract, "1", 2)];
    await act(() => queryClient.invalidateQueries({ queryKey: ["holdings"] }));
    await userEvent.click(screen.getByRole("button", { name: "Skip" }));
    drawn(opened(0, { state: "sending" }), opened(1, { state: "sending" }), opened(2, { state: "sending", tokenId: "1" }));
    await screen.findByRole("heading", { name: "Your 3 cards" });
    const [first, second, third] = screen.getAllByRole("listitem").map((item) => item.textContent);
    expect([first, second, third].map((text) => text?.includes("New")).filter(Boolean)).toHaveLength(1);
    expect(screen.getAllByText("You have 2")).toHaveLength(3);
  });

  // Spec: LIVE-12
  it("says why nothing was opened", async () => {
    world.bundle = () => ({ error: { code: -32500, message: "Opening packs is paused just now.", data: { reason: "paused" } } });
    open();
    await userEvent.click((await general()).getByRole("button", { name: "Open General pack" }));
    expect(await screen.findByText("Could not open KOD pack.")).toBeInTheDocument();
    expect(screen.getByText("Opening packs is paused just now.")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Close" }));
    expect(screen.queryByText("Could not open KOD pack.")).toBeNull();
    expect((await general()).getByText("You have 3")).toBeInTheDocument();
  });

  it("says that what was drawn is in the inventory when it is, and not before", async () => {
    openings = [opened(0, { state: "sending" })];
    open(`?tx=${transaction}`);
    expect(await screen.findByText(/It is yours, and on its way to your inventory\./)).toBeInTheDocument();
    drawn(opened(0, { state: "done" }));
    expect(await screen.findByText(/It is in your inventory already\./)).toBeInTheDocument();
    const failed = opened(0);
    drawn({ ...failed, state: "failed" });
    expect(await screen.findByText(/It could not be given yet\./)).toBeInTheDocument();
  });

  // Spec: LIVE-12
  it("that failed says so with the kind of pack, and shows the others", async () => {
    const unknown = opened(2, { state: "failed" }).opening as NonNullable<Reward["opening"]>;
    openings = [
      opened(0),
      opened(1, { state: "failed" }),
      { ...opened(2, { state: "failed", message: "No table." }), opening: { ...unknown, packLevel: "" } },
    ];
    open(`?tx=${transaction}`);
    expect(await screen.findByRole("heading", { name: "Your card" })).toBeInTheDocument();
    const [first, second] = within(screen.getByRole("alert")).getAllByRole("listitem");
    expect(first).toHaveTextContent("General: Could not open KOD pack.");
    expect(second).toHaveTextContent("KOD: No table.");
  });

  // Spec: PACK-4
  it("is shown after a reload: sealed in the middle, with how far it is, then the cards", async () => {
    openings = [opened(0, { state: "settled" })];
    open(`?tx=${transaction}`);
    await screen.findByText("Hold the pack until the ring is full.");
    expect(within(screen.getByRole("region", { name: "How far it is" })).getByText("Final on the chain")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Skip" }));
    drawn(opened(0));
    expect(await screen.findByRole("heading", { name: "Your card" })).toBeInTheDocument();
  });

  it("of an edition that is no longer sold is shown like any other of its kind", async () => {
    const burned = (tokenId: string): Reward => {
      const { opening: _, ...reward } = opened(0, { state: "burned" });
      return { ...reward, id: "", tokenId };
    };
    server.use(
      http.get("*/api/packs/odds", () =>
        HttpResponse.json({ beacon: {}, tables: [tableOdds(JSON.stringify({ ...godTable, token: "9" }), { onSale: false })] }),
      ),
    );
    openings = [burned("9")];
    open(`?tx=${transaction}`);
    expect(await screen.findByRole("heading", { name: "Open God pack" })).toBeInTheDocument();
    drawn(burned("77"));
    expect(await screen.findByRole("heading", { name: "Open KOD pack" })).toBeInTheDocument();
    drawn({ ...opened(0), tokenId: "77" });
    expect(await screen.findByRole("heading", { name: "Open General pack" })).toBeInTheDocument();
  });

  it("is shown at once when it was seen before", async () => {
    openings = [opened(0), opened(1)];
    open(`?tx=${transaction}`);
    expect(await screen.findByRole("heading", { name: "Your 2 cards" })).toBeInTheDocument();
  });

  it("of a transaction that is not known says so", async () => {
    open(`?tx=${transaction}`);
    expect(await screen.findByText("No packs here yet")).toBeInTheDocument();
  });

  it("can go on with the next packs of the kind", async () => {
    openings = [opened(0)];
    const router = open(`?tx=${transaction}`);
    world.receipt = () => null;
    await userEvent.click(await screen.findByRole("button", { name: "Open another" }));
    await screen.findByText("Hold the pack until the ring is full.");
    expect(router.state.location.search).toBe("");
    world.receipt = () => ({ success: true });
    await waitFor(() => expect(router.state.location.search).not.toBe("")); // it ends before the next test
  });
});

describe("past openings", () => {
  // Spec: PACK-4, PACK-9
  it("are listed with what came out, each with its receipt", async () => {
    openings = [opened(1, { state: "settled" }), opened(0, { name: "Kingmaker" })];
    open();
    const list = await screen.findByRole("region", { name: "Opened packs" });
    await within(list).findByText("Kingmaker");
    expect(within(list).getByText("Not drawn yet")).toBeInTheDocument();
    const links = within(list).getAllByRole("link", { name: "Verify this pull" });
    expect(links.map((link) => link.getAttribute("href"))).toEqual([1, 0].map((n) => `/packs/openings/1337042-${transaction}-0-${n}`));
    await userEvent.click(within(list).getAllByRole("link", { name: "See the opening" })[1] as HTMLElement);
    expect(await screen.findByText("Opening packs")).toBeInTheDocument();
  });

  it("have packs of the shop, also one that was paid back before its draw", async () => {
    const shop = (unit: number, some: Partial<Reward>, drawn = {}): Reward => {
      const { txId: _, ...base } = opened(0);
      const opening = {
        openingId: `gift-shop-1-1-${unit}`,
        kind: "destiny-gold",
        packLevel: "",
        round: 5,
        roundAt: "2026-11-20T10:00:03.000Z",
        ...drawn,
      };
      return { ...base, id: opening.openingId, origin: "webstore", tokenId: "", grants: [], opening, ...some };
    };
    openings = [shop(0, { state: "done" }, { drop: "knife", name: "Knife", rarity: "rare" }), shop(1, { state: "cancelled" })];
    open();
    const list = await screen.findByRole("region", { name: "Opened packs" });
    const rows = (await within(list).findAllByRole("listitem")).map((row) => row.textContent);
    expect(rows[0]).toContain("KnifeGold destiny pack");
    expect(rows[1]).toContain("Paid back before it was drawnGold destiny pack");
    expect(within(list).getAllByRole("link", { name: "Verify this pull" })[0]).toHaveAttribute("href", "/packs/openings/gift-shop-1-1-0");
    expect(within(list).queryByRole("link", { name: "See the opening" })).toBeNull();
  });

  it("that did not load say so", async () => {
    server.use(http.get("*/api/auth/packs/openings", () => problem(403, "Not now.")));
    open();
    expect(await screen.findByText(/What you have opened did not load/)).toBeInTheDocument();
  });
});

describe("the cards of an opening", () => {
  const token = {
    kind: "token" as const,
    state: "done" as const,
    contract,
    name: "An avatar",
    image: "/a.svg",
    rarity: "common",
    amount: "1",
  };

  it("are one for each token, and name the currencies that came with it", () => {
    const base = opened(0);
    const two = {
      ...base,
      grants: [
        { ...token, tokenId: "8" },
        { ...token, tokenId: "9" },
        { kind: "currency" as const, state: "done" as const, currency: "gt", amount: "1" },
      ],
    };
    const pulls = pullsOf([two], new Map());
    expect(pulls.map(({ tokenId, isNew, owned: have, alsoGiven }) => [tokenId, isNew, have, alsoGiven])).toEqual([
      ["8", true, 1, "1 Gate token"],
      ["9", true, 1, undefined],
    ]);
  });

  it("have the name and the rarity of their own token, which a second draw decides", () => {
    const base = opened(0, { name: "Two avatars" });
    const grants = [
      { ...token, tokenId: "2", name: "The Oracle", rarity: "legendary" },
      { ...token, tokenId: "3", name: "The Helmsman", rarity: "" },
    ];
    expect(pullsOf([{ ...base, grants }], new Map()).map(({ name, rarity }) => [name, rarity])).toEqual([
      ["The Oracle", "legendary"],
      ["The Helmsman", "rare"],
    ]);
  });

  it("show the currency of a drop without a token, and name it once", () => {
    const base = opened(0, { name: "25 fate" });
    const grants = [{ kind: "currency" as const, state: "done" as const, currency: "fa", amount: "25" }];
    expect(pullsOf([{ ...base, grants }], new Map())).toMatchObject([
      { name: "25 fate", image: "", currency: "fa", isNew: false, owned: 0, alsoGiven: undefined },
    ]);
  });

  it("are none for an opening that failed", () => {
    expect(pullsOf([opened(0, { state: "failed" })], new Map())).toEqual([]);
  });

  it("claim nothing to be new while it is not known what the player had", () => {
    expect(pullsOf([opened(0)], undefined)).toMatchObject([{ isNew: false, owned: 1 }]);
  });
});
