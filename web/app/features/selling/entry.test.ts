import { describe, expect, it } from "vitest";
import { countIn, farFrom, priced } from "./entry";

const fees = { platformBps: 0, royaltyBps: 250 };

describe("a price", () => {
  it.each([
    ["", "Say a price."],
    ["  ", "Say a price."],
    ["ten", "Write a number such as 12.50."],
    ["-1", "Write a number such as 12.50."],
    ["1,50", "Write a number such as 12.50."],
    ["1e6", "Write a number such as 12.50."],
    [".", "Write a number such as 12.50."],
    ["0", "The price must be above 0."],
    ["0.000000", "The price must be above 0."],
    ["0.0000001", "USDC has six decimals at most."],
    ["0.000001", "The lowest price is 0.01 USDC."],
    ["0.009999", "The lowest price is 0.01 USDC."],
    ["1000000000.000001", "The highest price is 1,000,000,000 USDC."],
    [String(2n ** 256n - 1n), "The highest price is 1,000,000,000 USDC."],
  ])("of %j is refused: %s", (text, reason) => {
    expect(priced({ mode: "pays", text }, fees)).toBe(reason);
  });

  it("is not below the server's lowest", () => {
    expect(priced({ mode: "pays", text: "0.24" }, fees, 250_000n)).toBe("The lowest price is 0.25 USDC.");
    expect(priced({ mode: "pays", text: "0.25" }, fees, 250_000n)).toMatchObject({ price: 250_000n });
  });

  it.each([
    ["0.01", 10_000n],
    [" 12.5 ", 12_500_000n],
    [".5", 500_000n],
    ["7.", 7_000_000n],
    ["1000000000", 1_000_000_000_000_000n],
  ])("of %j is %s base units", (text, price) => {
    expect(priced({ mode: "pays", text }, fees)).toMatchObject({ price });
  });

  it("is worked out from what the seller wants to receive, and refused where that is out of range", () => {
    expect(priced({ mode: "receive", text: "9.75" }, fees)).toEqual({
      price: 9_999_999n,
      split: { platform: 0n, royalty: 249_999n, receive: 9_750_000n },
    });
    expect(priced({ mode: "receive", text: "0" }, fees)).toBe("What you receive must be above 0.");
    expect(priced({ mode: "receive", text: "1000000000" }, fees)).toBe("The highest price is 1,000,000,000 USDC.");
    expect(priced({ mode: "receive", text: "1" }, { platformBps: 9000, royaltyBps: 1000 })).toBe("The fees take all of the price.");
  });
});

describe("a quantity", () => {
  it.each([
    ["", "Write a whole number."],
    ["1.5", "Write a whole number."],
    ["-1", "Write a whole number."],
    ["0", "List at least 1."],
    ["4", "At most 3: you have 5, and 2 are listed."],
    [String(2n ** 256n), "At most 3: you have 5, and 2 are listed."],
  ])("of %j is refused: %s", (text, reason) => {
    expect(countIn(text, 3n, { owned: 5n, offered: 2n })).toBe(reason);
  });

  it("is at most what the player has and has not listed", () => {
    expect(countIn("3", 3n, { owned: 5n, offered: 2n })).toBe(3);
    expect(countIn("6", 5n, { owned: 5n, offered: 0n })).toBe("At most 5: you have no more.");
  });
});

describe("a price far from the lowest on the market", () => {
  it.each([
    [undefined, 1n, ""],
    [100n, 50n, ""],
    [100n, 49n, "This is less than half of the lowest price on the market."],
    [100n, 500n, ""],
    [100n, 501n, "This is more than five times the lowest price on the market."],
  ])("at a floor of %s, %s is warned of: %j", (floor, price, warning) => {
    expect(farFrom(floor, price)).toBe(warning);
  });
});
