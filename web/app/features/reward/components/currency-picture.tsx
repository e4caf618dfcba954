import { type ReactNode, useId } from "react";
import { marks } from "#brand/marks";

interface VesselProps {
  /** Its height, as a share of the picture's. */
  size: number;
  /** The colours of its body, from light to dark. */
  body: [light: string, dark: string];
  /** The drawing, given the fill of the body. */
  children: (fill: string) => ReactNode;
}

function Vessel({ size, body: [light, dark], children }: VesselProps) {
  const body = useId();
  return (
    <svg viewBox="0 0 200 220" fill="none" strokeLinejoin="round" strokeLinecap="round" aria-hidden="true" className="h-full w-full">
      <g transform={`translate(${100 - 100 * size} ${218 - 218 * size}) scale(${size})`} stroke="#070c0e" strokeWidth="5">
        {children(`url(#${body})`)}
      </g>
      <defs>
        <linearGradient id={body} x1="0" y1="0" x2="1" y2="1">
          <stop stopColor={light} />
          <stop offset="1" stopColor={dark} />
        </linearGradient>
      </defs>
    </svg>
  );
}

/** A purse with its strings drawn, scaled by `size`. */
export function Purse({ size }: { size: number }) {
  return (
    <Vessel size={size} body={["#a54d30", "#3f1a10"]}>
      {(leather) => (
        <>
          <path d="M72 62C24 92 4 140 14 182c6 26 34 34 86 34s80-8 86-34c10-42-10-90-58-120Z" fill={leather} />
          <path d="M72 62C58 40 44 34 40 20c20 8 34-4 60-4s40 12 60 4c-4 14-18 20-32 42Z" fill="#a54d30" />
          <path d="M64 54h72v18H64Z" fill="#ecbe50" />
          <path d="M136 70c26 10 30 34 22 54M132 72c8 18 6 34-2 46" stroke="#ecbe50" />
          <circle cx="100" cy="146" r="34" fill="#b47f1d" />
          <circle cx="100" cy="146" r="25" fill="#ecbe50" stroke="#63400b" strokeWidth="3" />
          <path d="m100 126 5 15 15 5-15 5-5 15-5-15-15-5 15-5Z" fill="#63400b" stroke="none" />
          <path d="M36 178c10 14 26 20 44 22M34 150c0-20 10-38 22-50" stroke="#dc875e" strokeWidth="4" />
        </>
      )}
    </Vessel>
  );
}

/** A jar of nectar with a drop on its belly, scaled by `size`. */
export function Jar({ size }: { size: number }) {
  return (
    <Vessel size={size} body={["#3d8f84", "#0f302f"]}>
      {(clay) => (
        <>
          <path d="M62 74C34 60 22 74 30 98c4 12 14 20 26 22M138 74c28-14 40 0 32 24-4 12-14 20-26 22" stroke="#070c0e" strokeWidth="14" />
          <path d="M62 74C34 60 22 74 30 98c4 12 14 20 26 22M138 74c28-14 40 0 32 24-4 12-14 20-26 22" stroke="#3d8f84" strokeWidth="7" />
          <path d="M74 48c2 20-34 34-34 84 0 42 26 68 38 84h44c12-16 38-42 38-84 0-50-36-64-34-84Z" fill={clay} />
          <path d="M66 30h68v20H66Z" fill="#ecbe50" />
          <path d="M78 12h44l6 18H72Z" fill="#a54d30" />
          <path d="M45 108c36 12 74 12 110 0M47 168c34 12 72 12 106 0" stroke="#ecbe50" strokeWidth="6" />
          <path d="M100 116c12 16 18 24 18 32a18 18 0 0 1-36 0c0-8 6-16 18-32Z" fill="#f07fb2" stroke="#4a1230" strokeWidth="4" />
          <path d="M92 148c0 5 3 8 7 9" stroke="#ffd6ea" strokeWidth="4" />
          <path d="M56 138c0 18 6 32 14 44" stroke="#8fd8cc" strokeWidth="4" />
        </>
      )}
    </Vessel>
  );
}

/** The picture of a currency, by its code: a purse, a jar, or the mark of its tokens. It is decorative. */
export function CurrencyPicture({ code }: { code: string }) {
  if (code === "ne") return <Jar size={0.9} />;
  const mark = marks[code];
  if (!mark) return <Purse size={0.9} />;
  return (
    <svg viewBox="-6 -6 60 60" fill="none" stroke="var(--color-bronze)" strokeWidth="2" aria-hidden="true" className="h-full w-full">
      <path d={mark} />
    </svg>
  );
}
