import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

const routes = resolve(import.meta.dirname, "../app/routes");

it("gives no two pages the same scene at their head (docs/art-direction.md, Pictures)", () => {
  const shownBy = new Map<string, string[]>();
  for (const file of readdirSync(routes, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".tsx") || file.startsWith("dev")) continue;
    for (const [, scene] of readFileSync(join(routes, file), "utf8").matchAll(/"~art\/(scene-[\w-]+|gaze-[\w-]+)\.svg"/g)) {
      if (scene) shownBy.set(scene, [...(shownBy.get(scene) ?? []), file]);
    }
  }
  expect(shownBy.size).toBeGreaterThan(30);
  const shared = [...shownBy].filter(([, files]) => files.length > 1);
  expect(shared).toEqual([]);
});
