import { describe, expect, it } from "vitest";
import { addressProblem, differences, groupsOf, isLookalike } from "./address";
import type { MoneyBalance, Withdrawal } from "./queries";
import { amountProblem, countProblem, exceedsToday, freeOf, leftOf, normalized, phaseOf, spell, summary, titleOf } from "./texts";

const address = "0x52908400098527886E0F7030069857D2E4169EE7";

describe("an address", () => {
  it("is shown in groups of four", () => {
    expect(groupsOf(address).map((runs) => runs.map(({ text }) => text).join("|"))).toEqual([
      "0x",
      "5290",
      "8400",
      "0985",
      "2788",
      "6E0F",
      "7030",
      "0698",
      "57D2",
      "E416",
      "9EE7",
    ]);
  });

  it.each([
    ["", "Enter the address."],
    ["vitalik.eth", "Invalid address. It must begin with 0x."],
    ["0x12", "Invalid address. After 0x it has 40 characters: digits, and letters from a to f."],
    [`${address}0`, "Invalid address. After 0x it has 40 characters: digits, and letters from a to f."],
    [` ${address} `, undefined],
  ])("%j: %s", (text, problem) => {
    expect(addressProblem(text)).toBe(problem);
  });

  it("looks like another that begins and ends alike, whatever its upper and lower case", () => {
    const other = `0x5290${"1".repeat(32)}9ee7`;
    expect(isLookalike(address, other)).toBe(true);
    expect(isLookalike(address, address.toLowerCase())).toBe(false);
    expect(isLookalike(address, `0x5291${"1".repeat(32)}9ee7`)).toBe(false);
    expect(groupsOf(address, other).slice(0, 3)).toEqual([
      [{ at: 0, text: "0x", differs: false }],
      [{ at: 2, text: "5290", differs: false }],
      [{ at: 6, text: "8400", differs: true }],
    ]);
    expect(differences(address, other)).toBe(31);
    const mixed = address.replace("8400", "84a0").toLowerCase();
    expect(groupsOf(address, mixed)[2]).toEqual([
      { at: 6, text: "84", differs: false },
      { at: 8, text: "0", differs: true },
      { at: 9, text: "0", differs: false },
    ]);
    expect(differences(address, mixed)).toBe(1);
  });
});

const balance: MoneyBalance = {
  symbol: "USDC",
  chainId: 1,
  contract: "0xc",
  decimals: 6,
  inWallet: "10",
  paying: "2.5",
  asked: "0",
  listings: 0,
  limit: "8",
  used: "9",
};

describe("an amount", () => {
  it("of what is free leaves out what is being paid; what is left of a limit is never below 0", () => {
    expect(freeOf(balance)).toBe("7.5");
    expect(leftOf(balance)).toBe("0");
    expect(leftOf({ ...balance, used: "0.000001" })).toBe("7.999999");
  });

  it("beyond the daily limit is refused at once, one beyond what is left of it waits", () => {
    const rich = { ...balance, inWallet: "20", used: "3" };
    expect(amountProblem("8.01", rich)).toBe("At most 8.00 USDC can leave your wallet in 24 hours. Send it in parts.");
    expect(amountProblem("8", rich)).toBeUndefined();
    expect([" 8 ", "5.01", "5", "8.01", "x", ""].map((text) => exceedsToday(text, rich))).toEqual([true, true, false, false, false, false]);
    expect(exceedsToday("9", { ...rich, limit: undefined } as unknown as MoneyBalance)).toBe(false);
  });

  it.each([
    ["", undefined],
    [" 7.5 ", undefined],
    [".5", undefined],
    ["7.", undefined],
    [".", "Enter a number with at most 6 digits after the point, such as 12.50."],
    ["1e3", "Enter a number with at most 6 digits after the point, such as 12.50."],
    ["7.500001", "You have 7.50 USDC to send."],
    ["0.0000001", "Enter a number with at most 6 digits after the point, such as 12.50."],
    ["0.0", "Enter more than 0, or nothing."],
  ])("%j: %s", (text, problem) => {
    expect(amountProblem(text, balance)).toBe(problem);
  });

  it("is normalized to a plain decimal number", () => {
    expect([" 7.50 ", ".5", "7.", "007", "x", ""].map((text) => normalized(text, balance))).toEqual([
      "7.5",
      "0.5",
      "7",
      "7",
      undefined,
      undefined,
    ]);
  });

  it.each([
    ["0", "Enter a whole number, 1 or more."],
    ["1.5", "Enter a whole number, 1 or more."],
    ["6", "You have 5."],
    ["5", undefined],
  ])("of items %j: %s", (text, problem) => {
    expect(countProblem(text, "5")).toBe(problem);
  });
});

describe("a withdrawal", () => {
  const usdc = { contract: "0xc", standard: "erc20" as const, tokenId: "0", units: "", symbol: "USDC" };
  const item = { contract: "0xd", standard: "erc1155" as const, tokenId: "1", units: "" };
  const part = {
    partId: "1",
    chainId: 1,
    state: "open" as const,
    assets: [
      { ...usdc, amount: "0.1" },
      { ...item, amount: "2" },
    ],
  };
  const w: Withdrawal = {
    withdrawalId: "1",
    to: address,
    own: false,
    state: "confirmed",
    createdAt: "2026-11-20T10:00:00Z",
    readyAt: "2026-11-21T10:00:00Z",
    expiresAt: "2026-11-28T10:00:00Z",
    parts: [part, { ...part, partId: "2", assets: [{ ...usdc, amount: "0.2" }] }],
  };

  it("is summed over its parts, exactly", () => {
    expect(summary(w)).toBe("0.30 USDC and 2 items");
    expect(summary({ ...w, parts: [{ ...part, assets: [{ ...item, amount: "1" }] }] })).toBe("1 item");
  });

  it("is ready from its time on", () => {
    const ready = Date.parse("2026-11-21T10:00:00Z");
    expect([phaseOf(w, ready - 1), phaseOf(w, ready)]).toEqual(["waiting", "ready"]);
  });

  it("that is over says how much of it was sent", () => {
    const ended = (...states: ("sent" | "failed")[]) =>
      titleOf({ ...w, state: "done", parts: states.map((state) => ({ ...part, state })) }, "done");
    expect([ended("sent", "sent"), ended("sent", "failed"), ended("failed")]).toEqual(["Sent", "Sent in part", "Not sent"]);
  });
});

it.each([
  [4, "4 seconds"],
  [90, "2 minutes"],
  [3600, "1 hour"],
  [86_400, "24 hours"],
])("%i seconds are %s", (seconds, words) => {
  expect(spell(seconds)).toBe(words);
});
