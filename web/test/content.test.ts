import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import routes from "../app/routes";
import { brand } from "../brand";
import { addresses } from "../scripts/addresses";
import { compileText } from "../scripts/content";

const art = mkdtempSync(join(tmpdir(), "art-"));
writeFileSync(join(art, "ship.svg"), '<svg viewBox="0 0 640 360"/>');
afterAll(() => rmSync(art, { recursive: true }));

const file = "app/content/x.mdx";
const around = { patterns: ["/", "/games", `/${brand.slug}-universe`], art };
const page = {
  title: "A ship",
  description: "What a ship is, who sails in it, what it carries, and what is left of it when it comes home.",
  heading: "What floats",
  lead: "Two planks and a nail, and somebody who trusts them.",
};
const source = (body: string, head: object = page) =>
  `import { brand } from "#brand";\n\nexport const page = ${JSON.stringify(head)};\n\n${body}\n`;
const compile = (body: string, head?: object) => compileText(source(body, head), file, around);

describe("a text", () => {
  it("tells what it is and what its headings are", async () => {
    const text = await compile("## The *hull*\n\nWood.\n\n### Below {brand.name}\n\nTar.\n\n## The sail\n\nCloth.");
    expect(text.page).toEqual(page);
    expect(text.headings).toEqual([
      { id: "the-hull", text: "The hull", depth: 2 },
      { id: `below-${brand.slug}`, text: `Below ${brand.name}`, depth: 3 },
      { id: "the-sail", text: "The sail", depth: 2 },
    ]);
    expect(text.code).toContain('id: "the-hull"');
  });

  it("may speak of the brand in what it says of itself", async () => {
    const text = await compileText(source("Wood.").replace('"A ship"', '"The ship of " + brand.name'), file, around);
    expect(text.page.title).toBe(`The ship of ${brand.name}`);
  });

  it("shows links written as elements like those written in Markdown", async () => {
    const { code } = await compile(
      "See <a href={'/' + brand.slug + '-universe'}>the chart</a>, [games](/games?x=1#y), [out](https://example.org).",
    );
    expect(code.match(/_jsx\(_components\.a, /g)).toHaveLength(3);
  });

  it("brings its pictures with their measures, so that nothing moves when they arrive", async () => {
    const { code } = await compile('<Picture name="ship" alt="A ship">A caption</Picture>');
    expect(code).toContain('import _picture_ship from "~art/ship.svg";');
    expect(code).toMatch(/src: _picture_ship,\s+alt: "A ship",\s+width: "640",\s+height: "360"/);
  });

  it("tells the cells of a table of sentences their columns, for phones, which stack rows, and leaves figures in their table", async () => {
    const rows = (cell: string) => `| What | Why | |\n|---|---|---|\n| ${cell} | b | c |`;
    const { code } = await compile(rows("To know that it is you who comes *back*"));
    expect(code).toMatch(/role: "table",\s+className: "stacked"/);
    expect(code.match(/role: "columnheader"/g)).toHaveLength(3);
    expect(code.match(/"data-label": "Why"/g)).toHaveLength(1);
    expect(code.match(/"data-label"/g)).toHaveLength(2); // a column without a name has no label
    expect((await compile(rows("12"))).code).not.toContain("stacked");
  });

  const { lead, ...withoutLead } = page;
  // Spec: PAGE-16
  it.each([
    ["without a page", "Wood.", null, /^app\/content\/x\.mdx: page: the file must begin with/],
    ["without a field", "Wood.", withoutLead, "app/content/x.mdx: page.lead: must be a text"],
    ["with a field of another kind", "Wood.", { ...page, title: 7 }, "page.title: must be a text"],
    [
      "with an unknown field",
      "Wood.",
      { ...page, author: "Ianthe" },
      "page.author: there is no such field; it has title, description, heading, lead",
    ],
    ["with a long title", "Wood.", { ...page, title: "x".repeat(61) }, "page.title: has 61 characters; it must have 2 to 60"],
    ["with a short description", "Wood.", { ...page, description: "Short." }, "page.description: has 6 characters; it must have 70 to 160"],
    ["with a long description", "Wood.", { ...page, description: "x".repeat(161) }, "page.description: has 161 characters"],
    ["with a first heading", "# The ship", page, /^app\/content\/x\.mdx:5:1: heading: the page's first heading is page\.heading/],
    ["with a third heading before a second", "### The ship", page, "heading: ### must follow a ##"],
    ["with a fourth heading", "## a\n\n#### b", page, "heading: go on with ## or ###"],
    ["with two headings alike", "## The ship\n\n## The ship!", page, 'heading: "The ship!" is there twice'],
    ["with an unknown component", "<Carousel />", page, /^app\/content\/x\.mdx:5:1: <Carousel>: is not known here; texts may use <Facts>/],
    ["with an element for looks", "<div>x</div>", page, "<div>: is not known here"],
    ["with a link to no page", "[x](/nowhere)", page, "link: there is no page /nowhere"],
    ["with such a link behind a name", "[x][y]\n\n[y]: /nowhere", page, "link: there is no page /nowhere"],
    ["with such a link as an element", "<a href={'/' + brand.slug}>x</a>", page, `link: there is no page /${brand.slug}`],
    ["with a link that runs code", "[x](javascript:alert(1))", page, "link: there is no page javascript:alert(1)"],
    ["with a link to no heading", "[x](#keel)\n\n## The hull", page, "link: there is no heading #keel on this page"],
    ["with a picture in Markdown", "![x](y.svg)", page, "a picture is written <Picture"],
    ["with an unknown picture", '<Picture name="whale" alt="" />', page, '<Picture>: there is no picture "whale"'],
    ["with a picture that says nothing", '<Picture name="ship" />', page, "<Picture>: alt is missing"],
    ["with a fact without a name", "<Facts><Fact>x</Fact></Facts>", page, "<Fact>: name is missing"],
    ["that is no MDX", "<Note>", page, /^app\/content\/x\.mdx: Expected a closing tag for `<Note>`/],
  ])("%s is refused", async (_, body, head, message) => {
    const text = head ? source(body, head) : body;
    await expect(compileText(text, file, around)).rejects.toThrow(message);
  });
});

describe("the texts of the site", () => {
  const web = resolve(import.meta.dirname, "..");
  const files = ["app/content", "brand/content"].flatMap((folder) =>
    readdirSync(join(web, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".mdx"))
      .map((name) => join(folder, name)),
  );
  const patterns = addresses(routes);

  it.each(files)("%s has a table of contents that leads into it", async (name) => {
    const text = readFileSync(join(web, name), "utf8").replaceAll(/<Picture name="[^"]*"/g, '<Picture name="ship"');
    const { headings, code } = await compileText(text, name, { patterns, art });
    for (const { id } of headings) expect(code).toContain(`id: "${id}"`);
  });
});
