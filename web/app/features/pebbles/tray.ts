/**
 * A tray of pebbles to try the rule of InfiniMerge: two of one level become one of the next. It exists only on the
 * page.
 */

/** The names of the levels, from 1 up. A tray with the maximum of pebbles reaches the last. */
export const levels = ["Pebble", "Bead", "Lamp glass", "Bell stone", "Star"] as const;

/** Minimum and maximum number of pebbles at the start. */
export const fewest = 2;
export const most = 16;

export interface Piece {
  /** Constant for a piece; a merged piece has the id of the second. */
  id: number;
  /** From 1 up. */
  level: number;
}

/** Returns a new tray with `count` pebbles of level 1. */
export function fill(count: number): Piece[] {
  return Array.from({ length: Math.min(Math.max(count, fewest), most) }, (_, i) => ({ id: i + 1, level: 1 }));
}

/** The tray after merging two pieces, at the place of the second; undefined if they do not match. */
export function merge(tray: readonly Piece[], first: number, second: number): Piece[] | undefined {
  const a = tray.find((piece) => piece.id === first);
  const b = tray.find((piece) => piece.id === second);
  if (!a || !b || a === b || a.level !== b.level) return undefined;
  return tray.filter((piece) => piece !== a).map((piece) => (piece === b ? { ...b, level: b.level + 1 } : piece));
}

/** Whether any two pieces match. */
export function canGoOn(tray: readonly Piece[]): boolean {
  return new Set(tray.map((piece) => piece.level)).size < tray.length;
}

/** A level's name. */
export const nameOf = (level: number) => levels[level - 1] ?? `Level ${level}`;
