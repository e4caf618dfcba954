import { endOf, isOwn } from "~/features/cart/holds";
import type { Profile } from "~/features/session/store";
import { isSameAddress } from "~/lib/token";
import type { Listing } from "./queries";

/** Whether a player can take a unit of a listing now. */
export type Availability =
  | { kind: "free"; left: number }
  /** The player holds `count` units, the first of them until `until`; `left` more are free. */
  | { kind: "mine"; count: number; until: number; left: number }
  /** Others hold every unit; the first comes back at `until`. */
  | { kind: "held"; until: number }
  /** It is the player's own listing. */
  | { kind: "selling" };

/**
 * A listing's availability to a player, whose smart wallet is `address` ("" while unknown). Times are in milliseconds
 * since 1970.
 */
export function availability(listing: Listing, profile: Profile | null, address: string): Availability {
  if (address && isSameAddress(listing.seller, address)) return { kind: "selling" };
  const holds = listing.inCartItems;
  const own = holds.filter((hold) => isOwn(hold, profile));
  const left = Math.max(0, listing.quantity - holds.length);
  if (own.length) return { kind: "mine", count: own.length, until: Math.min(...own.map(endOf)), left };
  if (left === 0 && holds.length) return { kind: "held", until: Math.min(...holds.map(endOf)) };
  return { kind: "free", left };
}
