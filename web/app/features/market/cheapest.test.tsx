import { render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { describe, expect, it } from "vitest";
import { flags } from "~/features/flags/store";
import { paths } from "~/lib/paths";
import { listing } from "../../../test/make";
import { HttpResponse, http, server } from "../../../test/server";
import { Cheapest } from "./components/cheapest";

const show = (answer: () => Response) => {
  let query = "";
  server.use(
    http.get("*/api/marketplace/listings", ({ request }) => {
      query = new URL(request.url).search;
      return answer();
    }),
  );
  flags.set({ flags: { public_market: { enabled: true } }, loading: false, isFetched: true });
  const { container } = render(<Cheapest picture="/god.svg" />, { wrapper: MemoryRouter });
  return { query: () => query, picture: () => container.querySelector("img")?.getAttribute("src") };
};

describe("the first page's listing", () => {
  it("is the cheapest, with its price, and links to it", async () => {
    const offer = listing({ price: "2.5" });
    const shown = show(() => HttpResponse.json({ items: [offer], total: 1 }));
    expect(screen.getByRole("link")).toHaveAttribute("href", paths.market);
    expect(shown.picture()).toBeUndefined();
    const link = await screen.findByRole("link", { name: /For sale now/ });
    expect(link).toHaveTextContent(`${offer.metadata.name}2.50 USDC`);
    expect(link).toHaveAttribute("href", paths.item(offer.assetContractAddress, offer.tokenId));
    expect(shown.query()).toBe("?sort=price-asc&limit=1");
    expect(shown.picture()).toBe(offer.metadata.image);
  });

  it.each([
    ["nothing is for sale", () => HttpResponse.json({ items: [], total: 0 })],
    ["the market cannot be reached", () => new HttpResponse(null, { status: 503 })],
  ])("leads to the market when %s", async (_, answer) => {
    const shown = show(answer);
    await expect.poll(shown.picture).toBe("/god.svg");
    const link = screen.getByRole("link", { name: /Items for sale by players/ });
    expect(link).toHaveTextContent("See what is for sale");
    expect(link).toHaveAttribute("href", paths.market);
  });
});
