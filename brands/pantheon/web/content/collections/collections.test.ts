import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gods } from "./gods";
import { sitters } from "./team";
import { arks, powerPacks } from "./vessels";

const brand = join(import.meta.dirname, "../../../../brands/pantheon");
/** What listed tokens are called. */
const catalogue = readFileSync(join(brand, "catalogue.yaml"), "utf8");
/** What generated tokens are named and made of: every god and every list of words is on a line of its own. */
const generator = readFileSync(join(brand, "generator/words.yaml"), "utf8");

const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match.slice(1));
const words = (list: string) => (new RegExp(`^ {2}${list}: \\[(.*)\\]`, "m").exec(generator)?.[1] ?? "").split(", ");

describe("the pages of the collections", () => {
  // Spec: PAGE-19
  it("call the gods what their tokens call them", () => {
    const tokens = matches(generator, /\{slug: (\w+), name: (\w+), title: ([^,]+), domain: (\w+), material: (\w+), text: "([^"]+)"\}/g);
    expect(gods.map((god) => [god.slug, god.name, god.title, god.domain, god.metal, god.text])).toEqual(tokens);
  });

  it("call arks and power packs what their tokens call them", () => {
    const tokens = (kind: string) =>
      matches(catalogue, new RegExp(`- id: "(\\d+)"\n +name: (.+)\n +kind: ${kind}\n +rarity: (\\w+)\n +text: "([^"]+)"`, "g"));
    expect(arks.map((ark) => [ark.tokenId, ark.name, ark.rarity, ark.text])).toEqual(tokens("ark"));
    expect(powerPacks.map((pack) => [pack.tokenId, `${pack.name} Power Pack`, pack.rarity, pack.text])).toEqual(tokens("power-pack"));
  });

  // Spec: PAGE-19
  it("take the names of the team from the lists that avatars are named from", () => {
    const people = [...words("people"), ...words("bearded")];
    for (const { name, byname } of sitters) {
      const [person = "", place = ""] = name.split(" of ");
      expect(people).toContain(person);
      expect(words("places")).toContain(place);
      expect(words("bynames")).toContain(byname.replace("the ", ""));
    }
  });
});
