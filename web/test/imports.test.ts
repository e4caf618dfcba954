import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

/**
 * Imports run one way: lib → components → features → routes, and among the features from those that others build on to
 * those that build on them. Types may be taken from anywhere.
 */
const layers = ["lib", "content", "components", "features", "routes"];
const features = [
  "config",
  "session",
  "account",
  "leaderboard",
  "contact",
  "pebbles",
  "flags",
  "monitoring",
  "api-doc",
  "realtime",
  "wallet",
  "profile",
  "cart",
  "market",
  "checkout",
  "inventory",
  "activity",
  "games",
];

const app = resolve(import.meta.dirname, "../app");
const importPattern = /^(import|export)\s+(?!type\b)(?:[^;"']*?\sfrom\s+)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/gm;

interface Import {
  file: string;
  target: string;
}

function imports(): Import[] {
  const files = readdirSync(app, { recursive: true, encoding: "utf8" }).filter((f) => /\.tsx?$/.test(f) && !/\.(test|gen)\.tsx?$/.test(f));
  return files.flatMap((file) =>
    [...readFileSync(join(app, file), "utf8").matchAll(importPattern)].flatMap((match): Import[] => {
      const source = match[2] ?? match[3] ?? "";
      if (source.startsWith("~/")) return [{ file, target: source.slice(2) }];
      if (source.startsWith(".") && !source.includes("+types")) return [{ file, target: relative(app, join(app, dirname(file), source)) }];
      return [];
    }),
  );
}

const layerOf = (path: string) => layers.indexOf(path.split("/")[0] ?? "");
const featureOf = (path: string) => (path.startsWith("features/") ? features.indexOf(path.split("/")[1] ?? "") : -1);
const say = ({ file, target }: Import) => `${file} imports ${target}`;

describe("imports", () => {
  const all = imports().filter(({ file }) => file.includes("/"));

  it("are found", () => expect(all.length).toBeGreaterThan(100));

  it("never run from a lower layer to a higher one", () => {
    expect(all.filter(({ file, target }) => layerOf(target) > layerOf(file)).map(say)).toEqual([]);
  });

  it("never run from a feature to one that builds on it", () => {
    const wrong = all.filter(({ file, target }) => featureOf(file) >= 0 && featureOf(target) > featureOf(file));
    expect(wrong.map(say)).toEqual([]);
  });

  it("know every feature's place", () => {
    const found = readdirSync(join(app, "features"));
    expect(found.filter((name) => !features.includes(name))).toEqual([]);
  });

  it("keep ui parts free of everything but lib", () => {
    expect(all.filter(({ file, target }) => file.startsWith("components/ui/") && !/^(lib|components\/ui)\//.test(target)).map(say)).toEqual([]);
  });
});
