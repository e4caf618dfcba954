import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { flags } from "~/features/flags/store";
import type { Holding } from "~/features/inventory/queries";
import { session } from "~/features/session/store";
import { clientConfig, contract, listing, signedIn } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import Portal from "./layout";
import PowerPacks from "./power-pack";

const asked = vi.fn();

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  asked.mockClear();
  signedIn();
  server.use(
    http.get("*/api/auth/nft/listPowerPacks", () => {
      asked();
      const some = (wallet: Holding["wallet"], amount: string): Holding => ({ contract, tokenId: "2", amount, wallet, metadata: listing().metadata });
      return HttpResponse.json({ total: 5, items: [some("smart", "2"), some("verified", "3")] });
    }),
    http.all("*/api/*", () => problem(403, "Not in this test.")),
  );
});
afterEach(() => {
  flags.set(flags.initial);
  session.set(session.initial);
});

/** Opens the page; without `enabled` the flags did not load. */
function open(enabled?: boolean) {
  flags.set({ flags: enabled === undefined ? {} : { power_packs: { enabled } }, loading: false, isFetched: enabled !== undefined });
  const routes = [{ path: "/portal", element: <Portal />, children: [{ path: "power-pack", element: <PowerPacks /> }] }];
  render(<RouterProvider router={createMemoryRouter(routes, { initialEntries: ["/portal/power-pack"] })} />);
}

describe("power packs", () => {
  it("are on their page, those of all the player's wallets, and in the menu while their flag is on", async () => {
    open(true);
    expect(screen.getByRole("link", { name: "Power packs" })).toHaveAttribute("aria-current", "page");
    expect(await screen.findByText("You hold 5.")).toBeInTheDocument();
    expect(screen.getAllByText("You hold none.")).toHaveLength(2);
  });

  it("are put away while it is off: the page says so and asks for none, and the menu has no way there", () => {
    open(false);
    expect(screen.getByText(/Power packs are switched off just now/)).toBeInTheDocument();
    const entry = (label: string) => screen.getByRole("link", { name: label }).closest("li");
    expect(entry("Power packs")).toHaveClass("hidden");
    expect(entry("Immortals")).not.toHaveClass("hidden");
    expect(asked).not.toHaveBeenCalled();
  });

  it("are neither shown nor said to be switched off while that could not be found out; it is asked for again", async () => {
    open();
    expect(screen.getByText("Your power packs did not load")).toBeInTheDocument();
    expect(screen.queryByText(/switched off just now/)).toBeNull();
    server.use(
      http.get("*/api/config", () => HttpResponse.json(clientConfig())),
      http.get("*/getEvaluatedFeatureFlags", () => HttpResponse.json({ flags: { power_packs: { enabled: true } } })),
    );
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("You hold 5.")).toBeInTheDocument();
  });
});
