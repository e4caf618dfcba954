import { useId } from "react";
import { Mark } from "#brand/mark";
import type { Pack } from "./pull";

/** The foil of a kind: shade, body, light, and the ink that is printed on it. */
const foils: Record<Pack["kind"], [shade: string, body: string, light: string, ink: string]> = {
  general: ["#2a1a10", "#83552f", "#e9bd8c", "#efe0c4"],
  avatar: ["#1b212d", "#667087", "#e4e9f4", "#f3f0ff"],
  god: ["#2e1806", "#a8741d", "#ffe2a0", "#fff1cf"],
};

/** Width and height of the drawing. The style sheet knows the tear's height, 42. */
const width = 300;
const height = 430;

const teeth = Array.from({ length: 25 }, (_, i) => i * 12.5);
/** The outline: serrated above and below, hardly bowed at the sides. */
const outline = [
  `M0 7L${teeth.map((x, i) => `${x} ${i % 2 ? 1 : 7}`).join("L")}`,
  `C296 90 296 340 ${width} ${height - 7}`,
  `L${[...teeth]
    .reverse()
    .map((x, i) => `${x} ${height - (i % 2 ? 1 : 7)}`)
    .join("L")}`,
  "C4 340 4 90 0 7Z",
].join("");

/** Where the foil tears, from left to right. */
const torn = Array.from({ length: 31 }, (_, i): [number, number] => [i * 10, 43 + ((i * 37) % 11) - 5 + (i % 2 ? 2.5 : -2.5)]);
const line = torn.map(([x, y]) => `${x} ${y}`).join("L");
/** What is above and below it. */
const pieces = {
  strip: `M-2 -2H302V${torn.at(-1)?.[1]}L${[...torn]
    .reverse()
    .map(([x, y]) => `${x} ${y}`)
    .join("L")}L-2 ${torn[0]?.[1]}Z`,
  body: `M-2 432V${torn[0]?.[1]}L${line}L302 ${torn.at(-1)?.[1]}V432Z`,
};

/** Folds of the foil: where it catches light, and where it does not. */
const bright = [
  "M0 60 62 84 34 200 0 170Z",
  "M300 250 236 300 268 396 300 372Z",
  "M96 0 150 44 204 0Z",
  "M20 430 70 362 132 430Z",
  "M300 60 262 110 300 176Z",
];
const dark = [
  "M0 170 34 200 22 330 0 300Z",
  "M300 176 262 110 276 240 300 250Z",
  "M132 430 70 362 186 372 214 430Z",
  "M0 372 40 330 20 430 0 430Z",
  "M204 0 150 44 262 52 300 0Z",
];

/** One of the two pieces into which a foil pack is torn. The body has the pack's picture; both are decorative. */
export function PackPiece({ pack, piece }: { pack: Pack; piece: "strip" | "body" }) {
  const id = useId();
  const [shade, body, light, ink] = foils[pack.kind];
  const url = (name: string) => `url(#${id}${name})`;
  return (
    <svg viewBox={`0 0 ${width} ${height}`} className="absolute inset-0 size-full overflow-visible" fill="none" aria-hidden="true">
      <defs>
        <linearGradient id={`${id}foil`} x1="0" y1="0" x2="1" y2="0.22">
          {[shade, body, light, body, shade, body, body, light, body, shade].map((colour, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list
            <stop key={i} offset={[0, 0.07, 0.15, 0.24, 0.42, 0.55, 0.72, 0.8, 0.9, 1][i]} stopColor={colour} />
          ))}
        </linearGradient>
        <linearGradient id={`${id}depth`} x1="0" y1="0" x2="0" y2="1">
          <stop stopColor="#000" stopOpacity="0" />
          <stop offset="0.55" stopColor="#000" stopOpacity="0.16" />
          <stop offset="1" stopColor="#000" stopOpacity="0.62" />
        </linearGradient>
        <radialGradient id={`${id}well`} cx="0.5" cy="0.45" r="0.75">
          <stop stopColor="#16211f" />
          <stop offset="1" stopColor="#060b0c" />
        </radialGradient>
        <pattern id={`${id}crimp`} width="5" height="30" patternUnits="userSpaceOnUse">
          <path d="M1 0V30" stroke="#000" strokeOpacity="0.4" strokeWidth="1.6" />
          <path d="M3 0V30" stroke="#fff" strokeOpacity="0.28" strokeWidth="1" />
        </pattern>
        <clipPath id={`${id}outline`}>
          <path d={outline} />
        </clipPath>
        <clipPath id={`${id}piece`}>
          <path d={pieces[piece]} />
        </clipPath>
      </defs>
      <g clipPath={url("piece")}>
        <g clipPath={url("outline")}>
          <path d={outline} fill={url("foil")} />
          <path d={bright.join("")} fill="#fff" fillOpacity="0.09" />
          <path d={dark.join("")} fill="#000" fillOpacity="0.16" />
          <path d={outline} fill={url("depth")} />
          <path d={`M0 0H${width}V31H0ZM0 ${height - 31}H${width}V${height}H0Z`} fill={url("crimp")} />
          <path d={`M0 31.500H${width}M0 ${height - 31.5}H${width}`} stroke="#000" strokeOpacity="0.45" />
          <path d={`M0 32.500H${width}M0 ${height - 30.5}H${width}`} stroke={light} strokeOpacity="0.5" />
          {piece === "body" && <Print pack={pack} ink={ink} well={url("well")} />}
        </g>
        <path d={outline} stroke={light} strokeOpacity="0.55" />
      </g>
      {/* The raw edge of the foil. */}
      <path d={`M${line}`} stroke="#fff6e0" strokeWidth="1.6" strokeLinejoin="round" className="opening-raw" />
    </svg>
  );
}

/** What is printed on a pack: mark, picture and name. */
function Print({ pack, ink, well }: { pack: Pack; ink: string; well: string }) {
  return (
    <>
      <svg x="136" y="52" width="28" height="28" color={ink} role="presentation">
        <Mark size={28} />
      </svg>
      <path d="M34 66h92m48 0h92" stroke={ink} strokeOpacity="0.6" />
      <path d="M40 90H260L270 100V346L260 356H40L30 346V100Z" fill={well} stroke="#000" strokeOpacity="0.5" strokeWidth="5" />
      {/* The part of the card's picture inside its own frame. */}
      <svg x="33" y="93" width="234" height="260" viewBox="48 76 504 560" preserveAspectRatio="xMidYMid slice" role="presentation">
        <image href={pack.image} width="600" height="800" />
      </svg>
      <path d="M40 90H260L270 100V346L260 356H40L30 346V100Z" stroke={ink} strokeOpacity="0.9" strokeWidth="1.5" />
      <path d="M43 95H257L265 103V343L257 351H43L35 343V103Z" stroke={ink} strokeOpacity="0.35" />
      <text
        x="150"
        y="386"
        textAnchor="middle"
        fill={ink}
        className="display"
        fontSize="27"
        letterSpacing="1"
        {...(pack.name.length > 18 && { textLength: 244, lengthAdjust: "spacingAndGlyphs" })}
      >
        {pack.name}
      </text>
    </>
  );
}
