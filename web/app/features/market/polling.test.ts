import { QueryObserver } from "@tanstack/react-query";
import { renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { queryClient } from "~/lib/query";
import { listing } from "../../../test/make";
import { HttpResponse } from "../../../test/server";
import { shownRange, useMarketPolling } from "./polling";
import { type Filters, type ListingPage, marketKeys } from "./queries";

const hide = (isHidden: boolean) => {
  vi.spyOn(document, "hidden", "get").mockReturnValue(isHidden);
  document.dispatchEvent(new Event("visibilitychange"));
};

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

// Spec: ACCESS-10
it("a visitor's market is refetched every 15 s while the page is visible, and when it becomes visible again", () => {
  const refetched: unknown[] = [];
  vi.spyOn(queryClient, "invalidateQueries").mockImplementation(async (filters) => void refetched.push(filters?.queryKey?.[0]));
  const taken = () => refetched.splice(0);
  const { unmount } = renderHook(useMarketPolling);
  vi.advanceTimersByTime(14_999);
  expect(taken()).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(taken()).toEqual(["market", "kodProducts"]);
  hide(true);
  vi.advanceTimersByTime(60_000);
  expect(taken()).toEqual([]);
  hide(false);
  expect(taken()).toEqual(["market", "kodProducts"]);
  unmount();
  vi.advanceTimersByTime(60_000);
  expect(taken()).toEqual([]);
});

describe("a long list", () => {
  const filters: Filters = {
    collection: "",
    q: "",
    rarity: [],
    trait: [],
    seller: "",
    free: false,
    cheapest: false,
    min: "",
    max: "",
    sort: "newest",
  };
  const key = marketKeys.filtered(filters);
  const pageOf = (n: number, ...ids: string[]) => ({ items: ids.map((listingId) => listing({ listingId })), nextCursor: `c${n + 1}` });
  const shown = () => queryClient.getQueryData<{ pages: ListingPage[]; pageParams: string[] }>(key);
  let answers: Record<string, ListingPage>;
  let asked: string[];

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
    answers = {};
    asked = [];
    vi.spyOn(globalThis, "fetch").mockImplementation(async (request) => {
      const query = new URL((request as Request).url).searchParams;
      asked.push(`${query.get("cursor")} ${query.get("limit")}`);
      return HttpResponse.json(answers[query.get("cursor") ?? ""]);
    });
    queryClient.setQueryData(key, {
      pages: [pageOf(0, "1", "2"), pageOf(1, "3", "4"), pageOf(2, "5", "6"), pageOf(3, "7", "8"), pageOf(4, "9")],
      pageParams: ["", "c1", "c2", "c3", "c4"],
    });
    new QueryObserver(queryClient, {
      queryKey: key,
      queryFn: () => Promise.reject(new Error("refetched as a whole")),
      staleTime: Number.POSITIVE_INFINITY,
    }).subscribe(() => {});
  });

  it("is refetched where it is visible", async () => {
    shownRange.set({ from: 3, to: 5 });
    answers = { c1: pageOf(1, "3", "4b"), c2: pageOf(2, "5b", "6") };
    renderHook(useMarketPolling);
    vi.advanceTimersByTime(15_000);
    await vi.waitFor(() =>
      expect(shown()?.pages.map(({ items }) => items.map((l) => l.listingId).join())).toEqual(["1,2", "3,4b", "5b,6", "7,8", "9"]),
    );
    expect(asked).toEqual(["c1 100", "c2 100"]);
  });

  it("is loaded again from where others follow now, and skips what is empty", async () => {
    shownRange.set({ from: 2, to: 4 });
    answers = { c1: { items: [], nextCursor: "c1b" }, c1b: { items: [listing({ listingId: "3" })], nextCursor: "x" } };
    renderHook(useMarketPolling);
    vi.advanceTimersByTime(15_000);
    await vi.waitFor(() => expect(shown()?.pages.map(({ items }) => items.map((l) => l.listingId).join())).toEqual(["1,2", "3"]));
    expect(shown()?.pageParams).toEqual(["", "c1"]);
    expect(shown()?.pages.at(-1)?.nextCursor).toBe("x");
  });
});
