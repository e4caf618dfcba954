import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gods, places } from "./world";

const catalogue = readFileSync(join(import.meta.dirname, "../../../../internal/art/catalogue.yaml"), "utf8");

describe("the atlas", () => {
  it("has every place that names are made of, and no other", () => {
    const known = (/^ {2}places: \[(.*)\]/m.exec(catalogue)?.[1] ?? "").split(", ").map((name) => name.replace(/^the /, "The "));
    expect(known).toHaveLength(20);
    expect(places.map((place) => place.name).sort()).toEqual(known.sort());
  });

  it("lists the places in the order of the alphabet, and within the disc", () => {
    const key = (name: string) => name.replace(/^The /, "");
    expect(places.map((place) => place.name)).toEqual([...places].map((place) => place.name).sort((a, b) => (key(a) < key(b) ? -1 : 1)));
    for (const { x, y } of places) expect(Math.hypot(x - 500, y - 500)).toBeLessThan(450);
  });

  it("tells a custom of each god", () => {
    for (const god of gods) expect(god.custom, god.name).not.toBe("");
  });
});
