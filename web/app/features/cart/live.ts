import { useEffect } from "react";
import { notify } from "~/components/ui/toasts";
import { onMessage } from "~/features/realtime/messages";
import { session } from "~/features/session/store";
import type { components } from "~/lib/api/schema.gen";
import { serverNow } from "~/lib/clock";
import type { Patch } from "~/lib/live-query";
import { queryClient } from "~/lib/query";
import { type Cart, withListing, withLoaded, withoutExpired, withoutListing } from "./holds";
import { cartKey } from "./queries";

type Listing = components["schemas"]["Listing"];

/** How often holds are checked for expiry, in milliseconds. */
const expiryCheckEvery = 1_000;

const change = (patch: Patch<Cart>) => queryClient.patchQueries({ queryKey: cartKey }, patch);

/** Applies messages of the realtime channel to the cart while the component is mounted. */
export function useLiveCart(): void {
  useEffect(() => {
    const offListings = onMessage("live-listings-change", ({ type, payload: { document } }) => {
      if (type === "delete") change((cart) => withoutListing(cart, document));
      else change((cart, { ask }) => withListing(cart, document, session.get().profile, ask));
    });
    const offHolds = onMessage("listing", ({ type, payload }) => {
      if (type !== "hold-ended") return;
      const item = queryClient.getQueryData<Cart>(cartKey)?.items.find(({ listingId }) => listingId === payload.listingId);
      notify("blank", item ? `${item.listing.metadata.name}: ${payload.message}` : payload.message);
      void queryClient.invalidateQueries({ queryKey: cartKey });
    });
    return () => {
      offListings();
      offHolds();
    };
  }, []);
}

/** Applies listings that were just loaded to the cart. */
export function rebuildCart(listings: Listing[]): void {
  change((cart, { ask }) => listings.reduce((now, listing) => withLoaded(now, listing, session.get().profile, ask), cart));
}

/** Removes expired items from the cart every second, by the server's clock; not while paused. */
export function useCartExpiry(paused: boolean): void {
  useEffect(() => {
    if (paused) return;
    const timer = setInterval(() => change((cart) => withoutExpired(cart, serverNow())), expiryCheckEvery);
    return () => clearInterval(timer);
  }, [paused]);
}
