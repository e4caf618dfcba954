/** Formats numbers, stretches of time and addresses, in plain English; amounts are decimal strings. */

/**
 * Groups the digits of a decimal string and pads it to at least two decimals: "1240.5" becomes "1,240.50". It works
 * on the string, so that no amount is converted to a floating-point number.
 */
export function amount(decimal: string): string {
  const [whole = "0", fraction = ""] = decimal.split(".");
  const trimmed = fraction.replace(/0+$/, "").padEnd(2, "0");
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ",")}.${trimmed}`;
}

/**
 * Formats a decimal string with exactly `count` decimals; further ones are truncated, so that the result never
 * exceeds the amount.
 */
export function withDecimals(decimal: string, count: number): string {
  const [whole = "0", fraction = ""] = decimal.split(".");
  return `${whole}.${fraction.padEnd(count, "0").slice(0, count)}`;
}

/** Converts base units (an integer string) to a decimal string, for a token with that many decimals. */
export function fromBaseUnits(units: string, decimals: number): string {
  const digits = units.padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return fraction ? `${whole}.${fraction}` : whole;
}

/** Formats milliseconds as m:ss, rounded up to the second, so that "0:00" means over. Never negative. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** The same for a screen reader: "9 minutes 5 seconds". */
export function spokenClock(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return [plural(Math.floor(seconds / 60), "minute"), plural(seconds % 60, "second")].join(" ");
}

/** "1 item", "12 items". */
export function plural(count: number, word: string): string {
  return `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
}

/** Abbreviates an address or hash: 0x1234…abcd. */
export function short(hex: string): string {
  return hex.length > 12 ? `${hex.slice(0, 6)}…${hex.slice(-4)}` : hex;
}
