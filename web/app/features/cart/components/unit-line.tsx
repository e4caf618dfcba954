import type { ReactNode } from "react";
import { Link } from "react-router";
import { TrashIcon } from "~/components/ui/market-icons";
import { Price } from "~/components/ui/price";
import { isRarity, RarityBadge } from "~/components/ui/rarity";
import { cn } from "~/lib/cn";
import { paths } from "~/lib/paths";
import type { Goods } from "../queries";

interface UnitLineProps {
  goods: Goods;
  /** Whether it is shown large. */
  large?: boolean;
  /** Whether it is dimmed, as it cannot be paid. */
  dimmed?: boolean;
  /** The remove button's label for screen readers. */
  removeLabel: (name: string) => string;
  onRemove: () => void;
  /** Called when the player opens the item. */
  onFollow?: (() => void) | undefined;
  /** Additional information about the unit. */
  children: ReactNode;
}

/** One unit in a list: its name, its price, additional information, and a button that removes it. */
export function UnitLine({ goods, large = false, dimmed = false, removeLabel, onRemove, onFollow, children }: UnitLineProps) {
  const { name = "Item", image, rarity = "" } = goods.metadata ?? {};
  return (
    <li className={cn("flex", large ? "gap-5 py-6 sm:gap-10 sm:py-8" : "gap-4 py-4")}>
      <img
        src={image}
        alt=""
        width={600}
        height={800}
        className={cn("h-auto shrink-0 self-start rounded-sm", large ? "w-32 sm:w-64" : "w-[4.5rem]", dimmed && "opacity-40 grayscale")}
      />
      <div className={cn("flex min-w-0 flex-1 flex-col", large ? "gap-2 sm:pt-2" : "gap-1")}>
        {large && isRarity(rarity) && <RarityBadge rarity={rarity} />}
        <Link
          to={paths.item(goods.assetContractAddress, goods.tokenId)}
          onClick={onFollow}
          className={cn(
            "hover:text-ember-bright",
            large ? "display inline-flex min-h-11 items-center text-2xl sm:text-4xl" : "flex min-h-11 items-center font-bold leading-tight",
            dimmed && "text-bone-muted",
          )}
        >
          <span className={cn(!large && "line-clamp-2")}>{name}</span>
        </Link>
        <Price value={goods.price} className={cn(large && "text-lg", dimmed && "text-bone-muted")} />
        {children}
      </div>
      <button
        type="button"
        aria-label={removeLabel(name)}
        onClick={onRemove}
        className="grid size-11 shrink-0 place-items-center self-start rounded text-bone-muted hover:bg-night-3 hover:text-bone"
      >
        <TrashIcon size={18} />
      </button>
    </li>
  );
}
