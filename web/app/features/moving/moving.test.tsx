import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { session } from "~/features/session/store";
import { queryClient } from "~/lib/query";
import { expectFocus } from "../../../test/focus";
import { signedIn } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { Moves } from "./components/moves";
import { type Holding, holdingsEvery, type Move, type MovedToken } from "./queries";
import { seenMoves } from "./seen";

const smart = `0x${"22".repeat(20)}`;
const own = `0x${"33".repeat(20)}`;
const items = `0x${"0e".repeat(20)}`;
const god = `0x${"0f".repeat(20)}`;
const hash = `0x${"ab".repeat(32)}`;
const sha256 = "cd".repeat(32);

const frozen: Move = { chainId: 42170, state: "frozen", frozenAt: "2026-11-20T10:00:00Z", holdings: 0 };
const snapshotted: Move = {
  ...frozen,
  state: "snapshotted",
  holdings: 3,
  block: 81_234_567,
  blockHash: hash,
  blockTime: "2026-11-20T11:00:00Z",
  sha256,
};
const moved: Move = { ...snapshotted, state: "moved", to: 4217, movedAt: "2026-11-20T12:00:00Z" };

const held = (tokenId: string, some: Partial<Holding> = {}): Holding => ({
  contract: items,
  collection: "game-items",
  tokenId,
  amount: "1",
  owner: smart,
  name: `Blade ${tokenId}`,
  image: "/metadata/1.svg",
  state: "claimable",
  ...some,
});
const gods = held("0", { contract: god, collection: "GOD", name: "GOD", image: "", amount: "1250500000000000000000" });

const token = (some: Partial<MovedToken> = {}): MovedToken => ({
  collection: "game-items",
  standard: "erc1155",
  contract: items,
  newContract: own,
  tokenId: "7",
  minted: "1200",
  burned: "200",
  held: "1000",
  claimed: "12",
  given: "11",
  ...some,
});

/** What the server knows. */
let moves: Move[];
let holdings: Holding[];
/** How often was claimed. */
let claims: number;

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  signedIn({ smartWalletAddress: smart });
  seenMoves.set(seenMoves.initial);
  moves = [moved];
  holdings = [];
  claims = 0;
  server.use(
    http.get("*/api/moves", () => HttpResponse.json({ moves })),
    http.get("*/api/moves/42170", () =>
      HttpResponse.json({
        ...moves[0],
        tokens: [
          token(),
          token({ collection: "avatars", standard: "erc721", contract: own, tokenId: "" }),
          token({ collection: "GOD", standard: "erc20", contract: god, tokenId: "0", minted: "1500000000000000000000" }),
        ],
      }),
    ),
    http.get("*/api/auth/moves/42170", () =>
      HttpResponse.json({ items: holdings, claimable: holdings.filter(({ state }) => state === "claimable").length }),
    ),
    http.post("*/api/auth/moves/42170/claim", () => {
      claims++;
      const open = holdings.filter(({ state }) => state === "claimable").length;
      holdings = holdings.map((h) => (h.state === "claimable" ? { ...h, state: "sending", rewardId: "move/42170/1" } : h));
      return HttpResponse.json({ claimed: open }, { status: 202 });
    }),
  );
});
afterEach(() => {
  session.set(session.initial);
  vi.useRealTimers();
});

const show = () =>
  render(
    <MemoryRouter>
      <Moves />
    </MemoryRouter>,
  );

const row = (name: string | RegExp) => within(screen.getByRole("heading", { name }).closest("li") as HTMLElement);
const button = () => screen.findByRole("button", { name: "Claim my items" });

describe("the page of moves", () => {
  it("says that nothing moves, and leads to the market", async () => {
    moves = [];
    show();
    expect(await screen.findByText("Nothing is moving")).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "To the market" })).toHaveAttribute("href", "/kod-marketplace");
  });

  it("takes a failure for no empty state, and tries again", async () => {
    server.use(http.get("*/api/moves", () => problem(400, "Not now."), { once: true }));
    show();
    expect(await screen.findByText("Not now.")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("heading", { name: "The game has moved" })).toBeInTheDocument();
  });

  it("says what a frozen chain means, and offers nothing to claim", async () => {
    moves = [frozen];
    show();
    const section = within(await screen.findByRole("region", { name: "The game is moving" }));
    expect(section.getByText("Trading is closed while the game moves to a new chain. What is yours stays yours.")).toBeInTheDocument();
    expect(section.queryByRole("button")).toBeNull();
    expect(section.queryByRole("table")).toBeNull();
    expect(seenMoves.get().chains).toEqual([42170]);
  });

  it("says when the snapshot was taken, and compares already", async () => {
    moves = [snapshotted];
    show();
    const section = within(await screen.findByRole("region", { name: "The game is moving" }));
    expect(section.getByText(/Trading is closed/)).toBeInTheDocument();
    expect(section.getByText(/written down at block/)).toHaveTextContent("written down at block 81,234,567, on Nov 20, 2026");
    expect(await section.findByRole("table")).toBeInTheDocument();
    expect(section.getByText("not there yet")).toBeInTheDocument();
    expect(section.queryByText("What you held")).toBeNull();
  });

  it("has visitors sign in, and come back", async () => {
    session.set({ isAuthenticated: false, isLoading: false, profile: null, problem: "" });
    show();
    expect(await screen.findByRole("link", { name: "Sign in" })).toHaveAttribute("href", "/login?from=%2Fmove");
    expect(await screen.findByRole("table")).toBeInTheDocument();
    expect(screen.queryByText("What you held")).toBeNull();
  });
});

describe("what a player held", () => {
  it("is listed with its amount, collection and how it is doing", async () => {
    holdings = [
      held("1", { amount: "3" }),
      held("2", { state: "drawn" }),
      held("3", { state: "done", owner: own }),
      held("4", { state: "failed" }),
      gods,
    ];
    show();
    expect(await screen.findByText("2 to claim, 1 on the way, 1 yours, 1 for the support")).toBeInTheDocument();
    expect(row("Blade 1 × 3").getByText("Ready to claim")).toBeInTheDocument();
    expect(row("Blade 1 × 3").getByText("Arms & relics")).toBeInTheDocument();
    expect(row("Blade 2").getByText("On its way")).toBeInTheDocument();
    expect(row("Blade 3").getByText("Yours")).toBeInTheDocument();
    expect(row("Blade 3").getByText("Arms & relics, in a wallet of your own")).toBeInTheDocument();
    expect(row("Blade 4").getByText("Not sent")).toBeInTheDocument();
    expect(row("1,250.50 GOD").getByText("Currency")).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "verified that wallet" })).toHaveAttribute("href", "/portal/edit#verified-wallet");
  });

  // Spec: RUN-34
  it("is claimed with one press, and followed until it is there", async () => {
    holdings = [held("1"), held("2"), gods];
    show();
    await userEvent.click(await button());
    expect(await screen.findByText("3 items claimed. They are on the way.")).toBeInTheDocument();
    expect(await screen.findByText("3 on the way")).toBeInTheDocument();
    expect(claims).toBe(1);
    expect(screen.queryByRole("button", { name: /Claim my items/ })).toBeNull();
    await expectFocus(screen.findByRole("heading", { name: "What you held" }));
    holdings = holdings.map((h) => ({ ...h, state: "done" }));
    expect(await screen.findByText("3 yours", undefined, { timeout: 3 * holdingsEvery })).toBeInTheDocument();
    expect(screen.queryByText("On its way")).toBeNull();
  });

  it("is claimed by keyboard, and not twice while that lasts", async () => {
    holdings = [held("1")];
    let letGo = () => {};
    const wait = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let asked = 0;
    server.use(
      http.post("*/api/auth/moves/42170/claim", async () => {
        asked++;
        await wait;
        holdings = [held("1", { state: "drawn" })];
        return HttpResponse.json({ claimed: 1 }, { status: 202 });
      }),
    );
    show();
    (await button()).focus();
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(asked).toBe(1));
    expect(screen.getByRole("button", { name: /^Claim my items/ })).toHaveAttribute("aria-disabled", "true");
    await userEvent.keyboard("{Enter} ");
    act(letGo);
    expect(await screen.findByText("1 item claimed. It is on the way.")).toBeInTheDocument();
    expect(asked).toBe(1);
  });

  it("can be claimed again when that fails, with what the server says", async () => {
    holdings = [held("1")];
    server.use(http.post("*/api/auth/moves/42170/claim", () => problem(403, "Your account is frozen."), { once: true }));
    show();
    await userEvent.click(await button());
    expect(await screen.findByRole("alert")).toHaveTextContent("Your account is frozen.");
    await userEvent.click(screen.getByRole("button", { name: "Try again: claim my items" }));
    expect(await screen.findByText("1 on the way")).toBeInTheDocument();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("that a contract held is for the support", async () => {
    holdings = [held("1", { state: "foreign", owner: own })];
    show();
    expect(await screen.findByText("1 for the support")).toBeInTheDocument();
    expect(row("Blade 1").getByText("Needs help")).toBeInTheDocument();
    expect(screen.getByText(/held by a contract, which cannot claim by itself/)).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Write to our support" })).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: /claim/i })).toBeNull();
  });

  it("needs a wallet to come to", async () => {
    signedIn({ smartWalletAddress: null });
    holdings = [held("1", { owner: own })];
    show();
    expect(await screen.findByRole("link", { name: "Create your wallet" })).toHaveAttribute("href", "/kod-marketplace/create-smart-wallet");
    expect(screen.queryByRole("button", { name: "Claim my items" })).toBeNull();
  });

  it("needs a wallet that the server knows", async () => {
    holdings = [held("1")];
    server.use(
      http.post("*/api/auth/moves/42170/claim", () =>
        problem(409, "You do not have a wallet yet. Please connect it first.", { reason: "no-wallet" }),
      ),
    );
    show();
    await userEvent.click(await button());
    expect(await screen.findByRole("link", { name: "Create your wallet" })).toBeInTheDocument();
    expect(screen.queryByText(/Please connect it first/)).toBeNull();
  });

  it("may be nothing", async () => {
    show();
    expect(await screen.findByText("Your wallets held nothing on the old chain.")).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Claim my items" })).toBeNull();
  });

  it("that is much is shown in full on request, from where the list ended", async () => {
    holdings = Array.from({ length: 70 }, (_, i) => held(String(i + 1)));
    show();
    expect(await screen.findByRole("heading", { name: "Blade 60" })).toBeInTheDocument();
    expect(screen.queryByRole("heading", { name: "Blade 61" })).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Show all 70" }));
    const next = screen.getByRole("heading", { name: "Blade 61" }).closest("li") as HTMLElement;
    await expectFocus(Promise.resolve(next));
  });

  it("that did not load can be loaded again, and the comparison is there all the same", async () => {
    server.use(http.get("*/api/auth/moves/42170", () => problem(400, "Not now."), { once: true }));
    show();
    expect(await screen.findByText("What you held did not load")).toBeInTheDocument();
    expect(await screen.findByRole("table")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("Your wallets held nothing on the old chain.")).toBeInTheDocument();
  });

  it("is not shown to the next player", async () => {
    holdings = [held("1")];
    const { unmount } = show();
    expect(await screen.findByText("1 to claim")).toBeInTheDocument();
    unmount();
    holdings = [];
    const next = signedIn({ smartWalletAddress: own });
    session.set({ profile: { ...next, AccountInfo: { ...next.AccountInfo, PlayFabId: "00000000000000B2" } } });
    show();
    expect(await screen.findByText("Your wallets held nothing on the old chain.")).toBeInTheDocument();
    expect(screen.queryByText("1 to claim")).toBeNull();
    expect(queryClient.getQueryData(["moves", "held", 42170, "00000000000000A1"])).toBeDefined();
  });
});

describe("the comparison", () => {
  it("is a table of each token, with currencies in whole coins", async () => {
    show();
    const table = await screen.findByRole("table", { name: "Token by token" });
    const cells = within(table)
      .getAllByRole("row")
      .map((r) => [...r.children].map(({ textContent }) => textContent));
    expect(cells).toEqual([
      ["Collection", "Token", "Minted", "Burned", "Held", "Claimed", "Given"],
      ["Arms & relics", "7", "1,200", "200", "1,000", "12", "11"],
      ["Avatars", "all", "1,200", "200", "1,000", "12", "11"],
      ["GOD", "all", "1,500.00", "0.0000000000000002", "0.000000000000001", "0.000000000000000012", "0.000000000000000011"],
    ]);
    expect(within(table).getAllByRole("columnheader")).toHaveLength(7);
    expect(within(table).getByRole("rowheader", { name: "Arms & relics" })).toBeInTheDocument();
    // On a phone it is wider than the page: the keyboard scrolls it.
    expect(screen.getByRole("region", { name: "Tokens on both chains" })).toHaveAttribute("tabindex", "0");
  });

  it("names the chains, the block and the SHA-256 in full, and leads to the snapshot's text", async () => {
    show();
    const section = within(await screen.findByRole("region", { name: "Both chains compared" }));
    for (const fact of ["42170", "4217", "81,234,567", hash, sha256]) expect(section.getByText(fact)).toBeInTheDocument();
    expect(section.getByRole("link", { name: "The snapshot's text" })).toHaveAttribute("href", "/api/moves/42170/snapshot?part=1");
    expect(await section.findByText(`${items} → ${own}`)).toBeInTheDocument();
  });

  it("that did not load can be loaded again", async () => {
    server.use(http.get("*/api/moves/42170", () => problem(400, "Not now."), { once: true }));
    show();
    expect(await screen.findByText("The comparison did not load")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("table")).toBeInTheDocument();
  });
});
