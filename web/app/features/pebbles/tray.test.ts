import { describe, expect, it } from "vitest";
import { canGoOn, fewest, fill, levels, merge, most, type Piece } from "./tray";

/** Merges the first pair it finds, until none is left. */
function mergeAll(tray: Piece[], steps = 0): { tray: Piece[]; steps: number } {
  for (const a of tray) {
    for (const b of tray) {
      const next = merge(tray, a.id, b.id);
      if (next) return mergeAll(next, steps + 1);
    }
  }
  return { tray, steps };
}

describe("a tray of pebbles", () => {
  it("puts two of one level together, in the place of the second", () => {
    expect(merge(fill(3), 1, 3)).toEqual([
      { id: 2, level: 1 },
      { id: 3, level: 2 },
    ]);
  });

  it("takes nothing that does not fit", () => {
    const tray = merge(fill(3), 1, 2) ?? [];
    expect(merge(tray, 2, 3)).toBeUndefined();
    expect(merge(tray, 3, 3)).toBeUndefined();
    expect(merge(tray, 3, 9)).toBeUndefined();
  });

  it.each(Array.from({ length: most - fewest + 1 }, (_, i) => i + fewest))(
    "of %i leaves that number in binary, whatever the order",
    (count) => {
      const { tray, steps } = mergeAll(fill(count));
      const left = tray.map((piece) => 2 ** (piece.level - 1));
      expect(left.reduce((sum, n) => sum + n, 0)).toBe(count);
      expect(new Set(left).size).toBe(left.length);
      expect(steps).toBe(count - left.length);
      expect(canGoOn(tray)).toBe(false);
      expect(Math.max(...tray.map((piece) => piece.level))).toBeLessThanOrEqual(levels.length);
    },
  );

  it("can go on while two are alike", () => {
    expect(canGoOn(fill(2))).toBe(true);
    expect(canGoOn([{ id: 1, level: 1 }])).toBe(false);
  });

  it("has a least and a most", () => {
    expect(fill(0)).toHaveLength(fewest);
    expect(fill(99)).toHaveLength(most);
  });
});
