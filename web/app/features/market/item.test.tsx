import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { describe, expect, it } from "vitest";
import { queryClient } from "~/lib/query";
import { contract, listing, signedIn } from "../../../test/make";
import { HttpResponse, http, server } from "../../../test/server";
import { ItemPage } from "./components/item";
import type { Item } from "./queries";

/** Opens the page of an item with this supply. */
async function open(supply: Item["supply"], some: Partial<Item> = {}) {
  const item: Item = { contract, tokenId: "1", metadata: listing().metadata, owners: [], listings: [], sales: [], ...(supply && { supply }), ...some };
  server.use(http.get(`*/api/marketplace/items/${contract}/1`, () => HttpResponse.json(item)));
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <ItemPage contract={contract} tokenId="1" />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  await screen.findByRole("heading", { name: "Blade 1" });
}

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

describe("an item of the player's", () => {
  const mine = `0x${"22".repeat(20)}`;
  const link = () => screen.queryByRole("link", { name: "Send it to another wallet" });

  it("can be sent from its page", async () => {
    signedIn({ smartWalletAddress: mine });
    await open(undefined, { owners: [{ address: mine.toUpperCase().replace("X", "x"), amount: "1" }] as never });
    expect(link()).toHaveAttribute("href", `/portal/money?tab=send&asset=${contract}:1`);
  });

  it.each([
    ["is somebody else's", { owners: [{ address: contract, amount: "1" }] }],
    ["is bound to the account", { owners: [{ address: mine, amount: "1" }], metadata: { ...listing().metadata, collection: "season-avatars" } }],
  ])("is not offered for sending where it %s", async (_, some) => {
    signedIn({ smartWalletAddress: mine });
    await open(undefined, some as never);
    expect(link()).not.toBeInTheDocument();
  });
});
