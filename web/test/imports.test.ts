import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

/**
 * Imports go one way: lib → components → features → routes → the brand's pages, and a feature imports only features below it. Types may
 * be imported from anywhere. There are no import cycles, not even for a type. Of the brand, the site knows what every brand has.
 */
const layers = ["lib", "content", "components", "features", "routes"];
const features = [
  "config",
  "session",
  "approval",
  "passkey",
  "account",
  "leaderboard",
  "contact",
  "pebbles",
  "flags",
  "moving",
  "news",
  "monitoring",
  "status",
  "api-doc",
  "realtime",
  "wallet",
  "profile",
  "reward",
  "burning",
  "claim",
  "cart",
  "market",
  "saved",
  "notification",
  "checkout",
  "holdings",
  "withdrawal",
  "selling",
  "packs",
  "webstore",
  "activity",
  "games",
];

const app = resolve(import.meta.dirname, "../app");
const importPattern = /^(?:import|export)\s+(type\b)?(?:[^;"']*?\sfrom\s+)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/gm;

interface Import {
  file: string;
  target: string;
  onlyTypes: boolean;
}

const files = readdirSync(app, { recursive: true, encoding: "utf8" }).filter(
  (f) => /\.(tsx?|mdx)$/.test(f) && !/\.(test|gen)\.tsx?$/.test(f),
);

function imports(): Import[] {
  return files.flatMap((file) =>
    [...readFileSync(join(app, file), "utf8").matchAll(importPattern)].flatMap((match): Import[] => {
      const source = match[2] ?? match[3] ?? "";
      const onlyTypes = match[1] !== undefined;
      if (source.startsWith("~/")) return [{ file, target: source.slice(2), onlyTypes }];
      if (source.startsWith(".") && !source.includes("+types"))
        return [{ file, target: relative(app, join(app, dirname(file), source)), onlyTypes }];
      return [];
    }),
  );
}

const layerOf = (path: string) => layers.indexOf(path.split("/")[0] ?? "");
const featureOf = (path: string) => (path.startsWith("features/") ? features.indexOf(path.split("/")[1] ?? "") : -1);
const say = ({ file, target }: Import) => `${file} imports ${target}`;

/** The file that an import refers to; undefined for one that is not checked, such as an image. */
const fileOf = (target: string) =>
  ["", ".ts", ".tsx", "/index.ts", "/index.tsx"].map((end) => target + end).find((file) => files.includes(file));

/** The cycles that a depth-first search finds, at least one if there are any. */
function circles(of: Import[]): string[] {
  const found: string[] = [];
  const path: string[] = [];
  const seen = new Set<string>();
  function visit(file: string): void {
    if (path.includes(file)) found.push([...path.slice(path.indexOf(file)), file].join(" → "));
    if (seen.has(file)) return;
    seen.add(file);
    path.push(file);
    for (const { target } of of.filter((i) => i.file === file)) visit(fileOf(target) ?? target);
    path.pop();
  }
  for (const file of files) visit(file);
  return found;
}

/** What every brand has for the site to import. */
const ofEveryBrand = [
  "#brand",
  "#brand/featured",
  "#brand/games",
  "#brand/legal",
  "#brand/mark",
  "#brand/marks",
  "#brand/navigation",
  "#brand/packs",
  "#brand/pictures",
  "#brand/registry.json",
  "#brand/roles",
];

describe("imports", () => {
  const everything = imports();
  const all = everything.filter(({ file, onlyTypes }) => file.includes("/") && !file.endsWith(".mdx") && !onlyTypes);

  it("are found", () => expect(all.length).toBeGreaterThan(100));

  it("never run from a lower layer to a higher one", () => {
    expect(all.filter(({ file, target }) => layerOf(target) > layerOf(file)).map(say)).toEqual([]);
  });

  it("never run from a feature to one that builds on it", () => {
    const wrong = all.filter(({ file, target }) => featureOf(file) >= 0 && featureOf(target) > featureOf(file));
    expect(wrong.map(say)).toEqual([]);
  });

  it("never run in a circle", () => expect(circles(everything)).toEqual([]));

  it("know every feature's place", () => {
    const found = readdirSync(join(app, "features"));
    expect(found.filter((name) => !features.includes(name))).toEqual([]);
  });

  it("know no brand's own pages and texts", () => {
    const wrong = files.flatMap((file) =>
      [...readFileSync(join(app, file), "utf8").matchAll(importPattern)]
        .map((match) => match[2] ?? match[3] ?? "")
        .filter((source) => source.startsWith("#brand") && !ofEveryBrand.includes(source))
        .map((source) => `${file} imports ${source}`),
    );
    expect(wrong).toEqual([]);
  });

  it("of the console know only what is shared", () => {
    const console = resolve(app, "../operate");
    const wrong = readdirSync(console, { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file))
      .flatMap((file) =>
        [...readFileSync(join(console, file), "utf8").matchAll(importPattern)]
          .map((match) => match[2] ?? match[3] ?? "")
          .filter((source) => /^~\/(?!lib\/|components\/ui\/)|\/app\//.test(source))
          .map((source) => `operate/${file} imports ${source}`),
      );
    expect(wrong).toEqual([]);
  });

  it("keep ui parts free of everything but lib", () => {
    expect(all.filter(({ file, target }) => file.startsWith("components/ui/") && !/^(lib|components\/ui)\//.test(target)).map(say)).toEqual(
      [],
    );
  });
});
