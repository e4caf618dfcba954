import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { brand, slug } from "../brand";
import { featured } from "../brand/featured";
import { legal } from "../brand/legal";
import { checkBrand, faultsOfFeatured, faultsOfIndex, faultsOfLegal, faultsOfTheme } from "../scripts/brand";

const theme = readFileSync(join(import.meta.dirname, "../brand/theme.css"), "utf8");

/** The errors of a copy of the brand with some paths, such as `brand.social.chat.label`, changed. */
function faults(changes: Record<string, unknown>): string[] {
  const parts = structuredClone({ slug, brand, legal, featured, theme });
  for (const [path, value] of Object.entries(changes)) {
    const names = path.split(".");
    const last = names.pop() ?? "";
    Reflect.set(
      names.reduce<object>((at, name) => Reflect.get(at, name), parts),
      last,
      value,
    );
  }
  return [
    ...faultsOfIndex(parts.slug, parts.brand),
    ...faultsOfLegal(parts.legal),
    ...faultsOfFeatured(parts.featured),
    ...faultsOfTheme(parts.theme),
  ];
}

describe("a brand", () => {
  it("that is whole is taken", () => expect(checkBrand()).resolves.toBeUndefined());

  it("may lead to pages elsewhere, and have colours in other notations", () => {
    const colours = theme
      .replace(/--color-ember: [^;]+;/, "--color-ember: #3dc;")
      .replace(/--color-good: [^;]+;/, "--color-good: hsl(160deg 50% 60%);");
    expect(faults({ "featured.games.0.to": "https://game.example.org", theme: colours })).toEqual([]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["without a slug", { slug: undefined, "brand.slug": undefined }, "index.ts: slug: undefined must be small letters and digits"],
    ["with a slug of two words", { slug: "My Bay", "brand.slug": "My Bay" }, 'index.ts: slug: "My Bay" must be small letters and digits'],
    ["with a slug that is a path", { slug: "../bay", "brand.slug": "../bay" }, 'index.ts: slug: "../bay" must be'],
    ["with a slug that ends in a hyphen", { slug: "bay-", "brand.slug": "bay-" }, 'index.ts: slug: "bay-" must be'],
    ["with two slugs", { "brand.slug": "cove" }, "index.ts: brand.slug: must be the exported slug"],
    ["without a name", { "brand.name": " " }, "index.ts: brand.name: must be a text"],
    ["with a name in two lines", { "brand.name": "Corsair\nBay" }, "index.ts: brand.name: must be one line"],
    ["with a long name", { "brand.name": "x".repeat(31) }, "index.ts: brand.name: has 31 characters; it must have 1 to 30"],
    [
      "with a short description",
      { "brand.description": "A bay." },
      "index.ts: brand.description: has 6 characters; it must have 70 to 160",
    ],
    ["with a colour by name", { "brand.themeColour": "navy" }, 'index.ts: brand.themeColour: "navy" must be a colour such as #0a1112'],
    ["without a network", { "brand.social.nft": undefined }, "index.ts: brand.social.nft.label: must be a text"],
    ["with a seventh network", { "brand.social.video": brand.social.nft }, "index.ts: brand.social.video: is not one of the six networks"],
    ["with an unnamed network", { "brand.social.chat.label": "" }, "index.ts: brand.social.chat.label: must be a text"],
    ["with a link by http", { "brand.social.chat.href": "http://chat.example.org" }, "index.ts: brand.social.chat.href: "],
    ["with a link to no host", { "brand.social.chat.href": "https://chat" }, "index.ts: brand.social.chat.href: "],
    ["with a link to a dot", { "brand.social.chat.href": "https://." }, "index.ts: brand.social.chat.href: "],
    ["with a link that runs code", { "brand.social.posts.href": "javascript:alert(1)" }, "index.ts: brand.social.posts.href: "],
    ["with a link that carries a password", { "brand.social.nft.href": "https://a:b@example.org" }, "index.ts: brand.social.nft.href: "],
    ["without an imprint", { legal: undefined }, "legal.ts: legal.operator: must be a text"],
    ["without the countries", { "legal.blockedCountries": undefined }, "legal.ts: legal.blockedCountries: must be a text"],
    ["with half an address for mail", { "legal.email": "harbour@" }, 'legal.ts: legal.email: "harbour@" must be an address for mail'],
    ["with an age in words", { "legal.minimumAge": "eighteen" }, "legal.ts: legal.minimumAge: must be a number of years"],
    ["that is nothing", { brand: undefined }, "index.ts: brand.name: must be a text"],
    ["without featured games", { "featured.games": undefined }, "featured.ts: games: must be at most three cards"],
    [
      "with a fourth collection",
      { "featured.collections.3": featured.collections[0] },
      "featured.ts: collections: must be at most three cards",
    ],
    ["with an unnamed game", { "featured.games.1.title": "" }, "featured.ts: games[1].title: must be a text"],
    [
      "with a card without a picture",
      { "featured.games.2.picture": undefined },
      "featured.ts: games[2].picture: must be a picture that is imported",
    ],
    ["with a card that leads to another host", { "featured.games.0.to": "//evil.example" }, "featured.ts: games[0].to: "],
    [
      "with two cards that lead to one page",
      { "featured.games.2.to": featured.games[0]?.to },
      "featured.ts: games[2].to: leads where another card leads",
    ],
    [
      "with a colour that is none",
      { theme: theme.replace(/--color-ember: [^;]+;/, "--color-ember: hot;") },
      'theme.css: --color-ember: "hot" must be',
    ],
    ["without a colour", { theme: theme.replace(/--color-bad: [^;]+;/, "") }, "theme.css: --color-bad: is missing"],
    ["without a typeface", { theme: theme.replace(/--font-text: [^;]+;/, "") }, "theme.css: --font-text: is missing"],
  ])("%s is refused", (_, change, message) => {
    expect(faults(change)[0]).toContain(`brands/pantheon/web/${message}`);
  });
});
