/** What a reader sees of a list that changes. */
export interface Steady<T> {
  items: T[];
  /** The keys of the items that are shown in their places although they have left the list. */
  gone: ReadonlySet<string>;
  /** How many items have come in before the reader's place, and are not shown. */
  waiting: number;
}

/** The whole list as it is. */
export const asItIs = <T>(items: T[]): Steady<T> => ({ items, gone: new Set(), waiting: 0 });

/**
 * A list after a change, for a reader who has scrolled into it: the first `to` items that are shown keep their places, so that nothing
 * moves under the pointer. What follows them is as in the list.
 */
export function steady<T>(shown: T[], now: T[], to: number, keyOf: (item: T) => string): Steady<T> {
  const indexes = new Map(now.map((item, index) => [keyOf(item), index]));
  const head = shown.slice(0, to);
  const keys = new Set(head.map(keyOf));
  const anchor = head.findLast((item) => indexes.has(keyOf(item)));
  if (!anchor) return asItIs(now);
  const end = (indexes.get(keyOf(anchor)) ?? 0) + 1;
  const others = (item: T) => !keys.has(keyOf(item));
  return {
    items: [...head.map((item) => now[indexes.get(keyOf(item)) ?? -1] ?? item), ...now.slice(end).filter(others)],
    gone: new Set([...keys].filter((key) => !indexes.has(key))),
    waiting: now.slice(0, end).filter(others).length,
  };
}
