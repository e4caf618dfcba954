/**
 * A tray of pebbles on which the rule of InfiniMerge can be tried: two of one level become one of the next. Nothing of it
 * leaves the page.
 */

/** The names of the levels, from 1 up. A tray of the most pebbles reaches the last. */
export const levels = ["Pebble", "Bead", "Lamp glass", "Bell stone", "Star"] as const;

/** How many pebbles a tray may begin with. */
export const fewest = 2;
export const most = 16;

export interface Piece {
  /** Stays with the piece; the piece that comes of two has that of the second. */
  id: number;
  /** From 1 up. */
  level: number;
}

/** A new tray with so many pebbles of level 1. */
export function fill(count: number): Piece[] {
  return Array.from({ length: Math.min(Math.max(count, fewest), most) }, (_, i) => ({ id: i + 1, level: 1 }));
}

/** The tray after two pieces were put together, in the place of the second; undefined where they do not fit. */
export function merge(tray: readonly Piece[], first: number, second: number): Piece[] | undefined {
  const a = tray.find((piece) => piece.id === first);
  const b = tray.find((piece) => piece.id === second);
  if (!a || !b || a === b || a.level !== b.level) return undefined;
  return tray.filter((piece) => piece !== a).map((piece) => (piece === b ? { ...b, level: b.level + 1 } : piece));
}

/** Whether any two pieces still fit. */
export function canGoOn(tray: readonly Piece[]): boolean {
  return new Set(tray.map((piece) => piece.level)).size < tray.length;
}

/** What a piece is called. */
export const nameOf = (level: number) => levels[level - 1] ?? `Level ${level}`;
