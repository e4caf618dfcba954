import { useEffect } from "react";
import { notify } from "~/components/ui/toasts";
import { onMessage } from "~/features/realtime/messages";
import { session } from "~/features/session/store";
import { serverNow } from "~/lib/clock";
import { queryClient } from "~/lib/query";
import { withListing, withoutExpired, withoutListing } from "./holds";
import { type Cart, cartKey } from "./queries";

/** How often holds are checked for their end, in milliseconds. */
export const expiryCheckEvery = 1_000;

/** Changes the cart as it is known here. Where nothing changes, it also stays as old, and as failed, as it was. */
function change(by: (cart: Cart) => Cart): void {
  queryClient.setQueryData<Cart>(cartKey, (cart) => {
    const changed = cart && by(cart);
    return changed === cart ? undefined : changed;
  });
}

/** Keeps the cart up to date with what the realtime channel says while the component is shown. */
export function useLiveCart(): void {
  useEffect(() => {
    const offListings = onMessage("live-listings-change", ({ type, payload: { document } }) => {
      if (type === "delete") change((cart) => withoutListing(cart, document.listingId));
      else change((cart) => withListing(cart, document, session.get().profile));
    });
    const offHolds = onMessage("listing", ({ type, payload }) => {
      if (type !== "hold-ended") return;
      notify("blank", payload.message);
      void queryClient.invalidateQueries({ queryKey: cartKey });
    });
    return () => {
      offListings();
      offHolds();
    };
  }, []);
}

/** Takes items whose hold has ended out of the cart, by the server's clock, every second; not while paused. */
export function useCartExpiry(paused: boolean): void {
  useEffect(() => {
    if (paused) return;
    const timer = setInterval(() => change((cart) => withoutExpired(cart, serverNow())), expiryCheckEvery);
    return () => clearInterval(timer);
  }, [paused]);
}
