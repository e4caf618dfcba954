import { renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { queryClient } from "~/lib/query";
import { useMarketPolling } from "./polling";

const hide = (isHidden: boolean) => {
  vi.spyOn(document, "hidden", "get").mockReturnValue(isHidden);
  document.dispatchEvent(new Event("visibilitychange"));
};

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

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
