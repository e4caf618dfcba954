import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, renderHook, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { dispatch } from "~/features/realtime/messages";
import { logout } from "~/features/session/session";
import { queryClient } from "~/lib/query";
import { keys } from "~/lib/storage";
import { tokenKey } from "~/lib/token";
import { contract, listing } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { RecentlyViewed } from "./components/recently-viewed";
import { useLiveListings } from "./live";
import { marketKeys } from "./queries";
import { noteViewed, viewedItems } from "./viewed";

const address = contract.toLowerCase();

/** The items that were asked for, request by request. */
let asked: string[][] = [];

beforeEach(() => {
  asked = [];
  server.use(
    http.get("*/api/marketplace/items", ({ request }) => {
      const items = new URL(request.url).searchParams.getAll("item").flatMap((value) => value.split(","));
      asked.push(items);
      return HttpResponse.json({
        items: items
          .map((key) => key.slice(key.indexOf(":") + 1))
          .filter((tokenId) => tokenId !== "404")
          .map((tokenId) => ({
            contract,
            tokenId,
            metadata: listing({ listingId: tokenId }).metadata,
            ...(tokenId === "3" ? {} : { cheapest: listing({ listingId: tokenId, price: "4.5" }) }),
          })),
      });
    }),
  );
});

const show = (current?: { contract: string; tokenId: string }) =>
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <RecentlyViewed {...(current && { current })} />
      </MemoryRouter>
    </QueryClientProvider>,
  );

const view = (...tokenIds: string[]) => {
  for (const tokenId of tokenIds) noteViewed(tokenKey({ contract, tokenId }));
};

describe("the items that were viewed", () => {
  it("are the last twelve, each once, the last one first", () => {
    view(...Array.from({ length: 14 }, (_, i) => String(i + 1)), "5", "14");
    expect(viewedItems()).toEqual([14, 5, 13, 12, 11, 10, 9, 8, 7, 6, 4, 3].map((id) => `${address}:${id}`));
  });

  it.each([
    ["not JSON", "{"],
    ["another value", '{"a":1}'],
    [
      "other entries",
      `[1,null,"x","${address}:","${address}:1x","${address}:${"1".repeat(79)}","${address}:${2n ** 256n}","${address}:011"]`,
    ],
  ])("are none where storage has %s", (_, value) => {
    localStorage.setItem(keys.viewed, value);
    expect(viewedItems()).toEqual([]);
    view("7");
    expect(viewedItems()).toEqual([`${address}:7`]);
  });
});

it("an item's number has up to 256 bits", () => {
  view("0", `${2n ** 256n - 1n}`);
  expect(viewedItems()).toEqual([`${address}:${2n ** 256n - 1n}`, `${address}:0`]);
});

// Spec: MARKET-10
describe("the row of items viewed last", () => {
  it("has their names and lowest prices, without the item of the page, which is remembered", async () => {
    view("1", "404", "3", "2");
    show({ contract, tokenId: "2" });
    const row = await screen.findByRole("region", { name: "Recently viewed" });
    expect((await within(row).findAllByRole("article")).map((card) => card.textContent)).toEqual([
      expect.stringMatching(/Blade 3.*Not for sale/),
      expect.stringMatching(/Blade 1.*4\.50/),
    ]);
    expect(within(row).getByRole("link", { name: "Blade 1" })).toHaveAttribute("href", expect.stringMatching(/item\/0x.*\/1$/));
    expect(asked).toEqual([[`${address}:3`, `${address}:404`, `${address}:1`]]);
    expect(viewedItems()[0]).toBe(`${address}:2`);
  });

  it("is gone once the session has ended", async () => {
    server.use(http.get("*/api/auth/logout", () => HttpResponse.json({ success: true })));
    view("1");
    show();
    expect(await screen.findByRole("article")).toBeInTheDocument();
    await act(async () => void (await logout()));
    expect(screen.queryByRole("region")).toBeNull();
    expect(viewedItems()).toEqual([]);
  });

  it("is absent where nothing else was viewed, and asks nothing", () => {
    view("2");
    show({ contract, tokenId: "2" });
    expect(screen.queryByRole("heading")).toBeNull();
    expect(asked).toEqual([]);
  });

  it("is absent where nothing that was viewed exists", async () => {
    view("404");
    const { container } = show();
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    await vi.waitFor(() => expect(container).toBeEmptyDOMElement());
  });

  it("can be asked for again when it did not load", async () => {
    view("1");
    const works = server.listHandlers()[0];
    server.use(http.get("*/api/marketplace/items", () => problem(400, "No.")));
    show();
    expect(await screen.findByText("The items you viewed did not load.")).toBeInTheDocument();
    server.resetHandlers(...(works ? [works] : []));
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByRole("article")).toHaveTextContent("Blade 1");
  });
});

it.each([
  ["the row of items viewed last", [...marketKeys.viewed, [`${address}:1`]]],
  ["the watchlist", marketKeys.watched],
])("%s is asked for again when one of its items is listed, sold or repriced, and not for a hold", (_, key) => {
  renderHook(useLiveListings);
  const known = listing({ listingId: "1" });
  const tell = (type: "insert" | "update" | "delete", document: typeof known) => {
    queryClient.setQueryData(key, [{ contract, tokenId: "1", metadata: known.metadata }]);
    dispatch({ channelId: "live-listings-change", type, payload: { document, assetContractAddress: contract } });
    return queryClient.getQueryState(key)?.isInvalidated;
  };
  expect(tell("insert", known)).toBe(true);
  expect(tell("update", { ...known, version: 2 })).toBe(false);
  expect(tell("update", { ...known, version: 3, price: "9" })).toBe(true);
  expect(tell("insert", listing({ listingId: "2" }))).toBe(false);
  expect(tell("delete", { ...known, version: 4 })).toBe(true);
});
