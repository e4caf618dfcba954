import { QueryClientProvider } from "@tanstack/react-query";
import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { beforeEach, expect, it, vi } from "vitest";
import { queryClient } from "~/lib/query";
import { contract, listing } from "../../../test/make";
import { HttpResponse, http, server } from "../../../test/server";
import { Browse } from "./components/browse";
import { stillPending } from "./filters";

/** The queries of the requests for listings. */
let asked: string[] = [];

beforeEach(() => {
  asked = [];
  globalThis.IntersectionObserver ??= class {
    observe() {}
    disconnect() {}
  } as never;
  server.use(
    http.get("*/api/marketplace/collections", () =>
      HttpResponse.json({ items: ["avatars", "elder-gods"].map((slug, i) => ({ contract: `0x${i}`, slug, listed: 2 })) }),
    ),
    http.get("*/api/marketplace/traits", () =>
      HttpResponse.json({
        items: [
          { name: "Metal", values: ["Gold", "Iron"].map((value, i) => ({ value, listed: 9 - i })) },
          { name: "Power", values: Array.from({ length: 8 }, (_, i) => ({ value: String(i), listed: 8 - i })) },
        ],
      }),
    ),
    http.get("*/api/marketplace/listings", ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json({ items: [listing()], total: 1 });
    }),
  );
});

/** Opens the market after another page. */
function mount(search = "") {
  const routes = [
    { path: "/", element: <p>Home</p> },
    { path: "/market", element: <Browse /> },
  ];
  const router = createMemoryRouter(routes, { initialEntries: ["/", `/market${search}`] });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return router;
}

/** The same, and waits for its listings. */
async function open(search = "") {
  const router = mount(search);
  await screen.findByText("Blade 1");
  return router;
}

const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
const chips = () =>
  within(screen.getByRole("list", { name: "Filters in use" }))
    .getAllByRole("listitem")
    .map((chip) => chip.textContent);

it("the market goes on where the server found nothing yet, and says how many there are at least", async () => {
  server.use(
    http.get("*/api/marketplace/listings", ({ request }) => {
      const cursor = new URL(request.url).searchParams.get("cursor");
      asked.push(cursor ?? "");
      if (!cursor) return HttpResponse.json({ items: [], nextCursor: "2", total: 1234, totalAtLeast: true });
      if (cursor === "2") return HttpResponse.json({ items: [], nextCursor: "3" });
      return HttpResponse.json({ items: [listing()], nextCursor: "4" });
    }),
  );
  await open("?q=blade");
  expect(asked.slice(0, 3)).toEqual(["", "2", "3"]);
  expect(screen.getByRole("status")).toHaveTextContent("1,200+ listings");
});

// Spec: MARKET-4
it("the market takes several traits of a collection, with the number of listings of each value", async () => {
  const router = await open("?collection=avatars");
  fireEvent.click(await screen.findByText("Metal"));
  const gold = screen.getByRole("checkbox", { name: "Gold, 9 listings" });
  fireEvent.click(gold);
  await waitFor(() => expect(asked.at(-1)).toBe("?collection=avatars&trait=Metal%3AGold&sort=newest&limit=30"));
  fireEvent.click(screen.getByText("Power"));
  expect(screen.queryByRole("checkbox", { name: "7, 1 listing" })).toBeNull();
  press("All 8 values");
  fireEvent.click(screen.getByRole("checkbox", { name: "7, 1 listing" }));
  await waitFor(() => expect(asked.at(-1)).toBe("?collection=avatars&trait=Metal%3AGold&trait=Power%3A7&sort=newest&limit=30"));
  expect(chips()).toEqual(["Avatars", "Metal: Gold", "Power: 7", "Clear all"]);
  press("Remove the filter Metal: Gold");
  await waitFor(() => expect(router.state.location.search).toBe("?collection=avatars&trait=Power%3A7"));
  press("Remove the filter Avatars");
  await waitFor(() => expect(router.state.location.search).toBe(""));
});

// Spec: MARKET-26
it("a collection has what its contract says of it above its listings, as text", async () => {
  const description = "Elders of <b>old</b>.";
  server.use(
    http.get("*/api/marketplace/collections", () =>
      HttpResponse.json({
        items: [
          { contract: "0x1", slug: "elder-gods", listed: 2, description },
          { contract: "0x2", slug: "avatars", listed: 2 },
        ],
      }),
    ),
  );
  const router = await open("?collection=elder-gods");
  expect(await screen.findByText(description)).toBeVisible();
  await act(() => router.navigate("/market?collection=avatars"));
  expect(await screen.findByText(/is reserved for you/)).toBeVisible();
});

// Spec: MARKET-13
it("filter changes accumulate while the previous one is not rendered yet", async () => {
  const router = await open("?collection=avatars");
  fireEvent.click(await screen.findByText("Metal"));
  act(() => {
    screen.getByRole("checkbox", { name: "Gold, 9 listings" }).click();
    screen.getByRole("checkbox", { name: "Iron, 8 listings" }).click();
    screen.getByRole("button", { name: "rare" }).click();
    screen.getByRole("button", { name: "epic" }).click();
    screen.getAllByRole<HTMLInputElement>("checkbox", { name: "Only what is free now" })[0]?.click();
  });
  await waitFor(() => expect(chips()).toEqual(["Avatars", "Rare", "Epic", "Metal: Gold", "Metal: Iron", "Free now", "Clear all"]));
  act(() => {
    screen.getByRole("button", { name: "Remove the filter Rare" }).click();
    screen.getByRole("button", { name: "Remove the filter Metal: Iron" }).click();
  });
  await waitFor(() => expect(chips()).toEqual(["Avatars", "Epic", "Metal: Gold", "Free now", "Clear all"]));
  // A change after going back builds on that page, not on a previous change made there.
  await act(() => router.navigate(-2));
  await waitFor(() => expect(chips()).toEqual(["Avatars", "Rare", "Epic", "Metal: Gold", "Metal: Iron", "Free now", "Clear all"]));
  press("Remove the filter Epic");
  await waitFor(() => expect(chips()).toEqual(["Avatars", "Rare", "Metal: Gold", "Metal: Iron", "Free now", "Clear all"]));
});

// Spec: MARKET-13
it("changes stay pending until the last one is rendered", () => {
  const at = (search: string) => ({ pathname: "/market", search, hash: "", state: null, key: "k" });
  const first = at("");
  const pending = { rendered: first, queries: ["?free=true", "?free=true&q=b", "?q=b"] };
  expect(stillPending(pending, first, false)).toBe(pending);
  const rendered = at("?free=true");
  expect(stillPending(pending, rendered, false)).toEqual({ rendered, queries: ["?free=true&q=b", "?q=b"] });
  expect(stillPending(pending, at("?q=b"), false)).toBeUndefined();
  // Going back or following a link discards pending changes.
  expect(stillPending(pending, at("?free=true"), true)).toBeUndefined();
  expect(stillPending(pending, at("?seller=0x1"), false)).toBeUndefined();
  expect(stillPending(undefined, first, false)).toBeUndefined();
});

// Spec: MARKET-4
it("the market shows the offers of one seller, and only what is free", async () => {
  const seller = "0x00000000000000000000000000000000000005e1";
  const router = await open(`?seller=${seller}`);
  expect(asked.at(-1)).toBe(`?seller=${seller}&sort=newest&limit=30`);
  expect(chips()).toEqual(["Seller 0x0000…05e1", "Clear all"]);
  fireEvent.click(screen.getAllByRole("checkbox", { name: "Only what is free now" })[0] as HTMLElement);
  await waitFor(() => expect(asked.at(-1)).toBe(`?seller=${seller}&free=true&sort=newest&limit=30`));
  press("Clear all");
  await waitFor(() => expect(router.state.location.search).toBe(""));
});

// Spec: MARKET-5
it("the market shows one card per item, with its offers, which stays in the address and is no filter", async () => {
  const figures = { contract, tokenId: "1", offers: 3, floor: "9.5", lastSale: "11" };
  server.use(
    http.get("*/api/marketplace/listings", ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json({ items: [listing()], tokens: [figures], total: 1 });
    }),
  );
  const router = await open("?q=blade");
  expect(screen.getByText("From 9.50")).toBeInTheDocument();
  expect(screen.getByText("Last sale 11.00")).toBeInTheDocument();
  fireEvent.click(screen.getAllByRole("checkbox", { name: "One card per item" })[0] as HTMLElement);
  expect(await screen.findByText("3 offers from 12.50")).toBeInTheDocument();
  expect(screen.getByText("Last sale 11.00")).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Blade 1" })).toHaveAttribute("href", `/kod-marketplace/marketplace/item/${contract}/1`);
  expect(screen.getByRole("status")).toHaveTextContent("1 item");
  expect(asked).toEqual(["?q=blade&sort=newest&limit=30", "?q=blade&cheapest=true&sort=newest&limit=30"]);
  expect(chips()).toEqual(["“blade”", "Clear all"]);
  expect(router.state.location.search).toBe("?q=blade&cheapest=true");
  await router.navigate(-1);
  expect(await screen.findByText("From 9.50")).toBeInTheDocument();
});

it("a card stands for a hundred offers or more", async () => {
  const figures = { contract, tokenId: "1", offers: 100, floor: "9.5" };
  server.use(http.get("*/api/marketplace/listings", () => HttpResponse.json({ items: [listing()], tokens: [figures], total: 1 })));
  await open("?cheapest=true");
  expect(screen.getByText("100+ offers from 12.50")).toBeInTheDocument();
});

it.each([
  ["the cheapest", { offers: 2, floor: "12.5" }],
  ["the only one", { offers: 1, floor: "12.5" }],
])("a card says nothing of other offers if it is %s", async (_, some) => {
  server.use(
    http.get("*/api/marketplace/listings", () =>
      HttpResponse.json({ items: [listing()], tokens: [{ contract, tokenId: "1", ...some }], total: 1 }),
    ),
  );
  await open();
  expect(screen.queryByText(/From|Last sale/)).toBeNull();
});

// Spec: MARKET-6
it("the market shows what was sold last, page by page", async () => {
  const { metadata } = listing();
  const sold = (number: number) => ({
    listingId: String(number),
    seller: "0x1",
    buyer: "0x2",
    quantity: number,
    unitPrice: "12.5",
    total: "12.5",
    txHash: `0x${number}`,
    time: "2026-11-20T10:00:00Z",
    contract: "0x00000000000000000000000000000000000000A1",
    tokenId: String(number),
    metadata: { ...metadata, name: `Sold ${number}` },
  });
  const pages: string[] = [];
  server.use(
    http.get("*/api/marketplace/sales", ({ request }) => {
      const { search, searchParams } = new URL(request.url);
      pages.push(search);
      const cursor = searchParams.get("cursor");
      if (!cursor) return HttpResponse.json({ items: [sold(1)], nextCursor: "2" });
      return HttpResponse.json(cursor === "2" ? { items: [], nextCursor: "3" } : { items: [sold(2)] });
    }),
  );
  await open("?collection=avatars");
  fireEvent.click(screen.getByRole("link", { name: "Sold" }));
  expect(await screen.findByRole("link", { name: "Sold 1" })).toBeInTheDocument();
  press("Show more");
  expect(await screen.findByRole("link", { name: "Sold 2" })).toBeInTheDocument();
  expect(pages).toEqual(["?collection=avatars", "?collection=avatars&cursor=2", "?collection=avatars&cursor=3"]);
  expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
  fireEvent.click(screen.getByRole("link", { name: "For sale" }));
  expect(await screen.findByText("Blade 1")).toBeInTheDocument();
});

it("the market takes several rarities, which chips show and remove", async () => {
  const router = await open();
  press("rare");
  press("mythic");
  press("epic");
  await screen.findByText("Blade 1");
  expect(asked.at(-1)).toBe("?rarity=rare&rarity=epic&rarity=mythic&sort=newest&limit=30");
  expect(chips()).toEqual(["Rare", "Epic", "Mythic", "Clear all"]);
  press("epic");
  press("Remove the filter Rare");
  expect(router.state.location.search).toBe("?rarity=mythic");
  expect(screen.getByRole("button", { name: "Remove the filter Mythic" })).toHaveFocus();
});

// Spec: MARKET-21
it("Back undoes the filters one by one, and does not leave the market before", async () => {
  const router = await open();
  const back = async (to: string) => {
    await router.navigate(-1);
    expect(router.state.location.pathname + router.state.location.search).toBe(to);
  };
  press("rare");
  fireEvent.click(await screen.findByRole("button", { name: /^Avatars/ }));
  fireEvent.change(screen.getByRole("combobox", { name: "Order" }), { target: { value: "price-asc" } });
  expect(router.state.location.search).toBe("?rarity=rare&collection=avatars&sort=price-asc");
  await back("/market?rarity=rare&collection=avatars");
  await back("/market?rarity=rare");
  await back("/market");
  await back("/");
});

it("a search that is typed is one entry of the history", async () => {
  const router = await open();
  const type = async (text: string) => {
    fireEvent.change(screen.getByRole("searchbox"), { target: { value: text } });
    await expect.poll(() => new URLSearchParams(router.state.location.search).get("q") ?? "").toBe(text);
  };
  await type("su");
  await type("sun");
  await router.navigate(-1);
  expect(router.state.location).toMatchObject({ pathname: "/market", search: "" });
});

it.each([
  ["5", "1", "Highest price", "The highest price is below the lowest."],
  ["-3", "", "Lowest price", "A price is 0 or more."],
  ["", "cheap", "Highest price", "Enter a number with at most 6 decimals, such as 12.50."],
])("prices from %o to %o are refused at the field; what was typed and the list stay", async (min, max, field, reason) => {
  const router = await open();
  const from = screen.getByRole("textbox", { name: "Lowest price" });
  const to = screen.getByRole("textbox", { name: "Highest price" });
  fireEvent.change(from, { target: { value: min } });
  fireEvent.change(to, { target: { value: max } });
  press("Apply prices");
  const wrong = screen.getByRole("textbox", { name: field });
  expect(screen.getByRole("alert")).toHaveTextContent(reason);
  expect(wrong).toBeInvalid();
  expect(wrong).toHaveAccessibleDescription(reason);
  expect(wrong).toHaveFocus();
  expect([from, to].map((input) => (input as HTMLInputElement).value)).toEqual([min, max]);
  expect(router.state.location.search).toBe("");
  expect(screen.getByText("Blade 1")).toBeVisible();

  fireEvent.change(from, { target: { value: "1" } });
  fireEvent.change(to, { target: { value: "2,5" } });
  press("Apply prices");
  expect(router.state.location.search).toBe("?min=1&max=2%2C5");
  await screen.findByText("Blade 1");
  expect(asked.at(-1)).toBe("?min=1&max=2.5&sort=newest&limit=30");
});

it("an address with the lowest price above the highest shows the market", async () => {
  await open("?min=5&max=1");
  expect(asked).toEqual(["?min=5&sort=newest&limit=30"]);
});

it("a market that did not load appears by itself when the server answers again", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  vi.spyOn(console, "warn").mockImplementation(() => {});
  server.use(http.get("*/api/marketplace/listings", () => HttpResponse.error()));
  mount();
  await act(() => vi.advanceTimersByTimeAsync(5_000)); // with its retries
  expect(screen.getByText(/The server does not answer/)).toBeInTheDocument();
  server.use(http.get("*/api/marketplace/listings", () => HttpResponse.json({ items: [listing()], total: 1 })));
  await act(() => vi.advanceTimersByTimeAsync(15_000));
  expect(screen.getByText("Blade 1")).toBeInTheDocument();
  expect(screen.queryByText(/The server does not answer/)).toBeNull();
  vi.useRealTimers();
});

it("the title is the same whatever is chosen", async () => {
  await open("?collection=elder-gods");
  expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("The market");
  expect(screen.getByRole("heading", { level: 2 })).toHaveTextContent("Elder Gods");
});
