import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { queryClient } from "~/lib/query";
import { listing } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { type ArksConfig, aboard } from "./arks";
import { Arks } from "./components/arks";
import { Purse } from "./components/purse";
import type { Holding } from "./queries";

const tariff: ArksConfig = {
  version: 3,
  arks: [
    { tokenId: "1", followers: { d0: 10, d1: 3 }, tokens: { gt: 8 } },
    { tokenId: "3", followers: { f3: 2 }, tokens: { ct: 4, nt: 1 } },
  ],
};
const ark = (tokenId: string, amount: string): Holding => ({
  contract: `0x${"a4".repeat(20)}`,
  tokenId,
  amount,
  wallet: "smart",
  metadata: { ...listing().metadata, name: `Ark ${tokenId}` },
});

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  server.use(
    http.get("*/api/arks/config", () => HttpResponse.json(tariff)),
    http.get("*/api/auth/nft/listArks", () => HttpResponse.json({ total: 3, items: [ark("1", "2"), ark("3", "1")] })),
    http.get("*/api/auth/currencies", () => HttpResponse.json({ currencies: { d0: 40, d1: 12, f2: 6, f3: 2, gt: 1_000, nt: 20, et: 3, ct: 4 } })),
  );
});

const show = (page: React.ReactNode) =>
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>{page}</MemoryRouter>
    </QueryClientProvider>,
  );
const followers = <Purse of="followers" heading="Followers" lead="" />;

describe("what is aboard arks", () => {
  it("is what the tariff says for each copy, and nothing for an ark it does not know", () => {
    const arks = [ark("1", "2"), ark("3", "1"), ark("9", "5")];
    expect(aboard(arks, tariff, "followers")).toBe(2 * 13 + 2);
    expect(aboard(arks, tariff, "tokens")).toBe(2 * 8 + 5);
    expect(aboard([], tariff, "tokens")).toBe(0);
  });
});

describe("the page of arks", () => {
  it("says how many there are of each, what is aboard, and what the tariff is", async () => {
    show(<Arks />);
    expect(await screen.findByText("2, moored")).toBeInTheDocument();
    expect(await screen.findByText("13 followers and 8 tokens aboard each")).toBeInTheDocument();
    expect(screen.getByText("2 followers and 5 tokens aboard")).toBeInTheDocument();
    const row = screen.getByRole("rowheader", { name: "Cedar Ark" }).closest("tr");
    expect(row).toHaveTextContent("Cedar Ark103––8–––");
    expect(screen.getByText(/^Version 3 of the tariff/)).toBeInTheDocument();
  });

  it("shows those in the player's own wallet by themselves", async () => {
    server.use(http.get("*/api/auth/nft/listArks", () => HttpResponse.json({ total: 3, items: [ark("1", "2"), { ...ark("1", "1"), wallet: "verified" }] })));
    show(<Arks />);
    expect(await screen.findByText("2, moored")).toBeInTheDocument();
    expect(screen.getByText("One, in your own wallet")).toBeInTheDocument();
  });

  it("says what did not load, unlike an empty quay", async () => {
    server.use(
      http.get("*/api/auth/nft/listArks", () => problem(400, "Away.")),
      http.get("*/api/arks/config", () => problem(400, "Away.")),
    );
    show(<Arks />);
    expect(await screen.findByText("Your arks did not load")).toBeInTheDocument();
    expect(await screen.findByText("The tariff did not load")).toBeInTheDocument();
    expect(screen.queryByText("The quay is empty")).toBeNull();
    server.use(http.get("*/api/auth/nft/listArks", () => HttpResponse.json({ total: 0, items: [] })));
    await userEvent.click(screen.getAllByRole("button", { name: "Try again" })[0] as HTMLElement);
    expect(await screen.findByText("The quay is empty")).toBeInTheDocument();
  });
});

describe("a purse", () => {
  it.each([
    ["followers", "60", { Deckhands: "40", Drummers: "12", Firekeepers: "6", Farseers: "2" }, /^Your 3 arks would give 28 followers more/],
    ["tokens", "1,027", { "Gate tokens": "1,000", "Night tokens": "20", "Ember tokens": "3", "Crown tokens": "4" }, /^Your 3 arks would give 21 tokens more/],
  ] as const)("of %s shows its kinds and their sum, and what the arks would add", async (of, sum, kinds, more) => {
    show(<Purse of={of} heading="" lead="" />);
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
