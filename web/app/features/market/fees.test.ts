import { describe, expect, it } from "vitest";
import payouts from "../../../test/payouts.json";
import { priceFor, splitOf } from "./fees";

describe("a seller gets", () => {
  it.each(payouts)(
    "$receive of $price, with a platform fee of $platformBps and a royalty of $royaltyBps",
    ({ price, receive, ...fees }) => {
      expect(splitOf(BigInt(price), fees).receive).toBe(BigInt(receive));
    },
  );

  it("the price less both shares", () => {
    expect(splitOf(10_000_000n, { platformBps: 100, royaltyBps: 250 })).toEqual({
      platform: 100_000n,
      royalty: 250_000n,
      receive: 9_650_000n,
    });
  });
});

describe("the price for what a seller wants", () => {
  // Spec: MARKET-11
  it.each([
    [1n, { platformBps: 0, royaltyBps: 250 }, 1n],
    [39n, { platformBps: 0, royaltyBps: 250 }, 39n],
    [40n, { platformBps: 0, royaltyBps: 250 }, 41n],
    [9_750_000n, { platformBps: 0, royaltyBps: 250 }, 9_999_999n],
    [9_500_000n, { platformBps: 250, royaltyBps: 250 }, 9_999_998n],
    [1_000_000n, { platformBps: 0, royaltyBps: 0 }, 1_000_000n],
    [1n, { platformBps: 5000, royaltyBps: 4999 }, 1n],
  ] as const)("of %s is the lowest", (receive, fees, price) => {
    expect(priceFor(receive, fees)).toBe(price);
  });

  it("is the lowest for every want, though what is got falls where both fees grow", () => {
    for (const fees of [
      { platformBps: 250, royaltyBps: 250 },
      { platformBps: 101, royaltyBps: 250 },
      { platformBps: 3333, royaltyBps: 1000 },
    ]) {
      for (let want = 1n; want < 500n; want++) {
        let lowest = 1n;
        while (splitOf(lowest, fees).receive < want) lowest++;
        expect(priceFor(want, fees)).toBe(lowest);
      }
    }
    expect(splitOf(40n, { platformBps: 250, royaltyBps: 250 }).receive).toBeLessThan(
      splitOf(39n, { platformBps: 250, royaltyBps: 250 }).receive,
    );
  });

  it("does not exist where the fees take everything", () => {
    expect(priceFor(1n, { platformBps: 9000, royaltyBps: 1000 })).toBeUndefined();
  });
});
