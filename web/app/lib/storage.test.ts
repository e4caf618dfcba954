import { afterEach, describe, expect, it, vi } from "vitest";
import { keys } from "./storage";
import { tabKeys } from "./tab-keys";

// Renaming a key loses what browsers have stored: everybody is signed out.
// Spec: SESSION-10
it("the browser keeps values under these names", () => {
  expect({ ...keys, ...tabKeys }).toEqual({
    market: "pantheon.market",
    place: "pantheon.place",
    attempt: "pantheon.attempt",
    choice: "pantheon.choice",
    burns: "pantheon.burns",
    deal: "pantheon.deal",
    code: "pantheon.code",
    token: "pantheon.token",
    sessionAuthorization: "pantheon.session",
    walletToken: "pantheon.wallet-token",
    walletAddress: "pantheon.wallet-address",
    embeddedEnabled: "pantheon.embedded-enabled",
    flags: "pantheon.flags",
    viewed: "pantheon.viewed",
    nonces: "pantheon.nonces",
    marketing: "pantheon.marketing",
    marketplaceTheme: "kod-theme-enabled",
    frozen: "pantheon.frozen",
    ended: "pantheon.ended",
    order: "pantheon.order",
    visit: "_dd_s_v2",
  });
});

const refusals: [string, () => void][] = [
  ["blocked", () => vi.stubGlobal("localStorage", undefined)],
  [
    "forbidden",
    () => {
      const get = () => {
        throw new DOMException("The operation is insecure.", "SecurityError");
      };
      vi.stubGlobal("localStorage", new Proxy({}, { get }));
    },
  ],
  [
    "full",
    () =>
      vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
        throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
      }),
  ],
];

describe("a value", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  /** The module as on a new page. */
  async function page() {
    vi.resetModules();
    return { ...(await import("./storage")), ...(await import("./tab-storage")) };
  }

  it("is found by the next page", async () => {
    const { outlivesTab, write } = await page();
    write(keys.token, "mine");
    expect(outlivesTab(keys.token)).toBe(true);
    expect((await page()).read(keys.token)).toBe("mine");
  });

  // Spec: SESSION-20
  it.each(refusals)("is kept for the tab where storage is %s, and can be changed and removed there", async (_, refuse) => {
    refuse();
    const { outlivesTab, read, write } = await page();
    for (const value of ["mine", "another", null]) {
      write(keys.token, value);
      expect(read(keys.token)).toBe(value);
    }
    write(keys.token, "mine");
    expect(outlivesTab(keys.token)).toBe(false);
    expect((await page()).read(keys.token)).toBeNull();
  });

  it("is not found as it was before by the next page when storage was full for a new one", async () => {
    localStorage.setItem(keys.token, "another player's");
    refusals[2]?.[1]();
    const { read, write } = await page();
    write(keys.token, "mine");
    expect(read(keys.token)).toBe("mine");
    expect((await page()).read(keys.token)).toBeNull();
  });

  it("is stored again once storage takes it", async () => {
    refusals[2]?.[1]();
    const { outlivesTab, write } = await page();
    write(keys.token, "mine");
    vi.restoreAllMocks();
    write(keys.token, "mine");
    expect(outlivesTab(keys.token)).toBe(true);
    expect(localStorage.getItem(keys.token)).toBe("mine");
  });

  it("is gone when storage was cleared in the middle", async () => {
    const { read, write } = await page();
    write(keys.token, "mine");
    localStorage.clear();
    expect(read(keys.token)).toBeNull();
  });

  it.each(["sessionStorage", "localStorage"] as const)("of the tab, and all values, can be removed without %s", async (name) => {
    vi.stubGlobal(name, undefined);
    const { clearAll, keepForTab, read, readFromTab, takeFromTab, write } = await page();
    keepForTab(tabKeys.choice, "a sword");
    expect([readFromTab(tabKeys.choice), takeFromTab(tabKeys.choice), readFromTab(tabKeys.choice)]).toEqual(["a sword", "a sword", null]);
    keepForTab(tabKeys.choice, "a sword");
    write(keys.token, "mine");
    clearAll();
    expect([readFromTab(tabKeys.choice), read(keys.token)]).toEqual([null, null]);
  });
});
