import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, describe, expect, it } from "vitest";
import { session } from "~/features/session/store";
import { queryClient } from "~/lib/query";
import { contract, item, listing, signedIn } from "../../../test/make";
import { HttpResponse, http, server } from "../../../test/server";
import { ItemPage } from "./components/item";
import type { Item } from "./queries";

/** Opens the page of an item with this supply. */
async function open(supply: Item["supply"], some: Partial<Item> = {}) {
  server.use(http.get(`*/api/marketplace/items/${contract}/1`, () => HttpResponse.json(item({ ...(supply && { supply }), ...some }))));
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

describe("the page of an item that one owns", () => {
  afterEach(() => session.set(session.initial));

  const owning = (owned: string, offered: string) => {
    signedIn({ smartWalletAddress: "0x00000000000000000000000000000000000000f2" });
    server.use(http.get(`*/api/auth/marketplace/own/${contract}/1`, () => HttpResponse.json({ owned, offered })));
  };

  it.each([
    ["1", "0", "You have one.", "Sell", `/portal/sell?item=${contract}:1`],
    ["1000", "0", "You have 1,000.", "Sell", `/portal/sell?item=${contract}:1`],
    ["3", "1", "You have 3, 1 of them listed.", "Sell", `/portal/sell?item=${contract}:1`],
    ["1", "1", "You have one, and it is listed.", "See your listings", "/portal/listings"],
  ])("says so for %s, of which %s are listed", async (owned, offered, text, link, to) => {
    owning(owned, offered);
    await open(undefined);
    expect(await screen.findByText("You own this")).toBeInTheDocument();
    expect(screen.getByText(text)).toBeInTheDocument();
    expect(screen.getByRole("link", { name: link })).toHaveAttribute("href", to);
    expect(screen.queryByText("Nobody offers one right now.", { exact: false })).toBeNull();
  });

  it("says so below the offer of another", async () => {
    owning("2", "0");
    await open(undefined, { listings: [listing()] });
    expect(await screen.findByText("You own this")).toBeInTheDocument();
    expect(screen.getAllByRole("button", { name: "Add to cart: Blade 1" })).toHaveLength(2);
    expect(screen.getByText("In your cart it is reserved for you for ten minutes.")).toBeInTheDocument();
  });

  it("says why it cannot be sold", async () => {
    owning("1", "0");
    await open(undefined, { metadata: { ...listing().metadata, collection: "season-avatars" } });
    expect(await screen.findByText("It is bound to your wallet and cannot be sold.", { exact: false })).toBeInTheDocument();
    expect(screen.queryByRole("link", { name: "Sell" })).toBeNull();
  });

  it("says nothing to who has none", async () => {
    owning("0", "0");
    await open(undefined);
    expect(await screen.findByText("Nobody offers one right now.", { exact: false })).toBeInTheDocument();
    expect(screen.queryByText("You own this")).toBeNull();
  });
});
