import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { contract } from "../../../test/make";
import { Breaking, sceneTime } from "./components/breaking";
import { pieces, polygon } from "./pieces";

const prefers = (reduced: boolean) =>
  vi.stubGlobal("matchMedia", (query: string) => ({ matches: reduced && query === "(prefers-reduced-motion: reduce)" }));
const animate = vi.fn();

beforeEach(() => {
  animate.mockClear();
  Element.prototype.animate = animate;
});
afterEach(() => void vi.useRealTimers());

const item = (tokenId: string) => ({ contract, tokenId, amount: 1, name: `Bank ${tokenId}`, image: "/x.svg" });
function show(onDone: () => void) {
  return render(<Breaking origin="piggy-bank" items={["1", "2", "3", "4", "5"].map(item)} vip={false} onDone={onDone} />);
}

describe("the scene of breaking", () => {
  it.each([
    ["2.3 s", false, 2_300],
    ["0.9 s with reduced motion", true, 900],
  ])("ends by itself after %s", (_, reduced, time) => {
    vi.useFakeTimers();
    prefers(reduced);
    const done = vi.fn();
    show(done);
    act(() => void vi.advanceTimersByTime(time - 1));
    expect(done).not.toHaveBeenCalled();
    act(() => void vi.advanceTimersByTime(1));
    expect(done).toHaveBeenCalledOnce();
  });

  // Spec: BURN-8
  it("is not longer than 2.5 s", () => expect(Math.max(sceneTime.full, sceneTime.reduced)).toBeLessThanOrEqual(2_500));

  it("can be skipped", async () => {
    prefers(false);
    const done = vi.fn();
    show(done);
    await userEvent.click(screen.getByRole("button", { name: "Skip" }));
    expect(done).toHaveBeenCalledOnce();
  });

  it("moves nothing with reduced motion", () => {
    prefers(true);
    show(() => {});
    expect(animate).not.toHaveBeenCalled();
    prefers(false);
    show(() => {});
    expect(animate).toHaveBeenCalled();
  });

  it("is for the eyes only, and shows three pictures at most", () => {
    prefers(true);
    const { container } = show(() => {});
    expect(container.querySelector("[aria-hidden=true]")).toContainElement(container.querySelector<HTMLElement>("[data-picture]"));
    expect(container.querySelectorAll("[data-picture]")).toHaveLength(3);
  });
});

describe("the pieces of a picture", () => {
  /** The area of a polygon, by the shoelace formula. */
  const area = (corners: readonly (readonly [number, number])[]) =>
    Math.abs(
      corners.reduce((sum, [x, y], index) => {
        const [nextX = 0, nextY = 0] = corners[(index + 1) % corners.length] ?? [];
        return sum + x * nextY - nextX * y;
      }, 0),
    ) / 2;

  it.each(Object.keys(pieces) as (keyof typeof pieces)[])("of %s make up the whole of it", (origin) => {
    expect(pieces[origin].reduce((sum, { corners }) => sum + area(corners), 0)).toBeCloseTo(100 * 100);
    for (const piece of pieces[origin]) expect(polygon(piece)).toMatch(/^polygon\(([\d.]+% [\d.]+%(, )?){3,}\)$/);
  });
});
