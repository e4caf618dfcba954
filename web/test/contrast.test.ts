// WCAG 2.2 contrast, computed from the brand's tokens: body text is AAA, all other text AA, on every surface.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const css = readFileSync(join(import.meta.dirname, "../brand/theme.css"), "utf8");
const tokens = new Map([...css.matchAll(/--color-([a-z0-9-]+):\s*([^;]+);/g)].map(([, name = "", value = ""]) => [name, value]));

/** Linear sRGB of an opaque colour: `#rrggbb`, or `oklch(L C H)` by Björn Ottosson's matrices (CSS Color 4, section 20). */
function linear(name: string): number[] {
  const value = tokens.get(name) ?? "";
  const hex = /^#(..)(..)(..)$/.exec(value);
  if (hex) {
    return hex.slice(1).map((pair) => {
      const v = Number.parseInt(pair, 16) / 255;
      return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    });
  }
  const oklch = /^oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)$/.exec(value);
  if (!oklch) throw new Error(`--color-${name} is no opaque colour this test can read: "${value}"`);
  const [lightness = 0, chroma = 0, hue = 0] = oklch.slice(1).map(Number);
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((v) => Math.min(1, Math.max(0, v)));
}

const luminance = (name: string) => {
  const [r = 0, g = 0, b = 0] = linear(name);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

/** From 1 to 21. */
function contrast(text: string, ground: string): number {
  const [light = 0, dark = 0] = [luminance(text), luminance(ground)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

const grounds = ["night", "night-1", "night-2", "night-3"];
const texts = [
  "bone-muted",
  "bronze",
  "ember",
  "ember-bright",
  "good",
  "bad",
  ...[...tokens.keys()].filter((name) => name.startsWith("rarity-")),
];
const pairs = (names: string[]) => names.flatMap((text) => grounds.map((ground) => [text, ground] as const));

describe("contrast", () => {
  it.each(pairs(["bone"]))("of body text is at least 7 : 1: %s on %s", (text, ground) => {
    expect(contrast(text, ground)).toBeGreaterThanOrEqual(7);
  });

  // Paragraphs in the muted colour are used on the background and on the first surface.
  it.each([
    ["bone-muted", "night"],
    ["bone-muted", "night-1"],
  ])("of quiet paragraphs is at least 7 : 1: %s on %s", (text, ground) => {
    expect(contrast(text, ground)).toBeGreaterThanOrEqual(7);
  });

  it.each(pairs(texts))("of other text is at least 4.5 : 1: %s on %s", (text, ground) => {
    expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(["ember", "ember-bright", "bronze"])("of a label on %s is at least 4.5 : 1", (ground) => {
    expect(contrast("ember-ink", ground)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(grounds)("of the ring around what has the focus is at least 3 : 1 on %s", (ground) => {
    expect(contrast("ember-bright", ground)).toBeGreaterThanOrEqual(3);
  });

  it("is known of white on black", () => {
    tokens.set("white", "#ffffff").set("deep", "oklch(0 0 0)");
    expect(contrast("white", "deep")).toBeCloseTo(21);
  });
});
