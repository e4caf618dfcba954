import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { burns, useBurns } from "~/features/burning/burn";
import { flags } from "~/features/flags/store";
import { dispatch } from "~/features/realtime/messages";
import { type Reward, useLiveRewards } from "~/features/reward/queries";
import { logout } from "~/features/session/session";
import { session } from "~/features/session/store";
import { disconnectWallet } from "~/features/wallet/connection";
import { queryClient } from "~/lib/query";
import { tabKeys } from "~/lib/tab-keys";
import { listing, reward, signedIn } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { answerWallet, transaction, type WalletWorld } from "../../../test/wallet";
import { BreakBanks, BrokenBanks } from "./components/piggy-banks";
import type { Holding } from "./queries";

const clay = `0x${"c1".repeat(20)}`;
const keepsake = `0x${"c2".repeat(20)}`;

const bank = (some: Partial<Holding>, name: string): Holding => ({
  contract: clay,
  tokenId: "1",
  amount: "1",
  wallet: "smart",
  metadata: { ...listing().metadata, name },
  ...some,
});
const banks = [
  bank({ amount: "3" }, "Piggy Bank"),
  bank({ tokenId: "2" }, "VIP Piggy Bank"),
  bank({ contract: keepsake }, "Keepsake Piggy"),
  bank({ tokenId: "3", wallet: "verified" }, "Bronze Piggy Bank"),
  bank({ tokenId: "9" }, "Unknown Piggy"),
];

let world: WalletWorld;
let rewards: Reward[];

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.stubGlobal("matchMedia", () => ({ matches: true })); // no motion
  signedIn();
  world = answerWallet();
  rewards = [];
  server.use(
    http.get("*/api/piggy-banks/config", () =>
      HttpResponse.json({
        version: 1,
        banks: [
          { contract: clay, tokenId: "1", fate: 50, vip: false },
          { contract: clay, tokenId: "2", fate: 250, vip: true },
          { contract: clay, tokenId: "3", fate: 120, vip: false },
          { contract: keepsake, tokenId: "1", fate: 25, vip: false },
        ],
      }),
    ),
    http.get("*/api/auth/rewards", ({ request }) => {
      const txId = new URL(request.url).searchParams.get("txId");
      return HttpResponse.json({ items: rewards.filter((r) => !txId || r.txId === txId) });
    }),
    http.get("*/api/auth/logout", () => HttpResponse.json({})),
  );
});
afterEach(async () => {
  await logout();
  session.set(session.initial);
  flags.set(flags.initial);
  disconnectWallet();
});

function Page() {
  useLiveRewards();
  useBurns();
  return (
    <>
      <BrokenBanks />
      <BreakBanks banks={banks} />
    </>
  );
}
const show = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <Page />
      </MemoryRouter>
    </QueryClientProvider>,
  );

/** Chooses some banks and confirms. */
async function breaks(...names: string[]) {
  for (const name of names) {
    const group = await screen.findByRole("group", { name: `${name}: how many` });
    await userEvent.click(within(group).getByRole("button", { name: "One more" }));
  }
  await userEvent.click(screen.getByRole("button", { name: /^Break \d/ }));
  await userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: /^Break/ }));
}

/** The server moves the rewards on, and tells. */
function now(...next: Reward[]) {
  rewards = next;
  act(() =>
    dispatch({ channelId: "reward", type: "update", payload: { id: "x", origin: "piggy-bank", state: next[0]?.state, txId: transaction } }),
  );
}
const vip = (state: Reward["state"]): Reward =>
  reward({
    state,
    id: "burn-2",
    tokenId: "2",
    isVipPiggy: state !== "burned",
    grants: [{ kind: "currency", state: "pending", currency: "fa", amount: "250" }],
  });

describe("the choice of piggy banks", () => {
  it("has those of the smart wallet that the tariff knows, keepsakes too, with the fate in each", async () => {
    show();
    await screen.findByText("50 fate each", { exact: false });
    expect(screen.getAllByRole("group").map((group) => group.textContent)).toHaveLength(3);
    const lines = screen.getAllByRole("listitem").map((line) => line.querySelector("p")?.textContent?.trim());
    expect(lines).toEqual(["Piggy Bank", "VIP Piggy Bank VIP", "Keepsake Piggy"]);
    expect(screen.getByText("3 held. 50 fate each")).toBeInTheDocument();
    expect(screen.getByText("25 fate")).toBeInTheDocument();
  });

  it("adds up what is chosen, within what is held", async () => {
    show();
    const count = await screen.findByRole("spinbutton", { name: "Piggy Bank" });
    expect(screen.getByRole("button", { name: "Break" })).toBeDisabled();
    await userEvent.clear(count);
    await userEvent.type(count, "7");
    expect(count).toHaveValue(3);
    expect(screen.getByText("Gives 150 fate")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Choose all" }));
    expect(screen.getByText("Gives 425 fate")).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Break 5 piggy banks" })).toBeEnabled();
    expect(screen.queryByRole("button", { name: "Choose all" })).toBeNull();
  });

  it("asks before it burns, says that it cannot be undone, and burns nothing if they are kept", async () => {
    show();
    await userEvent.click(
      within(await screen.findByRole("group", { name: "VIP Piggy Bank: how many" })).getByRole("button", { name: "One more" }),
    );
    await userEvent.click(screen.getByRole("button", { name: "Break 1 piggy bank" }));
    const dialog = await screen.findByRole("dialog", { name: "Break 1 piggy bank?" });
    expect(dialog).toHaveTextContent("It is burned on the chain. This cannot be undone.");
    expect(dialog).toHaveTextContent("You get 250 fate, by the tariff of today.");
    await userEvent.click(within(dialog).getByRole("button", { name: "Keep it" }));
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(world.sent).toBeUndefined();
  });

  it("is closed while opening is paused", async () => {
    flags.set({ flags: { pack_opening: { enabled: false } }, loading: false, isFetched: true });
    show();
    expect(await screen.findByText("Paused for now")).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: /Break/ })).toBeNull();
  });

  it("says so when the tariff did not load", async () => {
    server.use(http.get("*/api/piggy-banks/config", () => problem(400, "Away.")));
    show();
    expect(await screen.findByText(/What these hold did not load/)).toBeInTheDocument();
  });
});

describe("breaking", () => {
  // Spec: BURN-8
  it("waits until the server says what was inside, shows it once, and then what it was", async () => {
    show();
    await breaks("Piggy Bank", "VIP Piggy Bank");
    expect(await screen.findByRole("heading", { name: "Breaking 2 piggy banks" })).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: /Break \d/ })).toBeNull();
    await screen.findByText("Burned. Waiting until the chain cannot take it back.");
    now(reward({ state: "burned" }), vip("burned"));
    expect(screen.queryByRole("button", { name: "Skip" })).toBeNull();
    now(reward({ state: "settled" }), vip("settled"));
    await userEvent.click(await screen.findByRole("button", { name: "Skip" }));
    const heading = screen.getByRole("heading", { name: /2 piggy banks broken: 300 fate/ });
    expect(heading).toHaveFocus();
    expect(screen.getByText("VIP", { selector: "p" })).toBeInTheDocument();
    expect(screen.getByText("From Piggy Bank, VIP Piggy Bank")).toBeInTheDocument();
    expect(screen.getByText("Inside was")).toBeInTheDocument();
    now(reward(), vip("done"));
    await waitFor(() => expect(screen.queryByText("Inside was")).toBeNull());
    await userEvent.click(screen.getByRole("button", { name: "Done" }));
    expect(screen.queryByText("300")).toBeNull();
    expect(await screen.findByRole("button", { name: "Break" })).toBeInTheDocument();
  });

  it("ends by itself when the scene is over", async () => {
    show();
    rewards = [reward()];
    await breaks("Piggy Bank");
    await screen.findByRole("button", { name: "Skip" });
    expect(await screen.findByRole("heading", { name: /broken: 50 fate/ })).toBeInTheDocument();
  });

  it("that was refused says why, and what was chosen is still chosen", async () => {
    world.bundle = () => ({
      error: {
        code: -32500,
        message: "Opening is paused for now. Nothing was used up. Please try again later.",
        data: { reason: "paused" },
      },
    });
    show();
    await breaks("Keepsake Piggy");
    expect(await screen.findByRole("alert")).toHaveTextContent("Opening is paused for now. Nothing was used up.");
    expect(screen.getByRole("button", { name: "Break 1 piggy bank" })).toBeEnabled();
  });

  it("whose reward failed says so, without a scene", async () => {
    show();
    rewards = [reward({ state: "failed", message: "The books are closed." })];
    await breaks("Piggy Bank");
    expect(await screen.findByRole("alert")).toHaveTextContent("The books are closed.");
    expect(screen.queryByRole("button", { name: "Skip" })).toBeNull();
    expect(screen.queryByText("VIP", { selector: "p" })).toBeNull();
  });

  it("goes on after a reload, and what was seen is not played again", async () => {
    const { unmount } = show();
    rewards = [reward()];
    await breaks("Piggy Bank");
    await userEvent.click(await screen.findByRole("button", { name: "Skip" }));
    unmount();
    const stored = sessionStorage.getItem(tabKeys.burns) ?? "";
    burns.set(burns.initial);
    sessionStorage.setItem(tabKeys.burns, stored);
    queryClient.clear();
    show();
    expect(await screen.findByRole("heading", { name: /broken: 50 fate/ })).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Skip" })).toBeNull();
  });

  it("of another tab is shown with its timeline", async () => {
    rewards = [reward({ state: "sending", txId: "0xother", amount: 2 })];
    show();
    expect(await screen.findByRole("heading", { name: "2 piggy banks" })).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Break" })).toBeInTheDocument();
  });
});
