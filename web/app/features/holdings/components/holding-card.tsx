import type { ReactNode } from "react";
import { Link } from "react-router";
import { RarityBadge, rarityOf } from "~/components/ui/rarity";
import { cn } from "~/lib/cn";
import { paths } from "~/lib/paths";
import type { Holding } from "../queries";

interface HoldingCardProps {
  holding: Holding;
  name: string;
  /** The classes of the list's item and of what is in it. */
  looks: { item: string; picture: string; text?: string; name: string };
  children: ReactNode;
}

/** What a player holds, in a list, with a link to the item's page. A single one is shown large. */
export function HoldingCard({ holding: { contract, tokenId, metadata }, name, looks, children }: HoldingCardProps) {
  return (
    <li className={cn("group relative only:col-span-full only:lg:grid-cols-[minmax(0,34rem)_1fr] only:lg:items-end", looks.item)}>
      <div className={cn("overflow-hidden rounded bg-night-1", looks.picture)}>
        <img
          src={metadata.image}
          alt=""
          width={600}
          height={800}
          loading="lazy"
          decoding="async"
          className="h-full w-full object-cover object-top transition-transform duration-300 group-hover:scale-[1.03]"
        />
      </div>
      <div className={looks.text}>
        <RarityBadge rarity={rarityOf(metadata.rarity)} />
        <h2 className={cn("display mt-1.5 break-words text-3xl group-only:lg:leading-[0.94]", looks.name)}>
          <Link to={paths.item(contract, tokenId)} className="after:absolute after:inset-0">
            {name}
          </Link>
        </h2>
        {children}
      </div>
    </li>
  );
}
