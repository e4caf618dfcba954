/** Chances in words and figures. */

/** A share from 0 to 1 as a percentage, with three significant digits at least: "5.2%", "0.075%", "22%". */
export function percent(share: number): string {
  return share.toLocaleString("en", { style: "percent", maximumSignificantDigits: share > 0.999 && share < 1 ? 5 : 3 });
}

/** A share as "1 in N". */
export function oneIn(share: number): string {
  if (share <= 0) return "never";
  const n = 1 / share;
  return `1 in ${n.toLocaleString("en", n < 10 ? { maximumFractionDigits: 1 } : { maximumFractionDigits: 0 })}`;
}

/** What a probability of Pearson's test says of the draws, in words. */
export function asExpected(p: number): string {
  if (p >= 0.05) return "as expected";
  return `unlikely: ${p < 1e-9 ? "less than 1 in a billion" : oneIn(p)}`;
}
