import { afterEach, expect, it, vi } from "vitest";

afterEach(() => vi.unstubAllGlobals());

it("names the page without https too, each time anew", async () => {
  // The part of it that browsers have without https.
  vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
  const named = new Set<string>();
  for (let i = 0; i < 20; i++) {
    vi.resetModules();
    named.add((await import("./visit")).visit());
  }
  expect(named.size).toBe(20);
  for (const id of named) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
