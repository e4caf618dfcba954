import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const read = (path: string) => readFileSync(join(import.meta.dirname, path), "utf8");
const conformance = read("../../../../docs/conformance.md");

/** What chapters describe that the page on conformance lists, by the beginning of its row there. */
const described: Record<string, string[]> = {
  philosophy: ["`GET /api/packs/odds`", "`GET /api/packs/openings/{id}`"],
  "community-merge": ["`POST /api/auth/marketplace/avatar/claim`"],
  "future-games": ["`GET /api/packs/odds`", "`POST /api/webhooks/woocommerce`"],
  "gen-0-the-elder-gods": ["`POST /api/auth/vault/claim`"],
  "the-shipwright": ["ark: result by txId", "piggy-bank: burn"],
};

function isBuilt(what: string): boolean {
  const row = conformance.split("\n").find((line) => line.startsWith(`| ${what}`));
  if (!row) throw new Error(`docs/conformance.md has no row "${what}".`);
  return row.split("|")[2]?.trim() !== "not yet";
}

describe("a chapter of the whitepaper", () => {
  const chapters = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".mdx"));

  it.each(chapters)("says what of it is not built, and only that: %s", (name) => {
    const parts = described[name.replace(".mdx", "")] ?? [];
    expect(read(name).includes("<NotBuilt>")).toBe(parts.some((what) => !isBuilt(what)));
  });
});
