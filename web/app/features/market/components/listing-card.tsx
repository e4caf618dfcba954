import { Button, ButtonLink } from "~/components/ui/button";
import { Countdown } from "~/components/ui/countdown";
import { ItemCard } from "~/components/ui/item-card";
import { ClockIcon, LockIcon } from "~/components/ui/market-icons";
import { Price } from "~/components/ui/price";
import { rarityOf } from "~/components/ui/rarity";
import { useHold } from "~/features/cart/actions";
import { openCart } from "~/features/cart/drawer";
import { unitOf } from "~/features/cart/visitor";
import { session } from "~/features/session/store";
import { wallet } from "~/features/wallet/store";
import { compare } from "~/lib/amount";
import { amount } from "~/lib/format";
import { paths } from "~/lib/paths";
import { rules } from "~/lib/rules";
import { useStore } from "~/lib/store";
import { type Availability, availability } from "../availability";
import type { Figures, Listing } from "../queries";

/** The ribbon over the image: why the item is unavailable, or how long it is held, which leads to the cart. */
export function Ribbon({ state }: { state: Availability }) {
  if (state.kind === "free" && state.left < 2) return null;
  if (state.kind === "mine") {
    return (
      <button
        type="button"
        title="View cart"
        onClick={openCart}
        className={
          "caption absolute left-0 top-0 z-10 flex min-h-11 items-center gap-1.5 bg-night/90 px-2.5 text-ember-bright " +
          "hover:text-bone lg:min-h-9"
        }
      >
        <ClockIcon size={14} />
        In cart <Countdown until={state.until} label="Held for you for" />
      </button>
    );
  }
  return (
    <span className="caption absolute left-0 top-0 flex items-center gap-1.5 bg-night/90 px-2.5 py-1.5">
      {state.kind === "held" && (
        <span className="flex items-center gap-1.5 text-bone-muted">
          <LockIcon size={14} />
          Held <Countdown until={state.until} label="Held by another player for" />
        </span>
      )}
      {state.kind === "selling" && <span className="text-bronze">Your listing</span>}
      {state.kind === "free" && <span className="text-bone-muted">{state.left} left</span>}
    </span>
  );
}

interface HoldButtonProps {
  listing: Listing;
  state: Availability;
  size?: "small" | "medium";
  className?: string;
}

/** The button that adds a unit of a listing to the cart, which holds it; or says why none is available. */
export function HoldButton({ listing, state, size = "small", className }: HoldButtonProps) {
  const { hold, isPending } = useHold();
  const more = state.kind === "mine";
  if (state.kind === "selling") return null;
  // The same button, so that it keeps the focus when the last unit was added.
  const all = more && state.left === 0;
  const taken = state.kind === "held";
  const text = all ? "In cart" : more ? "One more" : taken ? "Held" : "Add to cart";
  return (
    <Button
      kind={more || taken ? "quiet" : "primary"}
      size={size}
      busy={isPending}
      disabled={taken}
      className={className}
      aria-label={`${text}: ${listing.metadata.name}`}
      onClick={all ? openCart : () => hold(unitOf(listing))}
    >
      {text}
    </Button>
  );
}

/**
 * The offers of an item and their lowest price, unless a card at `price` shows it already. The card of an item is its cheapest offer
 * that is free: cheaper ones in other carts do not count.
 */
function offersText({ offers, floor }: Figures, price: string, perItem: boolean): string {
  if (!floor || offers < 2) return "";
  if (perItem) return `${offers}${offers < rules.maxOffers ? "" : "+"} offers from ${amount(price)}`;
  return compare(floor, price) < 0 ? `From ${amount(floor)}` : "";
}

interface ListingCardProps {
  listing: Listing;
  /** The item's figures, if known. */
  figures?: Figures | undefined;
  /** Whether the card stands for all offers of its item. */
  perItem?: boolean;
  eager?: boolean;
  /** Whether it has left the list while it is shown. */
  gone?: boolean;
}

/** The class of the button in a card's strip. */
const strip = "@max-[14rem]:w-full";

/** A listing on the market: the item, its price, its holds, and the button that adds it to the cart. */
export function ListingCard({ listing, figures, perItem = false, eager, gone = false }: ListingCardProps) {
  const profile = useStore(session, (s) => s.profile);
  const own = useStore(wallet, (w) => w.smartAddress);
  const state = availability(listing, profile, own || profile?.smartWalletAddress || "");
  const { name, image, rarity } = listing.metadata;
  return (
    <ItemCard
      to={paths.item(listing.assetContractAddress, listing.tokenId)}
      image={image}
      name={name}
      rarity={rarityOf(rarity)}
      eager={eager}
      dimmed={gone || state.kind === "held"}
      overlay={!gone && <Ribbon state={state} />}
    >
      {/* All cards of a grid have the same height: two lines of figures, and in a narrow card the button below any price. */}
      <div className="@container w-full">
        <div className="figures flex h-10 flex-col justify-end text-sm leading-5 text-bone-muted *:truncate">
          {figures && <span>{offersText(figures, listing.price, perItem)}</span>}
          {figures?.lastSale && <span>Last sale {amount(figures.lastSale)}</span>}
        </div>
        <div className="mt-1.5 flex flex-wrap items-center justify-between gap-1.5">
          <Price value={listing.price} className="text-lg font-bold" />
          {gone ? (
            <Button kind="quiet" size="small" disabled className={strip}>
              Gone
            </Button>
          ) : state.kind === "selling" ? (
            <ButtonLink kind="quiet" size="small" to={paths.listings} aria-label={`Manage your listing: ${name}`} className={strip}>
              Manage
            </ButtonLink>
          ) : (
            <HoldButton listing={listing} state={state} className={strip} />
          )}
        </div>
      </div>
    </ItemCard>
  );
}

/** A placeholder with the geometry of a card. */
export function ListingCardSkeleton() {
  return (
    <div className="@container rounded border border-line">
      <div className="aspect-[600/640]" />
      <div className="h-[13.6rem] @min-[15.8rem]:h-[11.4rem] sm:h-[13.3rem] sm:@min-[15.8rem]:h-[11.1rem]" />
    </div>
  );
}
