/** Corners of a stone by its level; a pebble has none. */
const corners = [0, 3, 4, 6, 8];
const fills = ["#6b6f66", "#2b6b5a", "#2f8a6d", "#47ad86", "#63cfa2"];

function polygon(n: number, radius: number): string {
  return Array.from({ length: n }, (_, i) => {
    const a = (2 * Math.PI * i) / n - Math.PI / 2;
    return `${(32 + radius * Math.cos(a)).toFixed(1)},${(32 + radius * Math.sin(a)).toFixed(1)}`;
  }).join(" ");
}

/** A stone of a level: more corners stand for more merged stones. */
export function Stone({ level }: { level: number }) {
  const n = corners[level - 1] ?? 12;
  const fill = fills[level - 1] ?? "#63cfa2";
  const line = { stroke: "var(--color-night)", strokeWidth: 2, strokeLinejoin: "round" as const };
  return (
    <svg viewBox="0 0 64 64" aria-hidden="true" className="h-auto w-full">
      {n === 0 ? (
        <g transform="translate(32 34) scale(1.25) translate(-32 -34)">
          <path d="M12 36c0-12 9-20 21-20s20 8 19 18-9 15-21 15-19-4-19-13Z" fill={fill} {...line} />
          <path
            d="M19 33c1-7 6-11 13-12M24 42c6 3 13 3 19 0"
            fill="none"
            stroke="var(--color-bone-muted)"
            strokeWidth="1.5"
            strokeLinecap="round"
          />
        </g>
      ) : (
        <>
          <polygon points={polygon(n, 27)} fill={fill} stroke="var(--color-bronze)" strokeWidth="2.5" strokeLinejoin="round" />
          <polygon points={polygon(n, 13)} fill="var(--color-bone)" fillOpacity={0.16 + 0.14 * level} {...line} strokeWidth={1.5} />
          <path
            d={polygon(n, 13)
              .split(" ")
              .map((inner, i) => `M${inner} ${polygon(n, 26).split(" ")[i]}`)
              .join("")}
            fill="none"
            {...line}
            strokeWidth={1.2}
          />
          {level >= 5 && (
            <path
              d="M32 12c1.500 14 5 18.500 20 20-15 1.500-18.500 6-20 20-1.500-14-5-18.500-20-20 15-1.500 18.500-6 20-20Z"
              fill="#fff"
              fillOpacity="0.85"
            />
          )}
        </>
      )}
    </svg>
  );
}
