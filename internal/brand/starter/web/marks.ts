/** The marks of the game platform's currencies by their codes: paths within 48 × 48 units, to be stroked. */
export const marks: Record<string, string> = {
  co: "M24 6a18 18 0 1 0 .1 0Zm0 8v20M18 18h9a4 4 0 0 1 0 8h-6a4 4 0 0 0 0 8h9",
};
