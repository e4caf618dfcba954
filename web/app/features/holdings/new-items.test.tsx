import { QueryClientProvider, useInfiniteQuery } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import { useRef } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { queryClient } from "~/lib/query";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { seenAfter, useNewItems } from "./new-items";
import { holdingsQuery, listKey } from "./queries";

/** What the server takes for new. */
let fresh: string[];
let seen: number;
/** Tells the observer whether the items are on the screen. */
let look: (isIntersecting: boolean) => void;

beforeEach(() => {
  fresh = ["7", "9"];
  seen = 0;
  vi.useFakeTimers({ shouldAdvanceTime: true });
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      constructor(told: (entries: { isIntersecting: boolean }[]) => void) {
        look = (isIntersecting) => told([{ isIntersecting }]);
      }
      observe() {}
      disconnect() {}
    },
  );
  server.use(
    http.get("*/api/auth/nft/listGameItems", () => HttpResponse.json({ total: 0, items: [], newItems: fresh })),
    http.post("*/api/auth/nft/gameItems/seen", () => {
      seen++;
      fresh = [];
      return HttpResponse.json({ success: true });
    }),
  );
});
afterEach(() => void vi.useRealTimers());

function Items() {
  const element = useRef<HTMLParagraphElement>(null);
  const first = useInfiniteQuery(holdingsQuery("listGameItems")).data?.pages[0];
  const marked = useNewItems(first && "newItems" in first ? first.newItems : undefined, element);
  return <p ref={element}>New: {[...marked].join(", ") || "none"}</p>;
}

const show = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <Items />
    </QueryClientProvider>,
  );
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

describe("new game items", () => {
  // Spec: ITEM-7
  it("are marked, and seen once they were on the screen for a moment; the marks stay until the page is left", async () => {
    const { unmount } = show();
    expect(await screen.findByText("New: 7, 9")).toBeInTheDocument();
    act(() => look(true));
    await pass(seenAfter - 100);
    expect(seen).toBe(0);
    await pass(200);
    await vi.waitFor(() => expect(seen).toBe(1));
    expect(screen.getByText("New: 7, 9")).toBeInTheDocument();
    unmount();
    show();
    expect(await screen.findByText("New: none")).toBeInTheDocument();
  });

  it("stay new while they were not looked at", async () => {
    show();
    await screen.findByText("New: 7, 9");
    await pass(3 * seenAfter);
    act(() => look(true));
    await pass(seenAfter / 2);
    act(() => look(false)); // scrolled past
    await pass(3 * seenAfter);
    expect(seen).toBe(0);
  });

  it("that arrive meanwhile are marked too", async () => {
    show();
    await screen.findByText("New: 7, 9");
    act(() => look(true));
    await pass(2 * seenAfter);
    await vi.waitFor(() => expect(seen).toBe(1));
    fresh = ["12"];
    await act(() => queryClient.invalidateQueries({ queryKey: listKey("listGameItems") }));
    expect(await screen.findByText("New: 7, 9, 12")).toBeInTheDocument();
    act(() => look(true));
    await pass(2 * seenAfter);
    await vi.waitFor(() => expect(seen).toBe(2));
  });

  it("stay new when the server could not be told", async () => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
    server.use(http.post("*/api/auth/nft/gameItems/seen", () => problem(503, "Away.")));
    const { unmount } = show();
    await screen.findByText("New: 7, 9");
    act(() => look(true));
    await pass(2 * seenAfter);
    await vi.waitFor(() => expect(warned).toHaveBeenCalledWith("inventory: new items not marked as seen", "Away."));
    unmount();
    show();
    expect(await screen.findByText("New: 7, 9")).toBeInTheDocument();
  });
});
