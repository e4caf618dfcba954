import { useIdle } from "./use-idle";

interface LamplightProps {
  /** Where the lamp is, in percent of the picture's width and height. */
  x: number;
  y: number;
  /** How far the light reaches to each side, in percent of the picture's width. */
  reach: number;
  /** The colour of the light; a warm one unless said otherwise. */
  colour?: string;
}

/** Light over a picture that breathes slowly once the page is idle. Stands in a box that has the picture's proportions. */
export function Lamplight({ x, y, reach, colour = "#ffe3a3" }: LamplightProps) {
  const idle = useIdle();
  return (
    <span
      aria-hidden="true"
      className={`pointer-events-none absolute aspect-square -translate-x-1/2 -translate-y-1/2 rounded-full ${idle ? "[animation:pulse_6s_ease-in-out_infinite]" : ""}`}
      style={{
        left: `${x}%`,
        top: `${y}%`,
        width: `${reach * 2}%`,
        background: `radial-gradient(closest-side, color-mix(in oklab, ${colour} 26%, transparent), transparent)`,
      }}
    />
  );
}
