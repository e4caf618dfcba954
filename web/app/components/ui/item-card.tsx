import type { ReactNode } from "react";
import { Link } from "react-router";
import { cn } from "~/lib/cn";
import { type Rarity, RarityBadge } from "./rarity";

const rims: Record<Rarity, string> = {
  common: "hover:border-rarity-common/60",
  uncommon: "hover:border-rarity-uncommon/60",
  rare: "hover:border-rarity-rare/60",
  epic: "hover:border-rarity-epic/60",
  legendary: "hover:border-rarity-legendary/60",
  mythic: "hover:border-rarity-mythic/60",
};

interface ItemCardProps {
  to: string;
  image: string;
  name: string;
  rarity: Rarity;
  /** Whether the image is likely to be visible at once; others are loaded lazily. */
  eager?: boolean | undefined;
  /** Whether the image is dimmed, because the item is unavailable. */
  dimmed?: boolean | undefined;
  /** Content over the image's upper edge, such as a state. */
  overlay?: ReactNode;
  /** The strip under the name: price and action. Its height is reserved. */
  children?: ReactNode;
}

/**
 * One item as a card: the upper part of its image, its name, and a strip for price and action. The whole image links
 * to the item.
 */
export function ItemCard({ to, image, name, rarity, eager, dimmed, overlay, children }: ItemCardProps) {
  return (
    <article
      className={cn(
        "group relative flex flex-col overflow-hidden rounded border border-line bg-night-1 " +
          "transition-[transform,translate,border-color] hover:-translate-y-1",
        "motion-safe:hover:transform-[perspective(50rem)_rotateX(3deg)]",
        rims[rarity],
      )}
    >
      <div className="relative aspect-[600/640] overflow-hidden bg-night-2">
        <img
          src={image}
          alt=""
          width={600}
          height={800}
          loading={eager ? "eager" : "lazy"}
          decoding="async"
          className={cn(
            "absolute inset-0 h-full w-full object-cover object-top transition-transform duration-300 group-hover:scale-[1.03]",
            dimmed && "opacity-45 saturate-50",
          )}
        />
        {/* A sheen over the metal. */}
        <span
          aria-hidden="true"
          className={
            "absolute inset-0 -translate-x-full " +
            "bg-[linear-gradient(105deg,transparent_38%,color-mix(in_oklab,var(--color-bone)_16%,transparent)_50%,transparent_62%)] " +
            "duration-700 motion-safe:transition-transform motion-safe:group-hover:translate-x-full"
          }
        />
        {overlay}
      </div>
      <div className="flex flex-1 flex-col gap-1 px-3 pb-3 pt-2.5 sm:px-3.5 sm:pb-3.5 sm:pt-3">
        <RarityBadge rarity={rarity} className="text-[0.75rem]" />
        <h3 className="line-clamp-2 min-h-[2.5em] font-bold leading-tight">
          <Link to={to} className="after:absolute after:inset-0">
            {name}
          </Link>
        </h3>
        {children && <div className="relative mt-auto flex min-h-11 items-center justify-between gap-1.5 pt-1">{children}</div>}
      </div>
    </article>
  );
}
