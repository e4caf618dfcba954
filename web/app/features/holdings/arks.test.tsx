import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { dispatch } from "~/features/realtime/messages";
import { keepOutcomes, userArks } from "~/features/realtime/outcomes";
import type { Reward } from "~/features/reward/queries";
import { logout } from "~/features/session/session";
import { session } from "~/features/session/store";
import { disconnectWallet } from "~/features/wallet/connection";
import { queryClient } from "~/lib/query";
import { listing, reward, signedIn } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { answerWallet, mainChain, transaction } from "../../../test/wallet";
import { type ArksConfig, aboard, keepArkResults } from "./arks";
import { Arks } from "./components/arks";
import { Purse } from "./components/purse";
import type { Holding } from "./queries";

const tariff: ArksConfig = {
  version: 3,
  arks: [
    { tokenId: "1", name: "Cedar Ark", followers: { d0: 10, d1: 3 }, tokens: { gt: 8 } },
    { tokenId: "3", name: "Storm Ark", followers: { f3: 2 }, tokens: { ct: 4, nt: 1 } },
  ],
};
const ark = (tokenId: string, amount: string): Holding => ({
  contract: `0x${"a4".repeat(20)}`,
  tokenId,
  amount,
  wallet: "smart",
  metadata: { ...listing().metadata, name: `Ark ${tokenId}` },
});

let rewards: Reward[];

beforeEach(() => {
  rewards = [];
  vi.spyOn(console, "warn").mockImplementation(() => {});
  server.use(
    http.get("*/api/auth/rewards", ({ request }) => {
      const txId = new URL(request.url).searchParams.get("txId");
      return HttpResponse.json({ items: rewards.filter((r) => !txId || r.txId === txId) });
    }),
    http.get("*/api/arks/config", () => HttpResponse.json(tariff)),
    http.get("*/api/auth/nft/listArks", () => HttpResponse.json({ total: 3, items: [ark("1", "2"), ark("3", "1")] })),
    http.get("*/api/auth/currencies", () =>
      HttpResponse.json({ currencies: { d0: 40, d1: 12, f2: 6, f3: 2, gt: 1_000, nt: 20, et: 3, ct: 4 } }),
    ),
  );
});

const show = (page: React.ReactNode) =>
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>{page}</MemoryRouter>
    </QueryClientProvider>,
  );
const followers = <Purse of="followers" caption="" heading="Followers" lead="" />;

describe("what is aboard arks", () => {
  // Spec: ITEM-8
  it("is what the tariff says for each copy, and nothing for an ark it does not know", () => {
    const arks = [ark("1", "2"), ark("3", "1"), ark("9", "5")];
    expect(aboard(arks, tariff, "followers")).toBe(2 * 13 + 2);
    expect(aboard(arks, tariff, "tokens")).toBe(2 * 8 + 5);
    expect(aboard([], tariff, "tokens")).toBe(0);
  });
});

describe("the page of arks", () => {
  // Spec: ITEM-8
  it("says how many there are of each, what is aboard, and what the tariff is", async () => {
    show(<Arks />);
    expect(await screen.findByText("2, in your smart wallet")).toBeInTheDocument();
    expect(await screen.findByText("13 followers and 8 tokens aboard each")).toBeInTheDocument();
    expect(screen.getByText("2 followers and 5 tokens aboard")).toBeInTheDocument();
    const row = screen.getByRole("rowheader", { name: "Cedar Ark" }).closest("tr");
    expect(row).toHaveTextContent("Cedar Ark103––8–––");
    expect(screen.getByText(/^Version 3 of the tariff/)).toBeInTheDocument();
  });

  it("shows those in the player's own wallet by themselves", async () => {
    server.use(
      http.get("*/api/auth/nft/listArks", () =>
        HttpResponse.json({ total: 3, items: [ark("1", "2"), { ...ark("1", "1"), wallet: "verified" }] }),
      ),
    );
    show(<Arks />);
    expect(await screen.findByText("2, in your smart wallet")).toBeInTheDocument();
    expect(screen.getByText("One, in your own wallet")).toBeInTheDocument();
  });

  it("says what did not load, unlike having none", async () => {
    server.use(
      http.get("*/api/auth/nft/listArks", () => problem(400, "Away.")),
      http.get("*/api/arks/config", () => problem(400, "Away.")),
    );
    show(<Arks />);
    expect(await screen.findByText("Your arks did not load")).toBeInTheDocument();
    expect(await screen.findByText("The tariff did not load")).toBeInTheDocument();
    expect(screen.queryByText("You have no arks")).toBeNull();
    server.use(http.get("*/api/auth/nft/listArks", () => HttpResponse.json({ total: 0, items: [] })));
    await userEvent.click(screen.getAllByRole("button", { name: "Try again" })[0] as HTMLElement);
    expect(await screen.findByText("You have no arks")).toBeInTheDocument();
  });
});

describe("breaking up arks", () => {
  const broken = (some: Partial<Reward> = {}) =>
    reward({
      origin: "ark",
      tokenId: "3",
      fateAmount: 0,
      grants: [
        { kind: "currency", state: "done", currency: "f3", amount: "2" },
        { kind: "currency", state: "done", currency: "ct", amount: "4" },
      ],
      ...some,
    });

  beforeEach(() => {
    vi.stubGlobal("matchMedia", () => ({ matches: true })); // no motion
    signedIn();
  });
  afterEach(async () => {
    server.use(http.get("*/api/auth/logout", () => HttpResponse.json({})));
    await logout();
    session.set(session.initial);
    disconnectWallet();
  });

  // Spec: BURN-1
  it("says before what is aboard, burns on the main chain, and shows what came out", async () => {
    const world = answerWallet();
    show(<Arks />);
    await userEvent.click(within(await screen.findByRole("group", { name: "Ark 3: how many" })).getByRole("button", { name: "One more" }));
    expect(screen.getByText("Gives 2 Farseers, 1 Night token, 4 Crown tokens")).toBeInTheDocument();
    rewards = [broken()];
    await userEvent.click(screen.getByRole("button", { name: "Break up 1 ark" }));
    await userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Break it up" }));
    await userEvent.click(await screen.findByRole("button", { name: "Skip" }));
    expect(screen.getByRole("heading", { name: /^1 ark broken up: 2 Farseers, 4 Crown tokens/ })).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Your followers" })).toHaveAttribute("href", "/shipwright/account/followers");
    expect(world.sentOn).toBe(String(mainChain));
  });

  // Spec: LIVE-15
  it("has its results by transaction, from the message or else from the rewards, and lists them", async () => {
    const stop = keepOutcomes();
    rewards = [
      broken(),
      broken({ id: "burn-2", tokenId: "1", amount: 2, grants: [{ kind: "currency", state: "done", currency: "d0", amount: "20" }] }),
    ];
    show(<Arks />);
    expect(await screen.findByText("20 Deckhands, 2 Farseers, 4 Crown tokens")).toBeInTheDocument();
    expect(screen.getByText("Storm Ark, 2 × Cedar Ark")).toBeInTheDocument();
    expect(userArks.get().processedTransactions).toEqual({ [transaction]: { success: true, rewards: { d0: 20, f3: 2, ct: 4 } } });
    act(() => dispatch({ channelId: "ark", type: transaction, payload: { txId: transaction, success: true, rewards: { d0: 21 } } }));
    await waitFor(() => expect(screen.getByText("21 Deckhands")).toBeInTheDocument());
    stop();
  });

  it("has no result while one of its rewards is on its way, and a failed one is no success", () => {
    keepArkResults([broken(), broken({ state: "sending" })]);
    expect(userArks.get().processedTransactions).toEqual({});
    keepArkResults([broken({ state: "failed" })]);
    expect(userArks.get().processedTransactions).toEqual({ [transaction]: { success: false, rewards: {} } });
  });
});

describe("a purse", () => {
  // Spec: PAGE-9
  it.each([
    ["followers", "60", { Deckhands: "40", Drummers: "12", Firekeepers: "6", Farseers: "2" }, /^Your 3 arks would give 28 followers more/],
    [
      "tokens",
      "1,027",
      { "Gate tokens": "1,000", "Night tokens": "20", "Ember tokens": "3", "Crown tokens": "4" },
      /^Your 3 arks would give 21 tokens more/,
    ],
  ] as const)("of %s shows its kinds and their sum, and what the arks would add", async (of, sum, kinds, more) => {
    show(<Purse of={of} caption="" heading="" lead="" />);
    expect(await screen.findByText(sum)).toBeInTheDocument();
    for (const [name, amount] of Object.entries(kinds)) expect(screen.getByText(name).closest("div")).toHaveTextContent(amount);
    expect(await screen.findByText(more)).toBeInTheDocument();
  });

  it("says that it did not load, and never that there is nothing in it", async () => {
    server.use(http.get("*/api/auth/currencies", () => problem(400, "Away.")));
    show(followers);
    expect(await screen.findByText("Your followers did not load")).toBeInTheDocument();
    expect(screen.queryByText("0")).toBeNull();
  });
});
