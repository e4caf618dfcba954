import { cn } from "~/lib/cn";

/** The rarities, lowest first. */
export const rarities = ["common", "uncommon", "rare", "epic", "legendary", "mythic"] as const;
export type Rarity = (typeof rarities)[number];

/** Whether an external value is a rarity. */
export function isRarity(value: unknown): value is Rarity {
  return (rarities as readonly unknown[]).includes(value);
}

/** An external value as a rarity; the lowest for what is none. */
export const rarityOf = (value: unknown): Rarity => (isRarity(value) ? value : "common");

const colours: Record<Rarity, string> = {
  common: "text-rarity-common",
  uncommon: "text-rarity-uncommon",
  rare: "text-rarity-rare",
  epic: "text-rarity-epic",
  legendary: "text-rarity-legendary",
  mythic: "text-rarity-mythic",
};

const shapes: Record<Rarity, string> = {
  common: "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11Z",
  uncommon: "M8 2 14.5 13.5h-13Z",
  rare: "M8 1.5 14 8l-6 6.5L2 8Z",
  epic: "M8 1.5 14.5 6.2 12 14H4L1.5 6.2Z",
  legendary: "m8 1 2 4.7 5 .5-3.800 3.4L12.3 15 8 12.2 3.7 15l1.100-5.4L1 6.2l5-.5Z",
  mythic:
    "M8 4.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM8 .5v2M8 13.5v2M.5 8h2M13.5 8h2M2.7 2.7l1.4 1.4M11.9 11.9l1.4 " +
    "1.4M13.3 2.7l-1.4 1.4M4.100 11.9l-1.4 1.4",
};

/** A rarity as colour, shape and text: each of the three is sufficient to read it. */
export function RarityBadge({ rarity, className }: { rarity: Rarity; className?: string }) {
  return (
    <span className={cn("caption inline-flex items-center gap-1.5", colours[rarity], className)}>
      <svg
        width="13"
        height="13"
        viewBox="0 0 16 16"
        fill={rarity === "common" ? "none" : "currentColor"}
        stroke="currentColor"
        strokeWidth="1.5"
        aria-hidden="true"
      >
        <path d={shapes[rarity]} />
      </svg>
      {rarity}
    </span>
  );
}
