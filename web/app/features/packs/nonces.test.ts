import { describe, expect, it } from "vitest";
import { keys } from "~/lib/storage";
import { choseNonce, keepNonce, newNonce, nonceOf } from "./nonces";

const nonce = (n: number) => `0x${n.toString(16).padStart(64, "0")}`;

describe("a number for the draws of packs", () => {
  it("has 32 random bytes", () => {
    const some = Array.from({ length: 50 }, newNonce);
    for (const one of some) expect(one).toMatch(/^0x[0-9a-f]{64}$/);
    expect(new Set(some).size).toBe(50);
    // Each of the 32 bytes takes different values.
    for (let at = 2; at < 66; at += 2) expect(new Set(some.map((one) => one.slice(at, at + 2))).size).toBeGreaterThan(20);
  });

  it("is found by its hand-off and by itself", () => {
    keepNonce("h1", nonce(1));
    keepNonce("h2", nonce(2));
    expect([nonceOf("h1"), nonceOf("h2"), nonceOf("h3")]).toEqual([nonce(1), nonce(2), undefined]);
    expect([nonce(1), nonce(2), nonce(3)].map(choseNonce)).toEqual([true, true, false]);
  });

  it("is replaced by a newer one of the same hand-off", () => {
    keepNonce("h1", nonce(1));
    keepNonce("h1", nonce(2));
    expect(nonceOf("h1")).toBe(nonce(2));
    expect(choseNonce(nonce(1))).toBe(false);
  });

  it("goes once twenty newer ones are kept", () => {
    for (let n = 0; n <= 20; n++) keepNonce(`h${n}`, nonce(n));
    expect(nonceOf("h0")).toBeUndefined();
    expect(nonceOf("h1")).toBe(nonce(1));
    expect(JSON.parse(localStorage.getItem(keys.nonces) ?? "")).toHaveLength(20);
  });

  it.each([
    "",
    "{",
    "7",
    "null",
    '{"handOff":"h1"}',
    '["h1",null,7]',
    '[{"handOff":"h1","nonce":"0x7"}]',
    '[{"handOff":7,"nonce":"0x00"}]',
    `[{"handOff":"h1","nonce":"${nonce(255).toUpperCase()}"}]`,
  ])("is not read from what something else has stored: %s", (text) => {
    localStorage.setItem(keys.nonces, text);
    expect(nonceOf("h1")).toBeUndefined();
    expect(choseNonce(nonce(1))).toBe(false);
    keepNonce("h1", nonce(1));
    expect(nonceOf("h1")).toBe(nonce(1));
  });
});
