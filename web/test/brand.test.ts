import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { brand, slug } from "../brand";
import { featured } from "../brand/featured";
import { checkBrand, faultsOfFeatured, faultsOfIndex, faultsOfTheme } from "../scripts/brand";

const theme = readFileSync(join(import.meta.dirname, "../brand/theme.css"), "utf8");

// biome-ignore lint/suspicious/noExplicitAny: what is tried here is what the types forbid.
type Parts = { slug: any; brand: any; featured: any; theme: string };

/** What is wrong with a copy of the brand that is there, with something changed. */
function faults(change: (parts: Parts) => void): string[] {
  const parts: Parts = structuredClone({ slug, brand, featured, theme });
  change(parts);
  return [...faultsOfIndex(parts.slug, parts.brand), ...faultsOfFeatured(parts.featured), ...faultsOfTheme(parts.theme)];
}

describe("a brand", () => {
  it("that is whole is taken", () => expect(checkBrand()).resolves.toBeUndefined());

  it("may lead to pages elsewhere, and have colours in other notations", () => {
    const change = (b: Parts) => {
      b.featured.games[0].to = "https://game.example.org";
      b.theme = b.theme.replace(/--color-ember: [^;]+;/, "--color-ember: #3dc;").replace(/--color-good: [^;]+;/, "--color-good: hsl(160deg 50% 60%);");
    };
    expect(faults(change)).toEqual([]);
  });

  it.each<[string, (b: Parts) => void, string]>([
    ["without a slug", (b) => (b.slug = b.brand.slug = undefined), "index.ts: slug: undefined must be small letters and digits"],
    ["with a slug of two words", (b) => (b.slug = b.brand.slug = "My Bay"), 'index.ts: slug: "My Bay" must be small letters and digits'],
    ["with a slug that is a path", (b) => (b.slug = b.brand.slug = "../bay"), 'index.ts: slug: "../bay" must be'],
    ["with a slug that ends in a hyphen", (b) => (b.slug = b.brand.slug = "bay-"), 'index.ts: slug: "bay-" must be'],
    ["with two slugs", (b) => (b.brand.slug = "cove"), "index.ts: brand.slug: must be the exported slug"],
    ["without a name", (b) => (b.brand.name = " "), "index.ts: brand.name: must be a text"],
    ["with a name in two lines", (b) => (b.brand.name = "Corsair\nBay"), "index.ts: brand.name: must be one line"],
    ["with a long name", (b) => (b.brand.name = "x".repeat(31)), "index.ts: brand.name: has 31 characters; it must have 1 to 30"],
    ["with a short description", (b) => (b.brand.description = "A bay."), "index.ts: brand.description: has 6 characters; it must have 70 to 160"],
    ["with a colour by name", (b) => (b.brand.themeColour = "navy"), 'index.ts: brand.themeColour: "navy" must be a colour such as #0a1112'],
    ["without a network", (b) => delete b.brand.social.nft, "index.ts: brand.social.nft.label: must be a text"],
    ["with a seventh network", (b) => (b.brand.social.video = b.brand.social.nft), "index.ts: brand.social.video: is not one of the six networks"],
    ["with an unnamed network", (b) => (b.brand.social.chat.label = ""), "index.ts: brand.social.chat.label: must be a text"],
    ["with a link by http", (b) => (b.brand.social.chat.href = "http://chat.example.org"), "index.ts: brand.social.chat.href: "],
    ["with a link to no host", (b) => (b.brand.social.chat.href = "https://chat"), "index.ts: brand.social.chat.href: "],
    ["with a link to a dot", (b) => (b.brand.social.chat.href = "https://."), "index.ts: brand.social.chat.href: "],
    ["with a link that runs code", (b) => (b.brand.social.posts.href = "javascript:alert(1)"), "index.ts: brand.social.posts.href: "],
    ["with a link that carries a password", (b) => (b.brand.piggyBanksArticle.href = "https://a:b@example.org"), "index.ts: brand.piggyBanksArticle.href: "],
    ["without an imprint", (b) => delete b.brand.legal, "index.ts: brand.legal.operator: must be a text"],
    ["without the countries", (b) => delete b.brand.legal.blockedCountries, "index.ts: brand.legal.blockedCountries: must be a text"],
    ["with half an address for mail", (b) => (b.brand.legal.email = "harbour@"), 'index.ts: brand.legal.email: "harbour@" must be an address for mail'],
    ["with an age in words", (b) => (b.brand.legal.minimumAge = "eighteen"), "index.ts: brand.legal.minimumAge: must be a number of years"],
    ["that is nothing", (b) => (b.brand = undefined), "index.ts: brand.name: must be a text"],
    ["without featured games", (b) => (b.featured = {}), "featured.ts: games: must be three cards"],
    ["with a fourth collection", (b) => b.featured.collections.push(b.featured.collections[0]), "featured.ts: collections: must be three cards"],
    ["with an unnamed game", (b) => (b.featured.games[1].title = ""), "featured.ts: games[1].title: must be a text"],
    ["with a card without a picture", (b) => delete b.featured.games[2].picture, "featured.ts: games[2].picture: must be a picture that is imported"],
    ["with a card that leads to another host", (b) => (b.featured.games[0].to = "//evil.example"), "featured.ts: games[0].to: "],
    [
      "with a colour that is none",
      (b) => (b.theme = b.theme.replace(/--color-ember: [^;]+;/, "--color-ember: hot;")),
      'theme.css: --color-ember: "hot" must be',
    ],
    ["without a colour", (b) => (b.theme = b.theme.replace(/--color-bad: [^;]+;/, "")), "theme.css: --color-bad: is missing"],
    ["without a typeface", (b) => (b.theme = b.theme.replace(/--font-text: [^;]+;/, "")), "theme.css: --font-text: is missing"],
  ])("%s is refused", (_, change, message) => {
    expect(faults(change)[0]).toContain(`web/brand/${message}`);
  });
});
