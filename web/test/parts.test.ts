import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";

const app = resolve(import.meta.dirname, "../app");

describe("the page of parts", () => {
  const page = readFileSync(resolve(app, "routes/dev/ui.tsx"), "utf8");
  const parts = readdirSync(resolve(app, "components/ui"))
    .filter((file) => file.endsWith(".tsx") && !file.endsWith(".test.tsx"))
    .map((file) => file.replace(".tsx", ""));

  it.each(parts)("shows %s", (part) => {
    expect(page).toContain(`from "~/components/ui/${part}"`);
  });
});
