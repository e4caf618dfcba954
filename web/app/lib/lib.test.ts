import { describe, expect, it } from "vitest";
import { add, compare, less } from "./amount";
import { currencyName } from "./currencies";
import { amount, clock, fromBaseUnits, plural, short, spokenClock, withDecimals } from "./format";
import { claims, expired } from "./jwt";
import { safeReturn } from "./paths";
import { createStore } from "./store";
import { codeProblem, displayNameProblem, emailProblem, isAlphanumeric, passwordProblem } from "./validate";

describe("amounts", () => {
  // Spec: UI-10
  it.each([
    ["0", "0.00"],
    ["1240.5", "1,240.50"],
    ["1000000", "1,000,000.00"],
    ["0.123400", "0.1234"],
    ["123456789012345678901234.5", "123,456,789,012,345,678,901,234.50"],
  ])("writes %s as %s", (decimal, written) => expect(amount(decimal)).toBe(written));

  it.each([
    ["0", 6, "0"],
    ["1", 6, "0.000001"],
    ["12500000", 6, "12.5"],
    ["1000000", 6, "1"],
    [
      "115792089237316195423570985008687907853269984665640564039457584007913129639935",
      18,
      "115792089237316195423570985008687907853269984665640564039457.584007913129639935",
    ],
  ])("reads %s base units of %i decimals as %s", (units, decimals, decimal) => expect(fromBaseUnits(units, decimals)).toBe(decimal));

  it.each([
    ["500", "500.0000"],
    ["12.5", "12.5000"],
    ["0.123456", "0.1234"],
    ["0.99999", "0.9999"],
  ])("writes %s with four decimals as %s", (decimal, written) => expect(withDecimals(decimal, 4)).toBe(written));

  it("adds and compares without rounding", () => {
    expect(add("0.1", "0.2")).toBe("0.3");
    expect(add("9007199254740993", "0.000001")).toBe("9007199254740993.000001");
    expect(less("9007199254740993.5", "0.000000000000000001")).toBe("9007199254740993.499999999999999999");
    expect(less("1", "1.5")).toBe("0");
    expect(compare("9007199254740993", "9007199254740992")).toBeGreaterThan(0);
    expect(compare("1.50", "1.5")).toBe(0);
    expect(compare("0.9", "1")).toBeLessThan(0);
  });
});

describe("times", () => {
  it.each([
    [600_000, "10:00"],
    [599_001, "10:00"],
    [599_000, "9:59"],
    [1, "0:01"],
    [0, "0:00"],
    [-5, "0:00"],
  ])("writes %i ms as %s", (ms, written) => expect(clock(ms)).toBe(written));

  it("speaks them", () => expect(spokenClock(61_000)).toBe("1 minute 1 second"));
});

describe("words", () => {
  it("counts", () => {
    expect(plural(1, "item")).toBe("1 item");
    expect(plural(1200, "item")).toBe("1,200 items");
  });
  it("shortens addresses", () => expect(short("0x1234567890abcdef")).toBe("0x1234…cdef"));
});

describe("kinds", () => {
  it.each([
    ["d0", 1, "Deckhand"],
    ["d0", 40, "Deckhands"],
    ["gt", 1, "Gate token"],
    ["gt", 0, "Gate tokens"],
    ["ig", 1, "InfiniGold"],
    ["fa", 250, "fate"],
    ["xx", 5, "of currency “xx”"],
  ])("of code %s, so many: %d: %s", (code, count, name) => expect(currencyName(code, count)).toBe(name));
});

describe("safeReturn", () => {
  it.each(["/kod-marketplace", "/portal/my-inventory?a=1#b", "/kod-marketplace/marketplace/checkout"])("leads to %s", (path) =>
    expect(safeReturn(path, "/x")).toBe(path),
  );
  it.each([
    null,
    "",
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "/.//evil.example",
    "javascript:alert(1)",
    "kod",
  ])("does not leave the site by %j", (path) => expect(safeReturn(path, "/x")).toBe("/x"));
});

describe("tokens", () => {
  const token = `x.${btoa(JSON.stringify({ exp: 100, name: "Ïanthé" })).replaceAll("=", "")}.y`;
  it("are read without their signature", () => expect(claims(token)?.exp).toBe(100));
  // Spec: SESSION-4, WALLET-11
  it("expire by their exp claim in seconds", () => {
    expect(expired(token, 100_000)).toBe(false);
    expect(expired(token, 100_001)).toBe(true);
  });
  it.each(["", "x", "x.y.z", "x.bnVsbA.z", "x.e30.z"])("count as expired when %j can't be read", (bad) =>
    expect(expired(bad, 0)).toBe(true),
  );
});

describe("what people type", () => {
  // Spec: ACCOUNT-2
  it.each([
    "a@b.co",
    "first.last+tag@sub.example.org",
    "  blanks@around.example ",
    "a@bücher.example",
    "a@пример.рф",
    "a@xn--e1afmkfd.xn--p1ai",
  ])("takes %s as an e-mail address", (v) => expect(emailProblem(v)).toBeUndefined());
  // Spec: ACCOUNT-2
  it.each(["", "  "])("misses an e-mail address in %j", (v) => expect(emailProblem(v)).toBe("Enter your e-mail address."));
  const noAddresses = ["a", "a@b", "a@b.c", "a b@c.de", "@b.co", "a@b.c0", "a@-b.co", "a@b..co", "a,b@c.de", `${"a".repeat(250)}@b.co`];
  const unseen = ["a\u0000@b.co", "a\u0007b@c.de", "a\u200bb@c.de", "\u202ea@b.co", "a\ud800@b.co"];
  // Spec: ACCOUNT-2
  it.each([...noAddresses, ...unseen])("refuses %j as an e-mail address", (v) =>
    expect(emailProblem(v)).toBe("This does not look like an e-mail address."),
  );
  // Spec: ACCOUNT-3
  it("wants names of 3 to 20 characters", () => {
    expect(displayNameProblem(" ")).toBe("Choose a name.");
    expect(displayNameProblem("ab")).toBe("Use at least 3 characters.");
    expect(displayNameProblem("abc")).toBeUndefined();
    expect(displayNameProblem("a".repeat(20))).toBeUndefined();
    expect(displayNameProblem("a".repeat(21))).toBe("Use at most 20 characters.");
  });
  // Spec: ACCOUNT-3
  it.each(["  Io  of  Argos ", "\u{1F531}\u{1F531}3", "e\u0301e\u0301e\u0301", "Zeus ❤\ufe0f", "می\u200cخواهم"])(
    "takes %j as a name, counted as it is kept",
    (v) => expect(displayNameProblem(v)).toBeUndefined(),
  );
  // Spec: ACCOUNT-3
  it.each([
    ["a b\tc", "This name has characters that cannot be shown."],
    ["\u200b\u200babc", "This name has characters that cannot be shown."],
    ["abc\u202e", "This name has characters that cannot be shown."],
    ["a\u0316\u0317\u0318bc", "This name has characters that cannot be shown."],
    ["---", "A name needs a letter or a digit."],
    ["\u{1F531}\u{1F531}", "Use at least 3 characters."],
  ])("refuses %j as a name: %s", (v, message) => expect(displayNameProblem(v)).toBe(message));
  // Spec: ACCOUNT-4
  it("wants new passwords of 8 to 100 characters", () => {
    expect(passwordProblem("")).toBe("Enter a password.");
    expect(passwordProblem("1234567")).toBe("Use at least 8 characters.");
    expect(passwordProblem("12345678")).toBeUndefined();
    expect(passwordProblem("\u{1F531}".repeat(100))).toBeUndefined();
    expect(passwordProblem("a".repeat(101))).toBe("Use at most 100 characters.");
  });
  // Spec: UI-11
  it.each([
    ["Ianthe7", true],
    ["", false],
    ["Ian the", false],
    ["Iánthe", false],
    ["a_b", false],
  ])("knows whether %j has letters and digits only: %s", (v, is) => expect(isAlphanumeric(v)).toBe(is));
  it.each(["01234567", " 0123 4567 "])("takes %j as a mailed code", (v) => expect(codeProblem(v)).toBeUndefined());
  it.each([
    ["", "Enter the code from our mail."],
    ["1234567", "The code has 8 digits."],
    ["123456789", "The code has 8 digits."],
    ["1234567a", "The code has 8 digits."],
  ])("refuses %j as a mailed code: %s", (v, message) => expect(codeProblem(v)).toBe(message));
});

describe("createStore", () => {
  it("tells its readers of a change and keeps the other fields", () => {
    const store = createStore({ a: 1, b: 2 });
    const seen: object[] = [];
    const stop = store.subscribe(() => seen.push(store.get()));
    store.set({ a: 3 });
    stop();
    store.set({ a: 4 });
    expect(seen).toEqual([{ a: 3, b: 2 }]);
    expect(store.initial).toEqual({ a: 1, b: 2 });
  });
});
