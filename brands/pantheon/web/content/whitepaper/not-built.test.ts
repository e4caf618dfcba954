import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const read = (path: string) => readFileSync(join(import.meta.dirname, path), "utf8");
const specification = "../../../../docs/specification";
/** The rules of the specification, each on one line. */
const rules = readdirSync(join(import.meta.dirname, specification))
  .map((page) => read(join(specification, page)))
  .join("\n")
  .replaceAll("\n  ", " ")
  .split("\n")
  .filter((line) => line.startsWith("- **"));

/** What chapters describe that the specification has rules of, in the rules' words. */
const described: Record<string, string[]> = {
  philosophy: ["`GET /api/packs/odds`", "`GET /api/packs/openings/{id}`"],
  "community-merge": ["`POST /api/auth/marketplace/avatar/claim`"],
  "future-games": ["`GET /api/packs/odds`", "`POST /api/webhooks/woocommerce`"],
  "gen-0-the-elder-gods": ["`POST /api/auth/vault/claim`"],
  "the-shipwright": ["ark / (txId)", "piggy-bank / burn"],
};

function isBuilt(what: string): boolean {
  const about = rules.filter((rule) => rule.includes(what));
  if (about.length === 0) throw new Error(`docs/specification has no rule of ${what}.`);
  return !about.some((rule) => rule.includes("(not built)"));
}

describe("a chapter of the whitepaper", () => {
  const chapters = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".mdx"));

  // Spec: PAGE-4
  it.each(chapters)("says what of it is not built, and only that: %s", (name) => {
    const parts = described[name.replace(".mdx", "")] ?? [];
    expect(read(name).includes("<NotBuilt>")).toBe(parts.some((what) => !isBuilt(what)));
  });
});
