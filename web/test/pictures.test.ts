import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { collections } from "~/lib/registry";

const art = resolve(import.meta.dirname, "../brand/art");
const folders = ["../brand/pages"].map((folder) => resolve(import.meta.dirname, folder));

it("gives no two pages the same scene at their head (docs/art-direction.md, Pictures)", () => {
  const shownBy = new Map<string, string[]>();
  const files = folders.flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)));
  for (const file of files) {
    if (!file.endsWith(".tsx")) continue;
    for (const [, scene] of readFileSync(file, "utf8").matchAll(/"~art\/(scene-[\w-]+|gaze-[\w-]+)\.svg"/g)) {
      if (scene) shownBy.set(scene, [...(shownBy.get(scene) ?? []), file]);
    }
  }
  const own = resolve(import.meta.dirname, "../brand/pictures.ts");
  for (const [, scene] of readFileSync(own, "utf8").matchAll(/"\.\/art\/(scene-[\w-]+|gaze-[\w-]+)\.svg"/g)) {
    if (scene) shownBy.set(scene, [...(shownBy.get(scene) ?? []), own]);
  }
  expect(shownBy.size).toBeGreaterThan(30);
  const shared = [...shownBy].filter(([, files]) => files.length > 1);
  expect(shared).toEqual([]);
});

it("has pictures that load fast and do nothing but show", () => {
  const files = readdirSync(art).filter((file) => file.endsWith(".svg"));
  expect(files.length).toBeGreaterThan(100);
  for (const file of files) {
    const svg = readFileSync(join(art, file), "utf8");
    expect(gzipSync(svg).length, file).toBeLessThan(12 * 1024);
    expect(svg.match(/<(script|foreignObject|image|style)\b|\son\w+=|href="(?!#)|url\((?!#)/i), file).toBeNull();
  }
});

it("has a picture for each collection, which shared links show", () => {
  const listed: { slug: string; name: string; picture: string }[] = JSON.parse(readFileSync(join(art, "collections.json"), "utf8"));
  expect(listed.map(({ slug, name }) => [slug, name])).toEqual(collections.map(({ slug, title }) => [slug, title]));
  for (const { picture } of listed) expect(readdirSync(art)).toContain(picture);
});
