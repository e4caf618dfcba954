import { describe, expect, it } from "vitest";
import { steady } from "./steady";

const list = (text: string) => text.split(" ").filter(Boolean);
const changed = (shown: string, now: string, to: number) => {
  const { items, gone, waiting } = steady(list(shown), list(now), to, (item) => item.slice(0, 1));
  return { items: items.join(" "), gone: [...gone].join(" "), waiting };
};

describe("a list for a reader who has scrolled into it", () => {
  // Spec: MARKET-12
  it("keeps its places when an item comes in before them", () => {
    expect(changed("a b c d e f", "x a b c y d e f", 4)).toEqual({ items: "a b c d e f", gone: "", waiting: 2 });
  });
  it("keeps the place of an item that has left", () => {
    expect(changed("a b c d e f", "a c d e f", 4)).toEqual({ items: "a b c d e f", gone: "b", waiting: 0 });
  });
  it("shows the new version of an item in its place, wherever it stands now", () => {
    expect(changed("a b c d e f", "a c d e b2 f", 4)).toEqual({ items: "a b2 c d e f", gone: "", waiting: 0 });
  });
  it("changes after the reader's place", () => {
    expect(changed("a b c d e f", "a b c d x f g", 4)).toEqual({ items: "a b c d x f g", gone: "", waiting: 0 });
    expect(changed("a b c d e f", "a b c e x f", 4)).toEqual({ items: "a b c d e x f", gone: "d", waiting: 0 });
  });
  it("is the list as it is when nothing of it is left", () => {
    expect(changed("a b c", "x y", 2)).toEqual({ items: "x y", gone: "", waiting: 0 });
    expect(changed("", "x y", 0)).toEqual({ items: "x y", gone: "", waiting: 0 });
  });
});
