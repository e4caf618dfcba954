import { afterEach, describe, expect, it, vi } from "vitest";
import { brand } from "#brand";

/** The tags of a page as built: by property or name. */
async function built(...page: Parameters<typeof import("./page-meta").pageMeta>): Promise<Record<string, string>> {
  vi.stubEnv("SSR", true);
  vi.resetModules();
  const { pageMeta } = await import("./page-meta");
  const tags = pageMeta(...page) as Record<string, string>[];
  return Object.fromEntries(tags.filter((tag) => tag.content).map((tag) => [tag.property ?? tag.name, tag.content]));
}

describe("a page that is shared", () => {
  afterEach(() => vi.unstubAllEnvs());

  it("is shown on X as it is shown everywhere else", async () => {
    const tags = await built("Games", "Three games over one treasury.");
    expect(tags["og:title"]).toBe(`Games · ${brand.name}`);
    expect(tags["og:description"]).toBe("Three games over one treasury.");
    expect(tags["og:image"]).toBe("https://site.invalid/share/games.jpg");
    expect(tags["twitter:card"]).toBe("summary_large_image");
    for (const what of ["title", "description", "image", "image:alt"]) expect(tags[`twitter:${what}`], what).toBe(tags[`og:${what}`]);
  });

  it("has the site's own picture where it is not listed", async () => {
    const tags = await built("My inventory", "What is yours.", { index: false });
    expect(tags.robots).toBe("noindex");
    expect(tags["twitter:image"]).toBe(`https://site.invalid/share/${brand.slug}.jpg`);
  });
});
