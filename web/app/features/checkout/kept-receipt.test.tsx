import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { describe, expect, it } from "vitest";
import { dispatch } from "~/features/realtime/messages";
import { queryClient } from "~/lib/query";
import { contract, listing, signedIn } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { Receipt } from "./components/receipt";
import type { Order } from "./queries";

const item = { assetContractAddress: contract, seller: contract, metadata: listing().metadata };
const order: Order = {
  orderId: "ORDER1",
  state: "partly-complete",
  items: [
    { ...item, listingId: "1", tokenId: "1", quantity: 3, bought: 2, price: "12.5" },
    { ...item, listingId: "2", tokenId: "2", quantity: 1, bought: 0, price: "7" },
  ],
  currency: contract,
  total: "44.5",
  totalUnits: "44500000",
  calls: [],
  timeline: [{ state: "partly-complete", at: "2026-01-02T10:00:00Z", detail: "" }],
  userOpHash: null,
  txHash: null,
  createdAt: "2026-01-02T09:59:00Z",
  expiresAt: "2026-01-02T10:09:00Z",
};

function show() {
  signedIn();
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <Receipt orderId="ORDER1" notFound={<p>Page not found</p>} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

describe("the receipt", () => {
  // Spec: PAGE-14, PAY-4
  it("says what was bought and paid, long after", async () => {
    server.use(http.get("*/api/auth/marketplace/checkout/ORDER1", () => HttpResponse.json({ ...order, received: "23.12" })));
    show();
    expect(await screen.findByText("2 of 3 bought")).toBeInTheDocument();
    expect(screen.getByText("Not bought, and not paid")).toBeInTheDocument();
    expect(screen.getByText("You paid").parentElement).toHaveTextContent("25.00");
    expect(screen.getByText("Of this, to the sellers").parentElement).toHaveTextContent("23.12");
    expect(screen.getByText("Market fee and royalties").parentElement).toHaveTextContent("1.88");
  });

  it("shows no fees while what the sellers got is unknown", async () => {
    server.use(http.get("*/api/auth/marketplace/checkout/ORDER1", () => HttpResponse.json(order)));
    show();
    expect(await screen.findByText("You paid")).toBeInTheDocument();
    expect(screen.queryByText(/to the sellers|Market fee/)).toBeNull();
  });

  // Spec: PAY-4
  it("follows an order that another tab pays, and shows no payment of one that was cancelled", async () => {
    let state: Order["state"] = "awaiting-payment";
    server.use(http.get("*/api/auth/marketplace/checkout/ORDER1", () => HttpResponse.json({ ...order, state })));
    show();
    expect(await screen.findByText("To pay")).toBeInTheDocument();
    const tell = (now: typeof state) => {
      state = now;
      act(() => dispatch({ channelId: "order", type: "update", payload: { orderId: "ORDER1", state } }));
    };
    tell("complete");
    expect(await screen.findByText("You paid")).toBeInTheDocument();
    tell("expired");
    expect(await screen.findByText("This order ended without a purchase. You were not charged.")).toBeInTheDocument();
    expect(screen.queryByText(/You paid|To pay|Order placed/)).toBeNull();
  });

  // Spec: PAY-4
  it.each([404, 400])(
    "is the normal page for unknown addresses for an order of another player, and for a malformed id: %d",
    async (status) => {
      server.use(http.get("*/api/auth/marketplace/checkout/ORDER1", () => problem(status, "There is no such order.")));
      show();
      expect(await screen.findByText("Page not found")).toBeInTheDocument();
    },
  );
});
