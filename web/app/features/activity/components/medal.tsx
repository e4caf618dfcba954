/**
 * Medals are drawn by code: a rim divided like the edge of a chart, struck as far as the goal is reached, and in the
 * middle an emblem, cut with two weights of line.
 */

const centre = 100;
const point = (angle: number, radius: number) =>
  `${(centre + radius * Math.sin(angle)).toFixed(1)} ${(centre - radius * Math.cos(angle)).toFixed(1)}`;

/** Radial strokes from one radius to another, over a part of the circle, starting at the top. */
function ticks(count: number, from: number, to: number, share = 1): string {
  let path = "";
  for (let i = 0; i < Math.round(count * share); i++) {
    const angle = (i / count) * 2 * Math.PI;
    path += `M${point(angle, from)}L${point(angle, to)}`;
  }
  return path;
}

/** Slanted hatching along the lower right of a disc, its shaded side: a crescent of strokes. */
function hatching(radius: number, step: number): string {
  let path = "";
  for (let across = -radius + step; across < radius; across += step) {
    const far = Math.sqrt(radius * radius - across * across);
    const near = far - 0.38 * (radius - Math.abs(across)) - 4;
    const [a, b] = [Math.SQRT1_2 * (far + across), Math.SQRT1_2 * (far - across)];
    const [c, d] = [Math.SQRT1_2 * (near + across), Math.SQRT1_2 * (near - across)];
    path += `M${(centre + a).toFixed(1)} ${(centre + b).toFixed(1)}L${(centre + c).toFixed(1)} ${(centre + d).toFixed(1)}`;
  }
  return path;
}

/** A regular polygon. */
function figure(corners: number, radius: number, turn = 0): string {
  return `M${Array.from({ length: corners }, (_, i) => point(turn + (i / corners) * 2 * Math.PI, radius)).join("L")}Z`;
}

/** Circles around the middle, such as seats at a table. */
function around(count: number, at: number, radius: number, turn = 0): string {
  return Array.from({ length: count }, (_, i) => {
    const angle = turn + (i / count) * 2 * Math.PI;
    const [x = 0, y = 0] = point(angle, at).split(" ").map(Number);
    return `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`;
  }).join("");
}

/** The emblem of each medal: heavy lines, then fine ones. */
const emblems: Record<string, [heavy: string, fine: string]> = {
  // A coin on a counter.
  "first-purchase": [
    "M56 128h88M66 128v14M134 128v14M100 66a28 28 0 1 0 0 56 28 28 0 1 0 0-56",
    `M100 74a20 20 0 1 0 0 40 20 20 0 1 0 0-40M100 80l3.5 10.5 10.5 3.5-10.5 3.5-3.5 10.5-3.5-10.5-10.5-3.5 10.5-3.5Z`,
  ],
  // Ten strokes on a tally.
  "ten-purchases": [
    "M60 74v52M70 74v52M80 74v52M90 74v52M52 116l46-32M110 74v52M120 74v52M130 74v52M140 74v52M102 116l46-32",
    "M54 134h92M54 66h92",
  ],
  // A stall with an awning.
  "first-listing": [
    "M56 82h88l-8-22H64zM62 82v60M138 82v60M56 118h88",
    "M56 82c0 10 15 10 15 0 0 10 14 10 14 0 0 10 15 10 15 0 0 10 15 10 15 0 0 10 14 10 14 0 0 10 15 10 15 0M76 " +
      "60l-5 22M92 60l-3 22M108 60l3 22M124 60l5 22M74 118v-9h10v9M92 118v-14h12v14M114 118v-7h12v7",
  ],
  // A parcel, tied.
  "first-sale": [
    "M62 80l38-16 38 16v40l-38 18-38-18zM62 80l38 16 38-16M100 96v42",
    "M80 72l39 16v14l8-4V84L89 68M70 108l20 9M70 114l12 6M112 124l18-8M112 130l18-8",
  ],
  // A seal in two.
  "first-opening": [
    "M94 58a42 42 0 0 0-4 84l8-16-10-14 12-14-10-14zM108 60a42 42 0 0 1 2 82l6-16-10-14 12-14-10-14z",
    `M78 78l-10 10M76 92l-14 12M78 108l-12 8M84 122l-8 6M124 76l10 8M128 92l12 8M124 110l14 4M120 124l8 6`,
  ],
  // A cabinet with five niches, each with a thing.
  "five-kinds": [
    "M58 62h84v76H58zM58 100h84M86 62v38M114 62v38M100 100v38",
    "M72 92v-14l-4-6h8l-4 6M96 92h8v-8l-4-10-4 10zM128 72a8 8 0 1 0 0 18 8 8 0 1 0 0-18M70 130c0-14 18-14 18 0zM110 130h20l-4-16h-12z",
  ],
  // Nine houses of a wheel.
  "every-kind": [
    `M100 52a48 48 0 1 0 0 96 48 48 0 1 0 0-96M100 84a16 16 0 1 0 0 32 16 16 0 1 0 0-32${ticks(9, 16, 48)}`,
    around(9, 33, 6, Math.PI / 9),
  ],
  // A head in its own light.
  "elder-god": [
    `M84 138v-14c-10-6-14-18-10-32 3-14 14-22 26-22s23 8 26 22c4 14 0 26-10 32v14M84 138h32M92 104h0M108 104h0`,
    `${ticks(32, 46, 58)}M86 98c4-4 9-4 12 0M102 98c4-4 9-4 12 0M100 100v12l-4 2M92 120c5 4 11 4 16 0M76 86c6-8 14-12 24-12s18 4 24 12`,
  ],
  // A table with five seats.
  "five-gods": [`M100 74a26 26 0 1 0 0 52 26 26 0 1 0 0-52${around(5, 44, 10)}`, `${around(5, 16, 4)}${figure(5, 44)}${around(5, 44, 4)}`],
  // A lyre.
  legend: [
    "M76 60c-14 20-10 52 10 66h28c20-14 24-46 10-66-2 10 2 18-2 30M76 60c2 10-2 18 2 30M78 90h44M86 126v12h28v-12",
    "M88 90v36M96 90v36M104 90v36M112 90v36M82 108h4M114 108h4M80 114h6M114 114h6",
  ],
};

interface MedalProps {
  id: string;
  /** The progress, 0 to 1. At 1 it is struck in metal. */
  share: number;
  className?: string;
}

/** The medal of an achievement. It is decorative: its meaning is written beside it. */
export function Medal({ id, share, className }: MedalProps) {
  const struck = share >= 1;
  const [heavy, fine] = emblems[id] ?? [figure(6, 40), figure(6, 28)];
  const line = struck ? "var(--color-night)" : "var(--color-bronze-dim)";
  return (
    <svg viewBox="0 0 200 200" width="200" height="200" fill="none" aria-hidden="true" className={className}>
      {struck && <circle cx={centre} cy={centre} r="94" fill="var(--color-bronze)" />}
      <circle
        cx={centre}
        cy={centre}
        r="94"
        stroke={struck ? "var(--color-bone)" : "var(--color-bronze-dim)"}
        strokeWidth={struck ? 1.5 : 1}
      />
      <path d={ticks(60, 84, 91)} stroke={line} strokeWidth="1" />
      {!struck && share > 0 && <path d={ticks(60, 84, 91, share)} stroke="var(--color-bronze)" strokeWidth="3" />}
      <circle cx={centre} cy={centre} r="80" stroke={line} strokeWidth={struck ? 3 : 1.5} />
      {struck && <path d={hatching(79, 3)} stroke={line} strokeWidth="0.8" opacity="0.55" />}
      {struck && <path d={ticks(120, 73, 78)} stroke={line} strokeWidth="0.8" opacity="0.6" />}
      <g stroke={line} strokeLinejoin="round" strokeLinecap="round" transform="translate(100 100) scale(1.22) translate(-100 -100)">
        <path d={fine} strokeWidth="1.1" />
        <path d={heavy} strokeWidth="2.6" />
      </g>
    </svg>
  );
}
