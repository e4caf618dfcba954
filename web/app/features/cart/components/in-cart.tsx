import { linkLook } from "~/components/ui/link";
import { notifyHeld } from "~/components/ui/toasts";
import { useStore } from "~/lib/store";
import { cartButton, cartDrawer, openCart } from "../drawer";

/** Opens the cart from a toast, on pages that have it. */
function ToCart() {
  const isThere = useStore(cartDrawer, (d) => d.isThere);
  if (!isThere) return null;
  return (
    <button
      type="button"
      className={`${linkLook} min-h-11 min-w-11 whitespace-nowrap px-1`}
      onClick={() => {
        // The toast goes: on closing, the focus returns to the button that stays.
        document.getElementById(cartButton)?.focus();
        openCart();
      }}
    >
      View cart
    </button>
  );
}

/** Shows what was added to the cart, and leads there. */
export function notifyInCart(added: Omit<Parameters<typeof notifyHeld>[0], "action">): void {
  notifyHeld({ ...added, action: <ToCart /> });
}
