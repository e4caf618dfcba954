import type { Profile } from "~/features/session/store";
import { add } from "~/lib/amount";
import type { components } from "~/lib/api/schema.gen";
import type { Cart, CartItem } from "./queries";

type Listing = components["schemas"]["Document"];
type Hold = components["schemas"]["CartDocument"];

/** Whether a hold is the player's own: it carries their id, or their tag in what everybody is told. */
export function isOwn(hold: Hold, profile: Profile | null): boolean {
  return profile !== null && (hold.playFabId === profile.AccountInfo.PlayFabId || hold.playFabId === profile.cartTag);
}

/** When a hold ends, in milliseconds since 1970. */
export function endOf(hold: { expiresAt: string }): number {
  return Date.parse(hold.expiresAt);
}

/** Names a unit of a listing. */
export function unitId({ listingId, index }: Pick<CartItem, "listingId" | "index">): string {
  return `${listingId}-${index}`;
}

/** A cart of the given items, with their number and the total of what is still for sale. */
export function cartOf(items: CartItem[]): Cart {
  return { items, totalItems: items.length, total: items.filter((item) => item.changed !== "gone").reduce((sum, item) => add(sum, item.listing.price), "0") };
}

/** The cart after a listing changed: its items are rebuilt from the player's own holds in it. */
export function withListing(cart: Cart, listing: Listing, profile: Profile | null): Cart {
  const known = cart.items.filter((item) => item.listingId === listing.listingId);
  const own = listing.inCartItems.filter((hold) => isOwn(hold, profile));
  if (!known.length && !own.length) return cart;
  const rebuilt = own.map((hold): CartItem => {
    const before = known.find((item) => item.index === hold.index);
    const priceWhenHeld = before?.priceWhenHeld ?? listing.price;
    const changed = listing.isInvalid || hold.index >= listing.quantity ? "gone" : priceWhenHeld !== listing.price ? "price" : undefined;
    return { ...hold, playFabId: profile?.AccountInfo.PlayFabId ?? "", priceWhenHeld, listing, ...(changed ? { changed } : {}) };
  });
  const others = cart.items.filter((item) => item.listingId !== listing.listingId);
  return cartOf([...others, ...rebuilt].sort((a, b) => a.updatedAt.localeCompare(b.updatedAt)));
}

/** The cart without a listing that has ended; the same cart when it is not in it. */
export function withoutListing(cart: Cart, listingId: string): Cart {
  const kept = cart.items.filter((item) => item.listingId !== listingId);
  return kept.length === cart.items.length ? cart : cartOf(kept);
}

/** The cart without the holds that have ended by `now`; the same cart when there are none. */
export function withoutExpired(cart: Cart, now: number): Cart {
  const kept = cart.items.filter((item) => endOf(item) > now);
  return kept.length === cart.items.length ? cart : cartOf(kept);
}
