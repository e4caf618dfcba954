import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { flags } from "~/features/flags/store";
import type { Holding } from "~/features/holdings/queries";
import { logout } from "~/features/session/session";
import { session } from "~/features/session/store";
import { disconnectWallet } from "~/features/wallet/connection";
import Portal from "~/routes/portal/layout";
import { clientConfig, contract, listing, reward, signedIn } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { answerWallet, mainChain } from "../../../test/wallet";
import PowerPacks from "./power-pack";

const asked = vi.fn();

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  asked.mockClear();
  signedIn();
  server.use(
    http.get("*/api/auth/nft/listPowerPacks", () => {
      asked();
      const some = (wallet: Holding["wallet"], amount: string): Holding => ({
        contract,
        tokenId: "2",
        amount,
        wallet,
        metadata: listing().metadata,
      });
      return HttpResponse.json({ total: 5, items: [some("smart", "2"), some("verified", "3")] });
    }),
    http.get("*/api/power-packs/config", () =>
      HttpResponse.json({ version: 2, packs: [1, 2, 3].map((n) => ({ tokenId: String(n), infiniGold: n * 100, nectar: n * 20 })) }),
    ),
    http.all("*/api/*", () => problem(403, "Not in this test.")),
  );
});
afterEach(() => {
  flags.set(flags.initial);
  session.set(session.initial);
});

/** Opens the page; without `enabled` the flags did not load. */
function open(enabled?: boolean) {
  flags.set({
    flags: enabled === undefined ? {} : { power_packs: { enabled }, pack_opening: { enabled: true } },
    loading: false,
    isFetched: enabled !== undefined,
  });
  const routes = [{ path: "/portal", element: <Portal />, children: [{ path: "power-pack", element: <PowerPacks /> }] }];
  render(<RouterProvider router={createMemoryRouter(routes, { initialEntries: ["/portal/power-pack"] })} />);
}

describe("power packs", () => {
  it("are on their page, those of all the player's wallets, and in the menu while their flag is on", async () => {
    open(true);
    expect(await screen.findByRole("link", { name: "Power packs" })).toHaveAttribute("aria-current", "page");
    expect(await screen.findByText("You own 5.")).toBeInTheDocument();
    expect(screen.getAllByText("You own none.")).toHaveLength(2);
  });

  // Spec: BURN-2
  it("are put away while it is off: the page says so and asks for none, and the menu has no way there", async () => {
    open(false);
    expect(await screen.findByText(/Power packs are switched off just now/)).toBeInTheDocument();
    const entry = (label: string) => screen.getByRole("link", { name: label }).closest("li");
    expect(entry("Power packs")).toHaveClass("hidden");
    expect(entry("Immortals")).not.toHaveClass("hidden");
    expect(asked).not.toHaveBeenCalled();
  });

  it("are neither shown nor said to be switched off while that could not be found out; it is asked for again", async () => {
    open();
    expect(await screen.findByText("Your power packs did not load")).toBeInTheDocument();
    expect(screen.queryByText(/switched off just now/)).toBeNull();
    server.use(
      http.get("*/api/config", () => HttpResponse.json(clientConfig())),
      http.get("*/getEvaluatedFeatureFlags", () => HttpResponse.json({ flags: { power_packs: { enabled: true } } })),
    );
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("You own 5.")).toBeInTheDocument();
  });

  it("say what each kind holds, by the tariff's version", async () => {
    open(true);
    for (const text of ["100 InfiniGold, 20 nectar", "300 InfiniGold, 60 nectar"])
      expect(await screen.findByText(text)).toBeInTheDocument();
    expect(screen.getByText(/This is version 2 of the tariff/)).toBeInTheDocument();
  });

  // Spec: BURN-2
  it("are opened from the smart wallet alone, on the main chain, and give InfiniGold and nectar", async () => {
    vi.stubGlobal("matchMedia", () => ({ matches: true })); // no motion
    const world = answerWallet();
    const grants = [
      ["ig", "400"],
      ["ne", "80"],
    ].map(([currency = "", amount = ""]) => ({ kind: "currency" as const, state: "done" as const, currency, amount }));
    server.use(
      http.get("*/api/auth/rewards", () =>
        HttpResponse.json({ items: [reward({ origin: "power-pack", tokenId: "2", amount: 2, fateAmount: 0, grants })] }),
      ),
    );
    open(true);
    const count = await screen.findByRole("spinbutton");
    expect(count).toHaveAttribute("max", "2");
    await userEvent.click(screen.getByRole("button", { name: "Choose all" }));
    expect(screen.getByText("Gives 400 InfiniGold, 80 nectar")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Open 2 power packs" }));
    await userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Open them" }));
    await userEvent.click(await screen.findByRole("button", { name: "Skip" }));
    expect(screen.getByRole("heading", { name: /^2 power packs opened: 400 InfiniGold, 80 nectar/ })).toBeInTheDocument();
    expect(world.sentOn).toBe(String(mainChain));
    server.use(http.get("*/api/auth/logout", () => HttpResponse.json({})));
    await logout();
    disconnectWallet();
  });
});
