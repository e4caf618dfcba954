import { hmac } from "@noble/hashes/hmac";
import { sha256 } from "@noble/hashes/sha2";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils";
import type { Profile } from "~/features/session/store";
import { add } from "~/lib/amount";
import type { components } from "~/lib/api/schema.gen";

export type Cart = components["schemas"]["Cart"];
export type CartItem = components["schemas"]["CartItem"];
type Listing = components["schemas"]["Listing"];
type Hold = components["schemas"]["CartDocument"];

/** The tags that were computed, by the profile and the listing: a list of many holds is checked at each change. */
const tags = new WeakMap<Profile, Map<string, string>>();

/** The name of a player's holds of a listing in public data. It differs between listings, so that nobody else can link them. */
export function ownTag(profile: Profile, listingId: string): string {
  const known = tags.get(profile) ?? new Map<string, string>();
  tags.set(profile, known);
  const tag = known.get(listingId) ?? bytesToHex(hmac(sha256, hexToBytes(profile.holderKey), utf8ToBytes(listingId))).slice(0, 16);
  known.set(listingId, tag);
  return tag;
}

/** Whether a hold is the player's own: it has their id, or their tag in public data. */
export function isOwn(hold: Hold, profile: Profile | null): boolean {
  return profile !== null && (hold.playFabId === profile.AccountInfo.PlayFabId || hold.playFabId === ownTag(profile, hold.listingId));
}

/** When a hold ends, in milliseconds since 1970. */
export function endOf(hold: { expiresAt: string }): number {
  return Date.parse(hold.expiresAt);
}

/** The id of a unit of a listing. */
export function unitId({ listingId, index }: Pick<CartItem, "listingId" | "index">): string {
  return `${listingId}-${index}`;
}

/** Creates a cart of the given items, with their number and the total of those still for sale. */
export function cartOf(items: CartItem[]): Cart {
  return {
    items,
    totalItems: items.length,
    total: items.filter((item) => item.changed !== "gone").reduce((sum, item) => add(sum, item.listing.price), "0"),
  };
}

/** Sorts items like the server: oldest hold first. */
function inOrder(a: CartItem, b: CartItem): number {
  const ids = a.listing._id < b.listing._id ? -1 : Number(a.listing._id > b.listing._id);
  return Date.parse(a.updatedAt) - Date.parse(b.updatedAt) || ids || a.index - b.index;
}

/**
 * The cart after a change of a listing, rebuilt from the player's own holds in it. Returns the same cart if the
 * listing is not in it, or is there in a newer version. Only the server knows the price at which a unit was added, so
 * a new unit triggers a refetch.
 */
export function withListing(cart: Cart, listing: Listing, profile: Profile | null, ask: () => void): Cart {
  const known = cart.items.filter((item) => item.listingId === listing.listingId);
  const own = listing.inCartItems.filter((hold) => isOwn(hold, profile));
  if (!known.length && !own.length) return cart;
  if (known.some((item) => item.listing.version > listing.version)) return cart;
  if (own.some((hold) => !known.some((item) => item.index === hold.index))) ask();
  const rebuilt = own.map((hold): CartItem => {
    const before = known.find((item) => item.index === hold.index);
    const priceWhenHeld = before?.priceWhenHeld ?? listing.price;
    const changed = listing.isInvalid || hold.index >= listing.quantity ? "gone" : priceWhenHeld !== listing.price ? "price" : undefined;
    return { ...hold, playFabId: profile?.AccountInfo.PlayFabId ?? "", priceWhenHeld, listing, ...(changed ? { changed } : {}) };
  });
  const others = cart.items.filter((item) => item.listingId !== listing.listingId);
  return cartOf([...others, ...rebuilt].sort(inOrder));
}

/**
 * The cart after a listing was loaded in a list: rebuilt if the list has a newer version of it. If the list shows the
 * player's holds and the cart has none, either may be older, so the cart is refetched.
 */
export function withLoaded(cart: Cart, listing: Listing, profile: Profile | null, ask: () => void): Cart {
  const known = cart.items.filter((item) => item.listingId === listing.listingId);
  if (!known.length && listing.inCartItems.some((hold) => isOwn(hold, profile))) ask();
  return known.some((item) => item.listing.version < listing.version) ? withListing(cart, listing, profile, ask) : cart;
}

/**
 * The cart without a listing that has ended; the same cart if the listing is not in it, or is there in a newer
 * version.
 */
export function withoutListing(cart: Cart, { listingId, version }: Listing): Cart {
  const kept = cart.items.filter((item) => item.listingId !== listingId || item.listing.version > version);
  return kept.length === cart.items.length ? cart : cartOf(kept);
}

/** The cart without some units; the same cart if none of them is in it. */
export function withoutUnits(cart: Cart, units: CartItem[]): Cart {
  const gone = new Set(units.map(unitId));
  const kept = cart.items.filter((item) => !gone.has(unitId(item)));
  return kept.length === cart.items.length ? cart : cartOf(kept);
}

/** The cart without the holds that have ended by `now`; the same cart if there are none. */
export function withoutExpired(cart: Cart, now: number): Cart {
  const kept = cart.items.filter((item) => endOf(item) > now);
  return kept.length === cart.items.length ? cart : cartOf(kept);
}
