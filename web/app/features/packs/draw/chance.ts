/** Chances in words and figures. */

/** A share from 0 to 1 as a percentage: "5.2%", "0.075%", "22%". */
export function percent(share: number, digits = 3): string {
  return share.toLocaleString("en", { style: "percent", maximumSignificantDigits: share > 0.99 && share < 1 ? 5 : digits });
}

/** A share as "1 in N". */
export function oneIn(share: number): string {
  if (share <= 0) return "never";
  const n = 1 / share;
  return `1 in ${n.toLocaleString("en", n < 10 ? { maximumFractionDigits: 1 } : { maximumFractionDigits: 0 })}`;
}

/** What a probability of Pearson's test says of the draws, in words. */
export const asExpected = (p: number): string => (p < 0.05 ? `unlikely: ${rare(p)}` : "as expected");

/** A probability in words: "44 of 100", "1 in 2,300". */
export const inWords = (p: number): string => (p < 0.02 ? rare(p) : `${Math.round(100 * p)} of 100`);

const rare = (p: number) => (p < 1e-9 ? "less than 1 in a billion" : oneIn(p));
