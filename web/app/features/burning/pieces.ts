import type { Origin } from "./burn";

/** A piece of a broken picture, in per cent of its size. */
export interface Piece {
  /** Its corners. */
  corners: readonly (readonly [x: number, y: number])[];
  /** Where it flies, in per cent of the picture's size, and how far it turns, in degrees. */
  x: number;
  y: number;
  turn: number;
}

/** Pieces around the middle of the picture, between rays of irregular angles. */
function around(angles: number[], [cx, cy]: readonly [number, number], force: number): Piece[] {
  const edge = (degrees: number) => {
    const [dx, dy] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
    const reach = Math.min(dx > 0 ? (100 - cx) / dx : dx < 0 ? -cx / dx : 1e9, dy > 0 ? (100 - cy) / dy : dy < 0 ? -cy / dy : 1e9);
    return [cx + dx * reach, cy + dy * reach] as const;
  };
  const corners = [-45, 45, 135, 225];
  return angles.map((from, index) => {
    const to = (angles[index + 1] ?? 360 + (angles[0] ?? 0)) as number;
    // The corners of the picture that lie between the two rays.
    const between = [...corners, ...corners.map((c) => c + 360)]
      .filter((c) => c > from && c < to)
      .map((c) => [Math.cos((c * Math.PI) / 180) > 0 ? 100 : 0, Math.sin((c * Math.PI) / 180) > 0 ? 100 : 0] as const);
    const middle = ((from + to) / 2) * (Math.PI / 180);
    return {
      corners: [[cx, cy], edge(from), ...between, edge(to)],
      x: Math.cos(middle) * force,
      y: Math.sin(middle) * force - 18,
      turn: (index % 2 ? -1 : 1) * (18 + 9 * (index % 4)),
    };
  });
}

/** Upright planks that fall apart to both sides. */
function planks(count: number): Piece[] {
  return Array.from({ length: count }, (_, index) => {
    const [left, right] = [(index * 100) / count, ((index + 1) * 100) / count];
    const lean = index % 2 ? 5 : -5;
    const side = (left + right) / 2 - 50;
    return {
      corners: [
        [index === 0 ? 0 : left + lean, 0],
        [index === count - 1 ? 100 : right - lean, 0],
        [index === count - 1 ? 100 : right + lean, 100],
        [index === 0 ? 0 : left - lean, 100],
      ],
      x: side * 1.1,
      y: 46 + 14 * (index % 3),
      turn: side * 0.7,
    };
  });
}

/** How what is burned falls apart: clay in shards, a ship in planks, a sealed charge at once. */
export const pieces: Record<Origin, Piece[]> = {
  "piggy-bank": around([8, 52, 85, 131, 170, 214, 250, 291, 330], [50, 55], 62),
  ark: planks(7),
  "power-pack": around([20, 75, 140, 200, 262, 318], [50, 50], 95),
  pack: around([10, 100, 190, 280], [50, 50], 70),
};

/** The polygon of a piece, for CSS. */
export const polygon = ({ corners }: Piece): string =>
  `polygon(${corners.map(([x, y]) => `${x.toFixed(1)}% ${y.toFixed(1)}%`).join(", ")})`;
