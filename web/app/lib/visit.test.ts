import { afterEach, beforeEach, expect, it, vi } from "vitest";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const minute = 60_000;

/** The visit of a page that is loaded now. */
async function ofNewPage(): Promise<string> {
  vi.resetModules();
  return (await import("./visit")).visit();
}

it("a visit has an id without https too, another one each", async () => {
  // The part of it that browsers have without https.
  vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
  const ids = new Set<string>();
  for (let i = 0; i < 20; i++) {
    localStorage.clear();
    ids.add(await ofNewPage());
  }
  expect(ids.size).toBe(20);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

// Spec: SESSION-12, MON-5
it("a visit is the same on all pages, until 15 minutes have passed without a call", async () => {
  const first = await ofNewPage();
  for (let i = 0; i < 3; i++) {
    vi.setSystemTime(Date.now() + 14 * minute);
    expect(await ofNewPage()).toBe(first);
  }
  vi.setSystemTime(Date.now() + 15 * minute);
  expect(await ofNewPage()).not.toBe(first);
});

it("a visit lasts four hours at most", async () => {
  const first = await ofNewPage();
  const begun = Date.now();
  for (let at = 10; at < 240; at += 10) {
    vi.setSystemTime(begun + at * minute);
    expect(await ofNewPage()).toBe(first);
  }
  vi.setSystemTime(begun + 240 * minute);
  expect(await ofNewPage()).not.toBe(first);
});

it.each(["", "nonsense", "isExpired=1", "id=x", "id=x&created=1&expire=2"])("a stored %j is no visit", async (stored) => {
  localStorage.setItem("_dd_s_v2", stored);
  expect(await ofNewPage()).toMatch(/^[0-9a-f-]{36}$/);
  expect(localStorage.getItem("_dd_s_v2")).toMatch(/^id=[0-9a-f-]{36}&created=\d+&expire=\d+$/); // the form of the SDK
});
