import { describe, expect, it } from "vitest";
import { faultsOf, originInBuild, type Page, readPage, withoutPicture } from "../scripts/pages";
import { forSearchEngines } from "../scripts/robots";

const description = "A page of which enough is said here to be found again by somebody who looks for it.";
const head =
  `<title>Games &amp; gods · The House</title><meta name="description" content="${description}"/>` +
  `<meta property="og:image" content="${originInBuild}/share/games.jpg"/>`;
const html = (body: string, more = "") => `<!DOCTYPE html><html><head>${head}${more}</head><body>${body}</body></html>`;

function page(some: Partial<Page> = {}): Page {
  const address = some.address ?? "/games";
  return {
    address,
    title: `Page at ${address} · The House`,
    description: `${address} ${description}`,
    headings: 1,
    links: [],
    ids: new Set(),
    indexed: true,
    image: undefined,
    ...some,
  };
}

describe("a rendered page", () => {
  it("is read as it is written", () => {
    expect(
      readPage(
        "games/index.html",
        html('<h1 class="x">Games</h1><a class="y" href="/nfts?a=1&amp;b=2#c">x</a><a href="https://x.example">y</a><p id="d"></p>'),
      ),
    ).toEqual({
      address: "/games",
      title: "Games & gods · The House",
      description,
      headings: 1,
      links: ["/nfts?a=1&b=2#c"],
      ids: new Set(["d"]),
      indexed: true,
      image: "/share/games.jpg",
    });
  });

  it("at the beginning of the site has the address /", () => expect(readPage("index.html", html("")).address).toBe("/"));

  it("does not name a picture that is not there", () => {
    const without = withoutPicture(
      html(
        "",
        '<meta property="og:image:width" content="1200"/><meta name="twitter:card" content="summary_large_image"/>' +
          '<meta name="twitter:image" content="x"/>',
      ),
    );
    expect(without).not.toMatch(/(og|twitter):image/);
    expect(without).toContain('<meta name="twitter:card" content="summary"/>');
  });

  it("may ask not to be listed", () => {
    expect(readPage("games/index.html", html("", '<meta name="robots" content="noindex"/>')).indexed).toBe(false);
  });
});

describe("the rules of pages", () => {
  const faults = (...pages: Page[]) => faultsOf(pages, ["/games", "/item/:id"], new Set(["/map.svg"]), "The House");

  it("are kept by pages that keep them", () => {
    const home = page({ address: "/", links: ["/games#rules", "/item/7", "/map.svg", "#top"], ids: new Set(["top"]) });
    expect(faults(home, page({ ids: new Set(["rules"]) }))).toEqual([]);
  });

  // Spec: PAGE-1, PAGE-16
  it.each<[string, Page[], string]>([
    ["no title", [page({ title: "" })], '/games: title "" has 0 characters; it must have 1 to 60'],
    ["a long title", [page({ title: `${"x".repeat(61)} · The House` })], "/games: title"],
    [
      "another page's title",
      [page({ title: "Games" }), page({ address: "/", title: "Games" })],
      '/: has the same title or description as /games: "Games"',
    ],
    [
      "another page's description",
      [page({ description }), page({ address: "/", description })],
      "/: has the same title or description as /games",
    ],
    ["a short description", [page({ description: "Games." })], "/games: description has 6 characters; it must have 70 to 160"],
    ["no first heading", [page({ headings: 0 })], "/games: has 0 first headings (h1); it must have one"],
    ["two first headings", [page({ headings: 2, indexed: false })], "/games: has 2 first headings"],
    ["a link to no page", [page({ links: ["/nowhere"] })], "/games: links to /nowhere, which is no page"],
    ["a link to no part of a page", [page({ links: ["/games#lost"] })], "/games: links to /games#lost, but that page has no #lost"],
  ])("are broken by %s", (_, pages, message) => {
    expect(faults(...pages)).toEqual([expect.stringContaining(message)]);
  });

  it("allow a page of one player to have its heading later", () => {
    expect(faults(page({ headings: 0, indexed: false }))).toEqual([]);
  });
});

describe("search engines", () => {
  const files = forSearchEngines([page(), page({ address: "/" }), page({ address: "/portal/edit", indexed: false })]);

  it("are given the pages that may be listed", () => {
    expect([...files["sitemap.xml"].matchAll(/<loc>(.*?)<\/loc>/g)].map((match) => match[1])).toEqual([
      `${originInBuild}/`,
      `${originInBuild}/games`,
    ]);
  });

  it("are led there, and kept from what is no page", () => {
    expect(files["robots.txt"]).toContain(`Sitemap: ${originInBuild}/sitemap.xml`);
    expect(files["robots.txt"]).toContain("Disallow: /api/");
  });
});
