import { QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useMemo } from "react";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { queryClient } from "~/lib/query";
import { listing } from "../../../test/make";
import ListingsGrid from "./components/listings-grid";
import type { Listing } from "./queries";

/** A window of four columns, and rows of 300 pixels. */
beforeEach(() => {
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue({ width: 924, height: 300, top: 0 } as DOMRect);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(300);
  Element.prototype.scrollIntoView = () => void scrollTo(0);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const numbered = (n: number) => listing({ _id: `L${n}`, listingId: String(n), metadata: { ...listing().metadata, name: `Blade ${n}` } });
const hundred = Array.from({ length: 100 }, (_, i) => numbered(i + 1));

/** Scrolls the window to a row. */
function scrollTo(row: number) {
  vi.stubGlobal("scrollY", row * 320);
  dispatchEvent(new Event("scroll"));
}

function Page({ listings }: { listings: Listing[] }) {
  const pages = useMemo(() => [{ items: listings.slice(0, 30) }, { items: listings.slice(30) }], [listings]);
  return (
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <ListingsGrid pages={pages} perItem={false} onEnd={() => {}} onRange={() => {}} />
      </MemoryRouter>
    </QueryClientProvider>
  );
}

/** The names of the cards around a card. */
const around = (name: string) => {
  const names = screen.getAllByRole("heading", { level: 3 }).map((heading) => heading.textContent);
  const at = names.indexOf(name);
  return names.slice(at - 1, at + 2);
};

// Spec: MARKET-12
it("keeps the cards in their places while the reader is inside the list, and shows new listings when asked", async () => {
  const { rerender } = render(<Page listings={hundred} />);
  await act(async () => scrollTo(10));
  expect(around("Blade 42")).toEqual(["Blade 41", "Blade 42", "Blade 43"]);

  rerender(<Page listings={[numbered(0), ...hundred.filter(({ listingId }) => listingId !== "41")]} />);
  expect(around("Blade 42")).toEqual(["Blade 41", "Blade 42", "Blade 43"]);
  expect(screen.getAllByRole("button", { name: "Gone" })).toHaveLength(1);

  await userEvent.click(screen.getByRole("button", { name: "1 new listing" }));
  expect(screen.getAllByRole("heading", { level: 3 })[0]).toHaveTextContent("Blade 0");
  expect(screen.queryByRole("button", { name: "1 new listing" })).toBeNull();
  await act(async () => scrollTo(10));
  expect(around("Blade 42")).toEqual(["Blade 40", "Blade 42", "Blade 43"]);
});

it("shows new listings at once to a reader at the top", () => {
  const { rerender } = render(<Page listings={hundred} />);
  rerender(<Page listings={[numbered(0), ...hundred]} />);
  expect(screen.getAllByRole("heading", { level: 3 })[0]).toHaveTextContent("Blade 0");
  expect(screen.queryByRole("button", { name: "1 new listing" })).toBeNull();
});

it("keeps in the tab which cards are in view, and how many pages reach there, unless the first row is in view", async () => {
  vi.mocked(Element.prototype.getBoundingClientRect).mockImplementation(function (this: Element) {
    const row = (this as HTMLElement).dataset.index;
    return { width: 924, height: 300, top: row === undefined ? 0 : Number(row) * 320 - window.scrollY } as DOMRect;
  });
  const kept = () => JSON.parse(sessionStorage.getItem("pantheon.place") ?? "null");
  const { unmount } = render(<Page listings={hundred} />);
  await act(async () => scrollTo(1));
  document.dispatchEvent(new Event("visibilitychange")); // as before a reload
  expect(kept()).toEqual({ entry: "default", pages: 1, cards: ["9", "10", "11", "12", "13", "14", "15", "16"] });
  await act(async () => scrollTo(0));
  document.dispatchEvent(new Event("visibilitychange"));
  expect(kept()).toEqual({ entry: "default", pages: 1, cards: [] });
  await act(async () => scrollTo(10));
  unmount();
  expect(kept()).toEqual({ entry: "default", pages: 2, cards: ["45", "46", "47", "48", "49", "50", "51", "52"] });
});
