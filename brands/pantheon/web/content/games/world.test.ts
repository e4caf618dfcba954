import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gods, places, reachOf } from "./world";

const words = readFileSync(join(import.meta.dirname, "../../../../brands/pantheon/generator/words.yaml"), "utf8");

describe("the atlas", () => {
  // Spec: PAGE-19
  it("has every place that names are made of, and no other", () => {
    const known = (/^ {2}places: \[(.*)\]/m.exec(words)?.[1] ?? "").split(", ").map((name) => name.replace(/^the /, "The "));
    expect(known).toHaveLength(20);
    expect(places.map((place) => place.name).sort()).toEqual(known.sort());
  });

  it("lists the places in the order of the alphabet, and within the disc", () => {
    const key = (name: string) => name.replace(/^The /, "");
    expect(places.map((place) => place.name)).toEqual([...places].map((place) => place.name).sort((a, b) => (key(a) < key(b) ? -1 : 1)));
    for (const { x, y } of places) expect(Math.hypot(x - 500, y - 500)).toBeLessThan(450);
  });

  it("has targets on a phone that are at least 24 px wide, 44 px where there is room, and apart from each other", () => {
    const px = 374 / 1000; // of the picture on a phone 390 px wide
    for (const place of places) {
      expect(2 * reachOf(place) * px, place.name).toBeGreaterThanOrEqual(24);
      const apart = places.filter((other) => other !== place).map((other) => Math.hypot(other.x - place.x, other.y - place.y));
      for (const [i, distance] of apart.entries()) {
        const other = places.filter((one) => one !== place)[i];
        expect(reachOf(place) + (other ? reachOf(other) : 0), place.name).toBeLessThanOrEqual(distance + 1e-9);
      }
      if (Math.min(...apart) * px > 45) expect(2 * reachOf(place) * px, place.name).toBeGreaterThanOrEqual(44);
    }
  });

  it("tells a custom of each god", () => {
    for (const god of gods) expect(god.custom, god.name).not.toBe("");
  });
});
