import { compare } from "~/lib/amount";
import type { PricePoint } from "./queries";

const dayMs = 86_400_000;

/** The times that the price history shows; without `ms` all. */
export const ranges = {
  "7d": { label: "7 days", ms: 7 * dayMs },
  "30d": { label: "30 days", ms: 30 * dayMs },
  all: { label: "All", ms: undefined },
} as const;
export type Range = keyof typeof ranges;

/** The points of a time that ends now, in milliseconds since 1970. */
export function within(points: PricePoint[], range: Range, now: number): PricePoint[] {
  const { ms } = ranges[range];
  return ms === undefined ? points : points.filter(({ time }) => Date.parse(time) >= now - ms);
}

/** The lowest, highest and last price, decimal; undefined without a sale. */
export function summary(points: PricePoint[]): { lowest: string; highest: string; last: string } | undefined {
  const last = points.at(-1)?.price;
  if (last === undefined) return undefined;
  let lowest = last;
  let highest = last;
  for (const { price } of points) {
    if (compare(price, lowest) < 0) lowest = price;
    if (compare(price, highest) > 0) highest = price;
  }
  return { lowest, highest, last };
}
