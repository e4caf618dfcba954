import { rules } from "./rules.gen";

export { rules };

const words = (
  "no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen " +
  "eighteen nineteen twenty"
).split(" ");

/** A whole number in words, or in digits if it is above twenty. */
export function inWords(n: number): string {
  return words[n] ?? String(n);
}

/** A duration in words: "ten minutes", "an hour". */
export function minutesInWords(minutes: number): string {
  if (minutes === 60) return "an hour";
  if (minutes % 60 === 0) return `${inWords(minutes / 60)} hours`;
  return minutes === 1 ? "a minute" : `${inWords(minutes)} minutes`;
}

/** How long an emailed code is good for, in words. */
export const codeTime = minutesInWords(rules.codeMinutes);
/** How long a password reset link works, in words. */
export const linkTime = minutesInWords(rules.linkMinutes);
/** How long a unit is held, in words. */
export const holdTime = minutesInWords(rules.holdMinutes);
/** How much starting to pay extends a hold, in words. */
export const payTime = minutesInWords(rules.payMinutes);
