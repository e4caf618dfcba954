import { beforeEach, describe, expect, it, vi } from "vitest";
import { light } from "./light";

/** What was drawn of a canvas's context; every call of it is answered by nothing but gradients. */
const drawn = vi.fn();
const context = () =>
  new Proxy({} as Record<string, unknown>, {
    get: (_, name) =>
      name === "createRadialGradient" ? () => ({ addColorStop: () => {} }) : (...values: unknown[]) => drawn(name, ...values),
    set: () => true,
  });

let hidden = false;

beforeEach(() => {
  vi.useFakeTimers();
  drawn.mockClear();
  hidden = false;
  vi.spyOn(document, "hidden", "get").mockImplementation(() => hidden);
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockImplementation(() => context() as never);
  return () => vi.useRealTimers();
});

function canvas(width = 800, height = 600) {
  const element = document.createElement("canvas");
  Object.defineProperties(element, { clientWidth: { value: width }, clientHeight: { value: height } });
  return element;
}

/** How many frames were drawn in a time, in milliseconds. */
function frames(ms: number) {
  drawn.mockClear();
  vi.advanceTimersByTime(ms);
  return drawn.mock.calls.filter(([name]) => name === "setTransform").length / 2;
}

describe("the light", () => {
  it("draws nothing until there is something to draw, and stops afterwards", () => {
    const own = light(canvas(), []);
    expect(frames(500)).toBe(0);
    own?.burst(0, 0, "--color-rarity-rare", 10, 200);
    expect(frames(500)).toBeGreaterThan(20);
    expect(frames(5000)).toBeLessThan(200);
    expect(frames(500)).toBe(0);
  });

  it("rests while the page is hidden", () => {
    const own = light(canvas(), []);
    own?.charge(1);
    expect(frames(200)).toBeGreaterThan(5);
    hidden = true;
    document.dispatchEvent(new Event("visibilitychange"));
    expect(frames(500)).toBe(0);
    hidden = false;
    document.dispatchEvent(new Event("visibilitychange"));
    expect(frames(200)).toBeGreaterThan(5);
    own?.stop();
    expect(frames(500)).toBe(0);
  });

  it("uses at most 1.5 pixels to a CSS pixel, and half a million", () => {
    vi.stubGlobal("devicePixelRatio", 3);
    const small = canvas(200, 100);
    light(small, []);
    expect([small.width, small.height]).toEqual([300, 150]);
    const large = canvas(2000, 1000);
    light(large, []);
    expect(large.width * large.height).toBeLessThanOrEqual(500_000);
  });

  it("has rays only where they are asked for", () => {
    const beams = [document.createElement("canvas"), document.createElement("canvas")];
    const own = light(canvas(), beams);
    own?.rays("--color-rarity-mythic", 0.8);
    expect(beams.map(({ style }) => style.opacity)).toEqual(["0.8", "0.8"]);
    own?.rays("--color-rarity-mythic", 0);
    expect(beams.map(({ style }) => style.opacity)).toEqual(["0", "0"]);
  });

  it("is missing where there is no canvas", () => {
    vi.mocked(HTMLCanvasElement.prototype.getContext).mockImplementation(() => null);
    expect(light(canvas(), [])).toBeUndefined();
  });
});
