import { describe, expect, it } from "vitest";
import { isAddress } from "./address";

describe("an address", () => {
  it.each([
    // The examples of EIP-55.
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
    "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
    "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
    "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
    "0x0000000000000000000000000000000000000000",
  ])("is %s", (value) => expect(isAddress(value)).toBe(true));

  // Spec: WALLET-2
  it.each([
    ["with a letter in the wrong case", "0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
    ["in upper case", "0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED"],
    ["without 0x", "5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"],
    ["that is too short", "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beae"],
    ["that is too long", "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed0"],
    ["with a letter beyond f", "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaeg"],
    ["in a list", ["0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"]],
    ["that is missing", undefined],
  ])("is nothing %s", (_, value) => expect(isAddress(value)).toBe(false));
});
