import type { CSSProperties } from "react";
import { Mark } from "#brand/mark";
import type { Rarity } from "~/components/ui/rarity";
import { CurrencyPicture } from "~/features/reward/components/currency-picture";
import type { Place } from "./card-layout";
import type { Pull } from "./pull";

/** Where a card of the stage is: in the pack, in its place on the table, behind the last card, or alone in front. */
export type Where = "pack" | "table" | "behind" | "front";

/** How strongly a rarity shines, from 0 to 1. */
export const shine: Record<Rarity, number> = { common: 0.25, uncommon: 0.4, rare: 0.55, epic: 0.7, legendary: 0.85, mythic: 1 };

const rays = Array.from({ length: 48 }, (_, i) => {
  const a = (Math.PI * 2 * i) / 48;
  const [from, to] = [62, i % 2 ? 96 : 118];
  const at = (r: number) => `${(120 + r * Math.cos(a)).toFixed(1)} ${(160 + r * Math.sin(a)).toFixed(1)}`;
  return `M${at(from)}L${at(to)}`;
}).join("");

/** A card's back, with the brand's mark, as a symbol that each card uses. */
export function BackSymbol({ id }: { id: string }) {
  return (
    <svg width="0" height="0" className="absolute" aria-hidden="true">
      <symbol id={id} viewBox="0 0 240 320" fill="none">
        <path d="M0 0H240V320H0Z" fill="var(--color-night-1)" />
        <path d="M0 0H240V320H0Z" fill="var(--color-bronze-dim)" fillOpacity="0.14" />
        <path d={rays} stroke="var(--color-bronze-dim)" strokeOpacity="0.7" />
        <g stroke="var(--color-bronze)">
          <path d="M20 9H220L231 20V300L220 311H20L9 300V20Z" strokeWidth="2" />
          <path d="M24 16H216L224 24V296L216 304H24L16 296V24Z" strokeOpacity="0.5" />
          <circle cx="120" cy="160" r="56" strokeWidth="1.5" />
          <circle cx="120" cy="160" r="51" strokeOpacity="0.45" strokeDasharray="1 5" strokeWidth="4" />
          <path
            d="M120 40 124 48 132 50 124 52 120 60 116 52 108 50 116 48ZM120 260l4 8 8 2-8 2-4 8-4-8-8-2 8-2Z"
            fill="var(--color-bronze)"
          />
          <path d="M30 56V30H56M184 30h26V56M210 264v26H184M56 290H30V264" strokeWidth="1.500" />
        </g>
        <svg x="86" y="124" width="68" height="68" color="var(--color-bone)" role="presentation">
          <Mark size={68} />
        </svg>
      </symbol>
    </svg>
  );
}

/** What is on a card's face: the picture of the token or of the currency. It fills the card; decorative. */
export function Face({ pull: { image, currency }, loading = "eager" }: { pull: Pull; loading?: "eager" | "lazy" }) {
  if (image)
    return (
      <img
        src={image}
        alt=""
        width={600}
        height={800}
        draggable={false}
        loading={loading}
        decoding="async"
        className="absolute inset-0 size-full"
      />
    );
  return <span className="absolute inset-0 p-[16%]">{currency && <CurrencyPicture code={currency} />}</span>;
}

interface StageCardProps {
  pull: Pull;
  /** The symbol of the back. */
  back: string;
  where: Where;
  up: boolean;
  /** Whether its face is there yet. */
  faced: boolean;
  place: Place;
  index: number;
  /** Its full width in pixels, and the scale at which it lies on the table and in the pack. */
  width: number;
  onTable: number;
  inPack: number;
}

/** A card on the stage. Decorative: what it is stands in the live region and in the grid. */
export function StageCard({ pull, back, where, up, faced, place, index, width, onTable, inPack }: StageCardProps) {
  const style = {
    "--x": `${place.x}px`,
    "--y": `${place.y}px`,
    "--turn": `${place.turn}deg`,
    "--index": index,
    "--width": `${width}px`,
    "--on-table": onTable,
    "--in-pack": inPack,
    "--rim": `var(--color-rarity-${pull.rarity})`,
    "--shine": shine[pull.rarity],
  } as CSSProperties;
  return (
    <div className="opening-card" data-where={where} data-up={up || undefined} data-rarity={pull.rarity} style={style}>
      <div className="opening-glow" />
      <div className="opening-flip">
        <svg className="opening-face" role="presentation">
          <use href={`#${back}`} />
        </svg>
        <div className="opening-face opening-front">{faced && <Face pull={pull} />}</div>
      </div>
    </div>
  );
}
