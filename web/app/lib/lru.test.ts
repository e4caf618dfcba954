import { describe, expect, it } from "vitest";
import { LruMap } from "./lru";

describe("LruMap", () => {
  it("removes the least recently used entry when there are too many", () => {
    const map = new LruMap<string, number>(2);
    map.set("a", 1).set("b", 2);
    map.get("a");
    map.set("c", 3);
    expect([...map]).toEqual([
      ["a", 1],
      ["c", 3],
    ]);
    map.set("a", 4).set("d", 5);
    expect([...map.keys()]).toEqual(["a", "d"]);
  });

  it("does not make an entry of a key that is only looked up", () => {
    const map = new LruMap<string, number>(2);
    expect(map.get("a")).toBeUndefined();
    expect(map.size).toBe(0);
  });
});
