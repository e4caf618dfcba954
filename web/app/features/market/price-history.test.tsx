import { QueryClientProvider } from "@tanstack/react-query";
import { within as inside, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { describe, expect, it, vi } from "vitest";
import { queryClient } from "~/lib/query";
import { contract } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { PriceHistory } from "./components/price-history";
import { summary, within } from "./price-history";
import type { PricePoint } from "./queries";

// jsdom has no canvas.
vi.mock("./components/price-chart", () => ({ default: ({ points }: { points: PricePoint[] }) => <p>a chart of {points.length}</p> }));

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const point = (days: number, price: string): PricePoint => ({ time: daysAgo(days), price, quantity: 1 });

it("a time of the history ends now", () => {
  const points = [point(31, "1"), point(29, "2"), point(6, "3")];
  const prices = (range: "7d" | "30d" | "all") => within(points, range, Date.now()).map((p) => p.price);
  expect([prices("7d"), prices("30d"), prices("all")]).toEqual([["3"], ["2", "3"], ["1", "2", "3"]]);
});

it("its figures are exact, and not of numbers in a float", () => {
  expect(summary([point(3, "9007199254740993.1"), point(2, "9007199254740993.2"), point(1, "10")])).toEqual({
    lowest: "10",
    highest: "9007199254740993.2",
    last: "10",
  });
  expect(summary([])).toBeUndefined();
});

describe("the price history", () => {
  function show() {
    render(
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>
          <PriceHistory contract={contract} tokenId="1" />
        </MemoryRouter>
      </QueryClientProvider>,
    );
    return inside(screen.getByRole("region", { name: "Price history" }));
  }
  function open(items: PricePoint[], more = false) {
    server.use(http.get("*/history", () => HttpResponse.json({ items, ...(more && { more }) })));
    return show();
  }
  const figure = (name: string) => screen.getByText(name).nextElementSibling?.textContent;

  // Spec: MARKET-8
  it("has a chart and its figures of the chosen time", async () => {
    const user = userEvent.setup();
    const view = open([point(40, "9"), point(20, "4"), point(10, "7.5"), point(1, "5")]);
    expect(await view.findByText("a chart of 4")).toBeInTheDocument();
    expect(["Lowest", "Highest", "Last", "Sales"].map(figure)).toEqual(["4.00 USDC", "9.00 USDC", "5.00 USDC", "4"]);
    await user.click(view.getByRole("button", { name: "30 days" }));
    expect(view.getByRole("button", { name: "30 days" })).toHaveAttribute("aria-pressed", "true");
    expect(view.getByText("a chart of 3")).toBeInTheDocument();
    expect(figure("Highest")).toBe("7.50 USDC");
    await user.click(view.getByRole("button", { name: "7 days" }));
    expect(view.getByText("Fewer than two sales in the last 7 days.")).toBeInTheDocument();
    expect(figure("Sales")).toBe("1");
  });

  it.each([
    [[], "It has not been sold yet."],
    [[point(1, "5")], "It has been sold once. A chart needs two sales."],
  ])("of %j says why there is no chart", async (points, text) => {
    expect(await open(points).findByText(text)).toBeInTheDocument();
    expect(screen.queryByText(/a chart of/)).toBeNull();
  });

  it("says when it does not have all sales", async () => {
    expect(await open([point(2, "5"), point(1, "5")], true).findByText("The newest 1,000 sales.")).toBeInTheDocument();
  });

  it("says when it did not load", async () => {
    server.use(http.get("*/history", () => problem(404, "Gone.")));
    expect(await show().findByText("The price history did not load.", { exact: false })).toBeInTheDocument();
  });
});
