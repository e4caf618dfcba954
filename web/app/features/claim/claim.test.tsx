import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { MemoryRouter } from "react-router";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { flags } from "~/features/flags/store";
import { dispatch } from "~/features/realtime/messages";
import { useLiveRewards } from "~/features/reward/queries";
import { wallet } from "~/features/wallet/store";
import { queryClient } from "~/lib/query";
import { expectFocus } from "../../../test/focus";
import { clientConfig, listing, signedIn } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { avatarQuery } from "./avatar";
import { SeasonAvatar } from "./components/season-avatar";
import { Vaults } from "./components/vaults";
import type { VaultGod, Vaults as VaultsData } from "./vaults";

const gods = `0x${"0e".repeat(20)}`;
const smart = `0x${"22".repeat(20)}`;
const season = { id: "dawn", name: "Season of Dawn", from: "2026-07-01T12:00:00Z", until: "2026-12-31T12:00:00Z" };
const next = { id: "dusk", name: "Season of Dusk", from: "2027-01-02T12:00:00Z", until: "2027-06-30T12:00:00Z" };

const god = (tokenId: string, some: Partial<VaultGod> = {}): VaultGod => ({
  contract: gods,
  tokenId,
  wallet: "smart",
  amount: "150",
  state: "eligible",
  metadata: { ...listing().metadata, name: `Helikara #${tokenId}` },
  ...some,
});

/** What the server knows. */
let vaults: VaultsData;
/** The bodies of the claims. */
let claims: { tokenIds: string[] }[];
let avatar: { claimed: boolean; claimable: boolean };
/** The state of the avatar's reward. */
let given: string;

const sumOf = (list: VaultGod[]) => String(150 * list.filter(({ state }) => state === "eligible").length);
const set = (list: VaultGod[]) => {
  vaults = { ...vaults, gods: list, total: list.length, claimable: sumOf(list) };
};

beforeEach(() => {
  signedIn({ smartWalletAddress: smart });
  wallet.set(wallet.initial);
  flags.set({ flags: { claims: { enabled: true } }, loading: false, isFetched: true });
  vaults = { season, next, gods: [], total: 0, claimable: "0" };
  claims = [];
  avatar = { claimed: false, claimable: true };
  given = "sending";
  server.use(
    http.get("*/api/config", () => HttpResponse.json(clientConfig())),
    http.post("*/api/proxy/rpc/1337042", async ({ request }) => {
      const calls = (await request.json()) as { id: number }[];
      return HttpResponse.json(calls.map(({ id }) => ({ jsonrpc: "2.0", id, result: `0x${(7n * 10n ** 18n).toString(16)}` })));
    }),
    http.get("*/api/auth/vault", () => HttpResponse.json(vaults)),
    http.post("*/api/auth/vault/claim", async ({ request }) => {
      const body = (await request.json()) as { tokenIds: string[] };
      claims.push(body);
      set(
        vaults.gods.map((g) =>
          body.tokenIds.includes(g.tokenId) ? { ...g, state: "claimed", claimId: `vault/dawn/${g.tokenId}`, rewardState: "sending" } : g,
        ),
      );
      const claimIds = body.tokenIds.map((id) => `vault/dawn/${id}`);
      return HttpResponse.json({ claimId: claimIds[0], claimIds }, { status: 202 });
    }),
    http.post("*/api/auth/marketplace/avatar/avatarClaimCheck", async ({ request }) => {
      expect(await request.json()).toEqual({ walletAddress: smart });
      return HttpResponse.json({ success: true, ...avatar });
    }),
    http.post("*/api/auth/marketplace/avatar/claim", () => {
      avatar = { claimed: true, claimable: false };
      return HttpResponse.json({ claimId: `avatar/${smart}` }, { status: 202 });
    }),
    http.get("*/api/auth/rewards", () =>
      HttpResponse.json({
        items: avatar.claimed ? [{ id: `avatar/${smart}`, origin: "avatar", state: given, message: "", grants: [], steps: [] }] : [],
      }),
    ),
  );
});

function Live({ children }: { children: ReactNode }) {
  useLiveRewards();
  return children;
}

const show = (page: ReactNode) =>
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <Live>{page}</Live>
      </MemoryRouter>
    </QueryClientProvider>,
  );

const tell = (channelId: string, type: string, payload: object) => act(async () => dispatch({ channelId, type, payload }));
const moved = (origin: string, state: string) => tell("reward", "update", { id: "x", origin, state, txId: null });
const of = (name: string) => within(screen.getByRole("heading", { name }).closest("li") as HTMLElement);

describe("the vaults", () => {
  // Spec: CLAIM-2
  it("stand with the season, what is in each and what can be claimed of it", async () => {
    set([
      god("1"),
      god("2", { state: "claimed", claimId: "c", rewardState: "done" }),
      god("3", { state: "claimed" }),
      god("4", { state: "claimed", claimId: "d", rewardState: "failed" }),
    ]);
    show(<Vaults />);
    expect(await screen.findByText("Season of Dawn, until December 31, 2026. Each vault opens once in it.")).toBeInTheDocument();
    expect(within(screen.getByText("To claim").closest("div") as HTMLElement).getByText("150.00")).toBeInTheDocument();
    expect(await within(screen.getByText("In your wallet").closest("div") as HTMLElement).findByText("7.00")).toBeInTheDocument();
    expect(of("Helikara #1").getByRole("button", { name: "Claim the vault of Helikara #1" })).toBeEnabled();
    expect(of("Helikara #2").getByText("Opens again on January 2, 2027")).toBeInTheDocument();
    expect(of("Helikara #3").getByText("By its owner before you. Opens again on January 2, 2027")).toBeInTheDocument();
    expect(of("Helikara #4").getByText("Not paid")).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: /Claim all/ })).toBeNull();
  });

  // Spec: CLAIM-2
  it("are claimed one by one, and say how far the payment is", async () => {
    set([god("1"), god("2")]);
    show(<Vaults />);
    await userEvent.click(await screen.findByRole("button", { name: "Claim the vault of Helikara #2" }));
    expect(await of("Helikara #2").findByText("On its way")).toBeInTheDocument();
    expect(claims).toEqual([{ tokenIds: ["2"] }]);
    expect(screen.getByRole("status")).toHaveTextContent("1 vault claimed.");
    await vi.waitFor(() => expect(of("Helikara #2").getByText("On its way").parentElement).toHaveFocus());
    set(vaults.gods.map((g) => (g.tokenId === "2" ? { ...g, rewardState: "done" } : g)));
    await moved("vault", "done");
    expect(await of("Helikara #2").findByText("Claimed")).toBeInTheDocument();
  });

  // Spec: CLAIM-2
  it("are claimed all at once, a hundred by request", async () => {
    set(Array.from({ length: 103 }, (_, i) => god(String(i + 1))));
    show(<Vaults />);
    await userEvent.click(await screen.findByRole("button", { name: "Claim all 103" }));
    await vi.waitFor(() => expect(screen.getByRole("status")).toHaveTextContent("103 vaults claimed."));
    expect(claims.map(({ tokenIds }) => tokenIds.length)).toEqual([100, 3]);
    expect(screen.queryByRole("button", { name: /Claim/ })).toBeNull();
    expect(screen.getByRole("heading", { name: "Your vaults" })).toHaveFocus();
  });

  // Spec: CLAIM-2
  it("say why a claim was refused, and show what is true now", async () => {
    set([god("1"), god("2")]);
    show(<Vaults />);
    const button = await screen.findByRole("button", { name: "Claim the vault of Helikara #2" });
    server.use(
      http.post("*/api/auth/vault/claim", () => {
        set([god("1")]);
        return problem(403, "Elder God #2 is not in your wallets.", { reason: "not-yours" });
      }),
    );
    await userEvent.click(button);
    expect(await screen.findByRole("alert")).toHaveTextContent("Elder God #2 is not in your wallets.");
    expect(screen.queryByText("Helikara #2")).toBeNull();
    expect(screen.getByRole("button", { name: "Claim the vault of Helikara #1" })).toBeEnabled();
  });

  // Spec: CLAIM-2
  it("are shown but not claimed while claiming is paused", async () => {
    set([god("1"), god("2")]);
    flags.set({ flags: { claims: { enabled: false } } });
    show(<Vaults />);
    expect(await screen.findByText(/Claiming is paused for now/)).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: /Claim/ })).toBeNull();
    expect(of("Helikara #1").getByText("Ready to claim")).toBeInTheDocument();
  });

  // Spec: CLAIM-2
  it("wait until the rarity by which they pay is known", async () => {
    set([god("1", { state: "not-known", amount: "0" }), god("2")]);
    show(<Vaults />);
    expect(await screen.findByText("Its vault pays by its rarity, which is being read")).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Claim the vault of Helikara #1" })).toBeNull();
    expect(screen.queryByText("0 GOD")).toBeNull();
    expect(screen.getByRole("button", { name: "Claim the vault of Helikara #2" })).toBeEnabled();
  });

  // Spec: CLAIM-2
  it("wait for the next season, if one is announced", async () => {
    const { season: _, ...between } = vaults;
    vaults = { ...between, gods: [god("1", { state: "not-now" })], total: 1 };
    show(<Vaults />);
    expect(await screen.findByText("No season is open. Season of Dusk begins on January 2, 2027.")).toBeInTheDocument();
    expect(of("Helikara #1").getByText("Opens on January 2, 2027")).toBeInTheDocument();
    const { next: __, ...none } = vaults;
    vaults = none;
    await moved("vault", "done");
    expect(await screen.findByText("No season is open, and the next one is not announced yet.")).toBeInTheDocument();
  });

  it("follow gods that come", async () => {
    show(<Vaults />);
    expect(await screen.findByText("You own no god yet")).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "See the gods for sale" })).toHaveAttribute("href", "/kod-marketplace?collection=elder-gods");
    set([god("9")]);
    await tell("holdings", "change", { contracts: [gods] });
    expect(await screen.findByText("Helikara #9")).toBeInTheDocument();
  });

  it("can be asked for again when they did not load", async () => {
    server.use(http.get("*/api/auth/vault", () => problem(400, "Away.")));
    show(<Vaults />);
    expect(await screen.findByText("Your vaults did not load")).toBeInTheDocument();
    set([god("1")]);
    server.use(http.get("*/api/auth/vault", () => HttpResponse.json(vaults)));
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("Helikara #1")).toBeInTheDocument();
  });
});

describe("the season avatar", () => {
  // Spec: CLAIM-3
  it("is claimed, and followed until it is there", async () => {
    show(<SeasonAvatar />);
    await userEvent.click(await screen.findByRole("button", { name: "Claim your avatar" }));
    await expectFocus(screen.findByText(/It is on its way/));
    given = "done";
    await moved("avatar", "done");
    expect(await screen.findByText(/It is yours/)).toBeInTheDocument();
  });

  // Spec: CLAIM-1
  it("is not offered where it is claimed, where there is none, and without a wallet", async () => {
    avatar = { claimed: true, claimable: false };
    given = "done";
    const { container, unmount } = show(<SeasonAvatar />);
    await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(container).toBeEmptyDOMElement();
    unmount();
    queryClient.clear();
    avatar = { claimed: false, claimable: false };
    const none = show(<SeasonAvatar />);
    await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect(none.container).toBeEmptyDOMElement();
    none.unmount();
    signedIn({ smartWalletAddress: null });
    expect(show(<SeasonAvatar />).container).toBeEmptyDOMElement();
  });

  it("says why it was refused, while claiming is paused, and that it could not be sent", async () => {
    server.use(
      http.post("*/api/auth/marketplace/avatar/claim", () =>
        problem(409, "All avatars of this season are claimed.", { reason: "none-left" }),
      ),
    );
    const { unmount } = show(<SeasonAvatar />);
    await userEvent.click(await screen.findByRole("button", { name: "Claim your avatar" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("All avatars of this season are claimed.");
    await act(async () => flags.set({ flags: { claims: { enabled: false } } }));
    expect(screen.getByText(/Claiming is paused for now/)).toBeInTheDocument();
    expect(screen.queryByRole("button")).toBeNull();
    unmount();
    queryClient.clear();
    avatar = { claimed: true, claimable: false };
    given = "failed";
    show(<SeasonAvatar />);
    expect(await screen.findByText("It could not be sent. We are looking into it.")).toBeInTheDocument();
  });

  // Spec: CLAIM-1
  it.each([
    ["an unsuccessful one", () => HttpResponse.json({ success: false, claimed: false })],
    ["an empty one", () => new HttpResponse(null, { status: 200, headers: { "Content-Length": "0" } })],
  ])("is checked by any answer with status 200, %s too", async (_, answer) => {
    const checked = vi.fn(answer);
    server.use(http.post("*/api/auth/marketplace/avatar/avatarClaimCheck", checked));
    const { container } = show(<SeasonAvatar />);
    await waitFor(() => expect(queryClient.getQueryData(avatarQuery(smart).queryKey)).toMatchObject({ claimed: false, claimable: false }));
    expect(checked).toHaveBeenCalledOnce();
    expect(container).toBeEmptyDOMElement();
  });

  it("can be asked for again when it did not load", async () => {
    server.use(http.post("*/api/auth/marketplace/avatar/avatarClaimCheck", () => problem(400, "Away.")));
    show(<SeasonAvatar />);
    expect(await screen.findByRole("alert")).toHaveTextContent("Whether you can claim a season avatar did not load.");
    server.use(http.post("*/api/auth/marketplace/avatar/avatarClaimCheck", () => HttpResponse.json({ success: true, ...avatar })));
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("button", { name: "Claim your avatar" })).toBeInTheDocument();
  });
});
