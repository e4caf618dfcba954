import { defaultRangeExtractor, useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { focusMain } from "~/lib/focus";

/** The least width of a card, and the gap between cards, in pixels, from Tailwind's `sm` on; below it two cards share the width. */
const wide = { card: 216, gap: 20, from: 640 };
/** The gap between cards on phones, in pixels. */
const phoneGap = 12;
/** The rows rendered above and below the viewport, and around the focus, so that Tab reaches the next card before the scroll is drawn. */
const overscan = 2;

/** The space of the header at the top of the window, which the page scrolls under, in pixels. */
const headerSpace = 80;

/** The measured height of rows by their number of columns and width: a list that is shown again is as high as before. */
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

/** The keys of the cards, of the grid in an element, whose upper edges are in view below the header. */
export function cardsInView(within: Element): string[] {
  return [...within.querySelectorAll<HTMLElement>("[data-key]")].flatMap((card) => {
    const { top } = card.getBoundingClientRect();
    return top > headerSpace - 10 && top < innerHeight && card.dataset.key ? [card.dataset.key] : [];
  });
}

interface WindowedGridProps<T> {
  /** What the grid contains, for screen readers. */
  label: string;
  items: T[];
  keyOf: (item: T) => string;
  children: (item: T, index: number) => ReactNode;
  /** Called when the last row comes near the viewport or the focus. */
  onEnd?: (() => void) | undefined;
  /** Called with the range of items that are rendered, exclusive of `to`. */
  onRange?: ((from: number, to: number) => void) | undefined;
  /** The keys of items: once the grid is laid out, the page scrolls to the first of them that it has. */
  startAt?: string[] | undefined;
}

/**
 * A grid of cards of one height that scrolls with the page and renders only the rows near the viewport. Cards are siblings whatever
 * their row: one that moves to another row because an item is inserted keeps its element, and so its image and the focus.
 */
export function WindowedGrid<T>({ label, items, keyOf, children, onEnd, onRange, startAt }: WindowedGridProps<T>) {
  const { element, geometry } = useGeometry();
  const { width, top } = geometry ?? { width: 0, top: 0 };
  const { columns, gap } = columnsIn(width);
  const cardWidth = (width - gap * (columns - 1)) / columns;
  const kind = `${columns} ${Math.round(width)}`;
  const estimate = () => rowHeights.get(kind) ?? Math.round(cardWidth * (640 / 600) + 196);
  const rows = Math.ceil(items.length / columns);
  // The card with the focus and its neighbours stay rendered wherever the reader scrolls, or Tab would start at the top of the page.
  const [focused, setFocused] = useState<string>();
  const at = focused === undefined ? -1 : items.findIndex((item) => keyOf(item) === focused);
  const focusedRow = at < 0 ? undefined : Math.floor(at / columns);
  // When the card with the focus is removed, because its item was sold, the one that takes its place gets the focus.
  const place = useRef(0);
  useLayoutEffect(() => {
    if (at >= 0) place.current = at;
    else if (focused !== undefined && document.activeElement === document.body) {
      const next = items[Math.min(place.current, items.length - 1)];
      const card = next && element.current?.querySelector(`[data-key="${CSS.escape(keyOf(next))}"]`);
      const control = card?.querySelector<HTMLElement>("a[href], button");
      if (control) control.focus({ preventScroll: true });
      else focusMain();
    }
  }, [at, focused, items, keyOf, element]);
  // When another list replaces the one with the focus, after Back or a late search, the focus stays in the page.
  useLayoutEffect(() => {
    const { current: list } = element;
    return () => {
      if (list?.contains(document.activeElement)) focusMain();
    };
  }, [element]);
  const grid = useWindowVirtualizer({
    count: rows,
    estimateSize: estimate,
    gap,
    overscan,
    scrollMargin: top,
    scrollPaddingStart: headerSpace,
    rangeExtractor: (range) => {
      const near = defaultRangeExtractor(range);
      if (focusedRow === undefined) return near;
      const around = defaultRangeExtractor({ ...range, startIndex: focusedRow, endIndex: focusedRow });
      return [...new Set([...near, ...around])].sort((a, b) => a - b);
    },
    getItemKey: (row) => `${kind} ${row}`,
    useAnimationFrameWithResizeObserver: true,
  });
  const goTo = useRef(startAt?.length ? items.findIndex((item) => startAt.includes(keyOf(item))) : -1);
  useEffect(() => {
    if (!geometry || goTo.current < 0) return;
    grid.scrollToIndex(Math.floor(goTo.current / columns), { align: "start" });
    goTo.current = -1;
  }, [geometry, columns, grid]);
  const shown = grid.getVirtualItems();
  const from = (grid.range?.startIndex ?? 0) * columns;
  const to = Math.min(((grid.range?.endIndex ?? -1) + 1 + overscan) * columns, items.length);
  const isAtEnd = to === items.length || (focusedRow !== undefined && focusedRow + 2 * overscan >= rows);
  useEffect(() => onRange?.(from, to), [from, to, onRange]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a longer list may end near the viewport too
  useEffect(() => {
    if (isAtEnd) onEnd?.();
  }, [isAtEnd, items.length, onEnd]);
  // The rows near the viewport are laid out by CSS, which makes the cards of a row equally high. Those near a distant focus are not.
  const nearFrom = (grid.range?.startIndex ?? 0) - overscan;
  const nearTo = (grid.range?.endIndex ?? 0) + overscan;
  const isApart = ({ index }: { index: number }) => index < nearFrom || index > nearTo;
  const start = shown.find((row) => !isApart(row))?.start ?? 0;
  const measure = (card: HTMLElement | null) => {
    grid.measureElement(card);
    const height = card?.getBoundingClientRect().height;
    if (height) rowHeights.set(kind, Math.round(height));
  };
  return (
    <div
      ref={element}
      role="feed"
      aria-label={label}
      className="relative"
      style={{ height: grid.getTotalSize() }}
      onFocus={({ target }) => setFocused(target.closest<HTMLElement>("[data-key]")?.dataset.key)}
      onBlur={({ currentTarget, relatedTarget }) => {
        // While the focus moves from card to card, the next one must not be removed before it gets there.
        if (!currentTarget.contains(relatedTarget)) setFocused(undefined);
      }}
    >
      {geometry && (
        <div
          className="absolute inset-x-0 top-0 grid"
          style={{ translate: `0 ${start - top}px`, gap, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
        >
          {shown.flatMap((row) =>
            items.slice(row.index * columns, (row.index + 1) * columns).map((item, column) => (
              <div
                key={keyOf(item)}
                data-key={keyOf(item)}
                data-index={row.index}
                ref={column === 0 ? measure : undefined}
                className="grid"
                style={
                  isApart(row)
                    ? { position: "absolute", top: row.start - start, left: column * (cardWidth + gap), width: cardWidth, height: row.size }
                    : undefined
                }
              >
                {children(item, row.index * columns + column)}
              </div>
            )),
          )}
        </div>
      )}
    </div>
  );
}
