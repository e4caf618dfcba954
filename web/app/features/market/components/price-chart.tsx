import { useEffect, useRef, useState } from "react";
import uPlot from "uplot";
import { Price } from "~/components/ui/price";
import { cn } from "~/lib/cn";
import { plural } from "~/lib/format";
import { marketCurrency } from "~/lib/registry";
import { dateTime, dayOfYear, month, timeOfDay } from "~/lib/time";
import { summary } from "../price-history";
import type { PricePoint } from "../queries";

const daySeconds = 86_400;

const price = new Intl.NumberFormat("en", { maximumFractionDigits: 6 });

/** The options of a chart in the brand's colours, which a canvas does not have from the style sheet. */
function options(element: HTMLElement, from: number | undefined, to: number, onPoint: (index: number | null) => void): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(`--color-${name}`);
  const axis = { stroke: colour("bone-muted"), font: `13px ${style.fontFamily}`, ticks: { show: false } };
  const grid = { stroke: colour("line"), width: 1 };
  return {
    width: element.clientWidth,
    height: element.clientHeight,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 9, fill: colour("ember") } },
    scales: {
      x: { range: (_, first, last) => (from === undefined ? padded(first, last) : [from / 1000, to / 1000]) },
      y: { range: (_, lowest, highest) => around(lowest, highest) },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 70,
        size: 32,
        values: (_, splits, __, ___, step) =>
          splits.map((at) => (step < daySeconds ? timeOfDay : step < 28 * daySeconds ? dayOfYear : month)(at * 1000)),
      },
      { ...axis, grid, size: 56, values: (_, splits) => splits.map((value) => price.format(value)) },
    ],
    series: [
      {},
      {
        stroke: colour("bronze"),
        width: 1.5,
        points: { show: true, size: 6, width: 1.5, stroke: colour("bone"), fill: colour("night") },
      },
    ],
    hooks: { setCursor: [(chart) => onPoint(chart.cursor.idx ?? null)] },
  };
}

/** With room at the sides, so that the first and the last point are whole; an hour where all are at one time. */
const padded = (first: number, last: number): [number, number] => {
  const room = Math.max((last - first) * 0.03, 1800);
  return [first - room, last + room];
};

/** With room above and below. */
const around = (lowest: number, highest: number): [number, number] => {
  const room = (highest - lowest) * 0.15 || highest * 0.2;
  return [Math.max(0, lowest - room), highest + room];
};

interface PriceChartProps {
  /** Oldest first, at least two. */
  points: PricePoint[];
  /** The time shown, in milliseconds since 1970; without `from` from the first point. */
  from: number | undefined;
  to: number;
  className: string;
}

/** A line chart of prices. It is not animated; the figures and the table beside it say the same. */
export default function PriceChart({ points, from, to, className }: PriceChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const [index, setIndex] = useState<number | null>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const chart = new uPlot(
      options(element, from, to, setIndex),
      [points.map(({ time: at }) => Date.parse(at) / 1000), points.map(({ price: one }) => Number(one))],
      element,
    );
    const resized = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: element.clientHeight }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      chart.destroy();
      setIndex(null);
    };
  }, [points, from, to]);
  const figures = summary(points);
  const point = index === null ? undefined : points[index];
  return (
    <div className={cn("flex flex-col", className)}>
      <div
        ref={place}
        role="img"
        aria-label={
          `Chart of ${plural(points.length, "sale")}, from ${figures?.lowest} to ${figures?.highest} ${marketCurrency.symbol} each; ` +
          `the last for ${figures?.last} ${marketCurrency.symbol}.`
        }
        className="min-h-0 flex-1 overflow-hidden"
      />
      {/* For the pointer; the table has the same for everybody. */}
      <p aria-hidden="true" className="figures h-6 text-right text-sm text-bone-muted">
        {point && (
          <>
            {dateTime(point.time)} · <Price value={point.price} />
            {point.quantity > 1 && ` × ${point.quantity}`}
          </>
        )}
      </p>
    </div>
  );
}
