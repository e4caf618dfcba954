import { defaultRangeExtractor, useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";

/** The least width of a card, and the gap between cards, in pixels, from Tailwind's `sm` on; below it two cards share the width. */
const wide = { card: 216, gap: 20, from: 640 };
/** The gap between cards on phones, in pixels. */
const phoneGap = 12;
/** The rows rendered above and below the viewport, so that Tab reaches the next card. */
const overscan = 2;

/** The measured height of rows by their number of columns and width: a list that is shown again is as high as before, and keeps its place. */
const rowHeights = new Map<string, number>();

/** The number of columns in a width, and their gap in pixels. */
function columnsIn(width: number): { columns: number; gap: number } {
  if (innerWidth < wide.from) return { columns: 2, gap: phoneGap };
  return { columns: Math.max(1, Math.floor((width + wide.gap) / (wide.card + wide.gap))), gap: wide.gap };
}

interface Geometry {
  width: number;
  /** The distance from the top of the document. */
  top: number;
}

/** The last geometry, in a window of some width: a list that is shown again has its rows from the first frame. */
let last: (Geometry & { window: number }) | undefined;

/** The geometry of the grid in pixels, followed while mounted; undefined until it is measured. */
function useGeometry() {
  const element = useRef<HTMLDivElement>(null);
  const [geometry, setGeometry] = useState<Geometry | undefined>(() => (last?.window === innerWidth ? last : undefined));
  useLayoutEffect(() => {
    const measure = () => {
      const box = element.current?.getBoundingClientRect();
      if (!box) return;
      const next = { width: box.width, top: Math.round(box.top + scrollY), window: innerWidth };
      last = next;
      setGeometry((now) => (now?.width === next.width && now.top === next.top ? now : next));
    };
    measure();
    // What stands above the grid may change its height too.
    const watch = new ResizeObserver(measure);
    watch.observe(document.body);
    return () => watch.disconnect();
  }, []);
  return { element, geometry };
}

interface WindowedGridProps<T> {
  /** What the grid contains, for screen readers. */
  label: string;
  items: T[];
  keyOf: (item: T) => string;
  children: (item: T, index: number) => ReactNode;
  /** Called when the last row comes near the viewport. */
  onEnd?: (() => void) | undefined;
  /** Called with the range of items that are rendered, exclusive of `to`. */
  onRange?: ((from: number, to: number) => void) | undefined;
}

/** A grid of cards of one height that scrolls with the page and renders only the rows near the viewport. */
export function WindowedGrid<T>({ label, items, keyOf, children, onEnd, onRange }: WindowedGridProps<T>) {
  const { element, geometry } = useGeometry();
  const { width, top } = geometry ?? { width: 0, top: 0 };
  const { columns, gap } = columnsIn(width);
  const kind = `${columns} ${Math.round(width)}`;
  const estimate = () => rowHeights.get(kind) ?? Math.round(((width - gap * (columns - 1)) / columns) * (640 / 600) + 196);
  const rows = Math.ceil(items.length / columns);
  // The row with the focus stays rendered wherever the reader scrolls, or Tab would start at the top of the page.
  const [focused, setFocused] = useState<number>();
  const grid = useWindowVirtualizer({
    count: rows,
    estimateSize: estimate,
    gap,
    overscan,
    scrollMargin: top,
    rangeExtractor: (range) => {
      const near = defaultRangeExtractor(range);
      return focused === undefined || focused >= rows || near.includes(focused) ? near : [...near, focused].sort((a, b) => a - b);
    },
    getItemKey: (row) => `${kind} ${row}`,
    useAnimationFrameWithResizeObserver: true,
  });
  const shown = grid.getVirtualItems();
  const from = (grid.range?.startIndex ?? 0) * columns;
  const to = Math.min(((grid.range?.endIndex ?? -1) + 1 + overscan) * columns, items.length);
  const isAtEnd = to === items.length;
  useEffect(() => onRange?.(from, to), [from, to, onRange]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a longer list may end near the viewport too
  useEffect(() => {
    if (isAtEnd) onEnd?.();
  }, [isAtEnd, items.length, onEnd]);
  return (
    <div
      ref={element}
      role="feed"
      aria-label={label}
      className="relative"
      style={{ height: grid.getTotalSize() }}
      onFocus={({ target }) => setFocused(Number(target.closest<HTMLElement>("[data-index]")?.dataset.index))}
      onBlur={() => setFocused(undefined)}
    >
      {geometry &&
        shown.map(({ index: row, key, start }) => (
          <div
            key={key}
            data-index={row}
            ref={(line) => {
              grid.measureElement(line);
              const height = line?.getBoundingClientRect().height;
              if (height) rowHeights.set(kind, Math.round(height));
            }}
            className="absolute inset-x-0 top-0 grid"
            style={{ translate: `0 ${start - top}px`, gap, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
          >
            {items.slice(row * columns, (row + 1) * columns).map((item, i) => (
              <div key={keyOf(item)} className="grid">
                {children(item, row * columns + i)}
              </div>
            ))}
          </div>
        ))}
    </div>
  );
}
