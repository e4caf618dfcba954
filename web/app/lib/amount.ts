/** Exact arithmetic on amounts written as decimal strings ("12.5"). */

/** More decimals than any currency here has. */
const places = 18;

function units(decimal: string): bigint {
  const [whole = "0", fraction = ""] = decimal.split(".");
  return BigInt(whole + fraction.padEnd(places, "0").slice(0, places));
}

function decimal(value: bigint): string {
  const digits = value.toString().padStart(places + 1, "0");
  const fraction = digits.slice(-places).replace(/0+$/, "");
  return digits.slice(0, -places) + (fraction ? `.${fraction}` : "");
}

/** Converts an amount to base units of a currency with the given number of decimals (at most 18), truncating further ones. */
export function toBaseUnits(amount: string, decimals: number): bigint {
  return units(amount) / 10n ** BigInt(places - decimals);
}

/** Why an amount could not be parsed: no input, not a decimal number, or more decimals than the currency has. */
export type AmountProblem = "empty" | "malformed" | "too precise";

/** Parses an amount as typed, such as "12.50" or ".5", to base units of a currency with the given number of decimals. */
export function parseAmount(text: string, decimals: number): bigint | AmountProblem {
  const trimmed = text.trim();
  if (!trimmed) return "empty";
  const [, whole = "", fraction = ""] = /^(\d*)(?:\.(\d*))?$/.exec(trimmed) ?? [];
  if (!whole && !fraction) return "malformed";
  if (fraction.length > decimals) return "too precise";
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}

/** Returns the sum of two non-negative amounts. */
export function add(a: string, b: string): string {
  return decimal(units(a) + units(b));
}

/** Returns a minus b, and 0 if b is greater. */
export function less(a: string, b: string): string {
  const difference = units(a) - units(b);
  return decimal(difference > 0n ? difference : 0n);
}

/** Returns a negative number if a < b, 0 if they are equal, and a positive number if a > b. */
export function compare(a: string, b: string): number {
  const difference = units(a) - units(b);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}
