import { describe, expect, it } from "vitest";
import { feeParts } from "./fees";

const unit = (listingId: string, tokenId: string, price: string) => ({
  listingId,
  listing: { assetContractAddress: "0xA1", tokenId, price },
});
const fees = new Map([
  ["0xa1:1", { platformBps: 0, royaltyBps: 250 }],
  ["0xa1:2", { platformBps: 100, royaltyBps: 500 }],
]);

describe("the fees in the price", () => {
  it("are each token's own, added up", () => {
    expect(feeParts([unit("1", "1", "12.5"), unit("2", "2", "10")], fees)).toEqual({ platform: "0.1", royalty: "0.8125" });
  });

  it("are taken from the sum of a listing's units, and rounded down once", () => {
    // 2.5 % of 0.000060 is 1.5 base units; of each 0.000030 it would be 0.
    expect(feeParts([unit("1", "1", "0.00003"), unit("1", "1", "0.00003")], fees)).toEqual({ platform: "0", royalty: "0.000001" });
  });

  it("are rounded down for each listing by itself", () => {
    expect(feeParts([unit("1", "1", "0.00003"), unit("3", "1", "0.00003")], fees)).toEqual({ platform: "0", royalty: "0" });
  });

  it("are unknown while those of a token are", () => {
    expect(feeParts([unit("1", "1", "1"), unit("9", "9", "1")], fees)).toBeUndefined();
  });
});
