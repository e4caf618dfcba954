import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { WindowedGrid } from "./windowed-grid";

/** A window of 924 pixels, which is as wide as four columns, and rows of 300 pixels. */
beforeEach(() => {
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue({ width: 924, height: 300, top: 0 } as DOMRect);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(300);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

function Grid({ items, startAt }: { items: number[]; startAt?: string[] }) {
  return (
    <WindowedGrid label="Shields" items={items} keyOf={String} startAt={startAt}>
      {(n) => <button type="button">{`Shield ${n}`}</button>}
    </WindowedGrid>
  );
}

const shield = (n: number) => screen.getByRole("button", { name: `Shield ${n}` });
const rendered = () => screen.getAllByRole("button").map((button) => Number(button.textContent?.slice("Shield ".length)));

/** Scrolls the window to a row. */
async function scrollTo(row: number) {
  await act(async () => {
    vi.stubGlobal("scrollY", row * 320);
    dispatchEvent(new Event("scroll"));
  });
}

describe("a windowed grid", () => {
  // Spec: UI-13
  it("keeps the elements and the focus of cards that move because one is inserted above them", async () => {
    const { rerender } = render(<Grid items={numbers(1, 100)} />);
    const last = shield(4); // of the first row
    const next = shield(5);
    await userEvent.click(last);
    rerender(<Grid items={[0, ...numbers(1, 100)]} />);
    expect(shield(4)).toBe(last);
    expect(shield(5)).toBe(next);
    expect(last).toHaveFocus();
    expect(last.closest("[data-index]")).toHaveAttribute("data-index", "1");
  });

  it("moves the focus to the card that takes the place of a removed one", async () => {
    const { rerender } = render(<Grid items={numbers(1, 100)} />);
    await userEvent.click(shield(3));
    rerender(<Grid items={[1, 2, ...numbers(4, 100)]} />);
    expect(shield(4)).toHaveFocus();
    rerender(<Grid items={[1, 2, ...numbers(5, 100)]} />);
    expect(shield(5)).toHaveFocus();
    rerender(<Grid items={[1, 2]} />);
    expect(shield(2)).toHaveFocus();
    // The removal of another card does not move the focus, nor does that of a card that has lost it.
    rerender(<Grid items={[2]} />);
    expect(shield(2)).toHaveFocus();
    act(() => shield(2).blur());
    rerender(<Grid items={[7, 8]} />);
    expect(document.body).toHaveFocus();
  });

  // Spec: UI-13
  it("leaves the focus to the page when another list replaces it", async () => {
    const page = (list: string) => (
      <main id="main" tabIndex={-1}>
        <Grid key={list} items={numbers(1, 100)} />
      </main>
    );
    const { rerender } = render(page("newest"));
    await userEvent.click(shield(3));
    rerender(page("cheapest"));
    expect(screen.getByRole("main")).toHaveFocus();
    // A list without the focus does not move it.
    act(() => screen.getByRole("main").blur());
    rerender(page("rarest"));
    expect(document.body).toHaveFocus();
  });

  // Spec: UI-13
  it("renders two rows around the focus wherever the window is, so that Tab reaches the next card", async () => {
    render(<Grid items={numbers(1, 400)} />);
    await userEvent.click(shield(9)); // in the third row
    await scrollTo(60);
    expect(rendered()).toContain(240);
    expect(rendered().filter((n) => n < 100)).toEqual(numbers(1, 20));
    await userEvent.tab();
    expect(shield(10)).toHaveFocus();
    await userEvent.tab({ shift: true });
    await userEvent.tab({ shift: true });
    expect(shield(8)).toHaveFocus();
    act(() => shield(8).blur());
    expect(rendered().filter((n) => n < 100)).toEqual([]);
  });

  it("initially scrolls an item's row to just below the header, if the list has the item", () => {
    vi.spyOn(document.documentElement, "scrollHeight", "get").mockReturnValue(100 * 320);
    const scrolledTo: (number | undefined)[] = [];
    vi.spyOn(window, "scrollTo").mockImplementation((to) => void scrolledTo.push((to as unknown as ScrollToOptions).top));
    const { unmount } = render(<Grid items={numbers(1, 400)} startAt={["401"]} />);
    expect(new Set(scrolledTo)).toEqual(new Set([0]));
    unmount();
    render(<Grid items={numbers(1, 400)} startAt={["401", "43", "44"]} />); // in the eleventh row
    expect(scrolledTo.at(-1)).toBe(10 * 320 - 80);
  });

  it("places rows around a distant focus where they would be", async () => {
    render(<Grid items={numbers(1, 400)} />);
    await userEvent.click(shield(1));
    await scrollTo(60);
    const style = (n: number) => shield(n).parentElement?.style;
    const first = Math.min(...rendered().filter((n) => n > 100));
    expect(style(first)?.position).toBe("");
    expect(style(1)?.position).toBe("absolute");
    // Relative to the first row near the window.
    expect(style(6)?.top).toBe(`${320 - ((first - 1) / 4) * 320}px`);
    expect(style(6)?.left).toBe("236px");
    expect(style(6)?.width).toBe("216px");
  });
});
