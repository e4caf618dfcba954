import { createStore } from "~/lib/store";

/** Whether the page has the cart's drawer, and whether it is open. The market's header sets `isThere`. */
export const cartDrawer = createStore({ isThere: false, open: false });

/** The id of the button that opens the cart. */
export const cartButton = "cart-button";

/** Opens the cart. */
export function openCart(): void {
  cartDrawer.set({ open: true });
}
