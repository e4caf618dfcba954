import { useMutation } from "@tanstack/react-query";
import { notify } from "~/components/ui/toasts";
import { session } from "~/features/session/store";
import { compare } from "~/lib/amount";
import { api, unwrap } from "~/lib/api/client";
import { ApiError, messageOf } from "~/lib/api/problem";
import type { components } from "~/lib/api/schema.gen";
import { amount } from "~/lib/format";
import { queryClient } from "~/lib/query";
import { marketCurrency } from "~/lib/registry";
import { report } from "~/lib/report";
import { asksForAge } from "./buyer";
import { notifyInCart } from "./components/in-cart";
import { notifyLacking, takeBackLacking } from "./components/lacking";
import { type Cart, type CartItem, withoutUnits } from "./holds";
import { cartKey } from "./queries";
import { signInQuestion, type Wanted } from "./visitor";

type Listing = components["schemas"]["Listing"];

const playFabId = () => session.get().profile?.AccountInfo.PlayFabId ?? "";
const again = () => queryClient.invalidateQueries({ queryKey: cartKey });

/** Notifies the player that a change of the cart failed, and why. */
function failed(message: string) {
  return (error: Error): void => {
    report(message, error);
    notify("error", message, messageOf(error));
    void again();
  };
}

/** A response with status 200 may still report a failure. */
async function succeed(call: Promise<{ success: boolean; message?: string }>): Promise<void> {
  const { success, message } = await call;
  if (!success) throw new ApiError(message ?? "", 200);
}

/** Holds a free unit of a listing for the player. Throws ApiError with the server's reason if there is none. */
export function addToCart({ listingId, assetContractAddress }: Pick<Listing, "listingId" | "assetContractAddress">): Promise<void> {
  const body = { newItem: { listingId, assetContractAddress }, playFabId: playFabId() };
  return succeed(unwrap(api.POST("/api/auth/marketplace/cart/addToCart", { body })));
}

/** Holds units one by one, and returns how many; throws only if none could be held. */
async function addUnits(wanted: Wanted): Promise<{ held: number; error?: unknown }> {
  for (let held = 0; held < wanted.count; held++) {
    try {
      await addToCart(wanted);
    } catch (error) {
      if (held === 0) throw error;
      return { held, error };
    }
  }
  return { held: wanted.count };
}

/** Holds units of a listing for the player, and notifies the player. */
export function useAddToCart() {
  const add = useMutation({
    mutationFn: addUnits,
    onSuccess: async ({ held, error }, { listingId, name, image, price, count }) => {
      await again();
      takeBackLacking();
      const cart = queryClient.getQueryData<Cart>(cartKey);
      notifyInCart({ imageUrl: image, title: name, count: held, total: cart?.totalItems ?? held });
      // Alerts and pages left open can show an outdated price.
      const now = cart?.items.find((item) => item.listingId === listingId)?.listing.price;
      if (now && compare(now, price) > 0)
        notify(
          "blank",
          `${name} costs ${amount(now)} ${marketCurrency.symbol} now`,
          `It was ${amount(price)} ${marketCurrency.symbol} before.`,
        );
      if (error) notify("error", `Only ${held} of ${count} could be held`, messageOf(error));
    },
    onError: (error: Error, wanted: Wanted): void => notAdded(error, () => add.mutate(wanted)),
  });
  return add;
}

/** Holds units for the player. A visitor is asked to sign in first. `error` is why the last attempt failed. */
export function useHold(): { hold: (wanted: Wanted) => void; isPending: boolean; error: Error | null } {
  const add = useAddToCart();
  return {
    hold: (wanted) => (session.get().isAuthenticated ? add.mutate(wanted) : signInQuestion.set({ wanted })),
    isPending: add.isPending,
    error: add.error,
  };
}

/** Says why something was not added to the cart. If the player's age is all that is missing, it asks for it and tries again. */
export function notAdded(error: Error, again: () => void): void {
  const refused = () => failed("Could not add item to cart")(error);
  if (error instanceof ApiError && (notifyLacking(error) || asksForAge(error, again, refused))) return;
  refused();
}

const takenOut = new Set<(unit: CartItem) => void>();

/**
 * Calls the handler for each unit that the player removes from the cart in this tab. Returns a function that
 * unsubscribes.
 */
export function onTakenOut(handler: (unit: CartItem) => void): () => void {
  takenOut.add(handler);
  return () => takenOut.delete(handler);
}

/** Removes units from the local cart on the player's request. */
export function takeOut(units: CartItem[]): void {
  for (const unit of units) for (const handler of takenOut) handler(unit);
  queryClient.patchQueries<Cart>({ queryKey: cartKey }, (cart) => withoutUnits(cart, units));
}

/** Releases a unit. It leaves the cart at once, and returns if the server refuses. */
export function useRemoveFromCart() {
  return useMutation({
    mutationFn: ({ listingId, index, assetContractAddress }: CartItem) =>
      succeed(
        unwrap(
          api.POST("/api/auth/marketplace/cart/removeFromCart", {
            body: { removedItem: { listingId, index, assetContractAddress }, playFabId: playFabId() },
          }),
        ),
      ),
    onMutate: (gone) => {
      for (const handler of takenOut) handler(gone);
      return queryClient.keepPatched<Cart>({ queryKey: cartKey }, (cart) => withoutUnits(cart, [gone]));
    },
    onSuccess: (_answer, _item, settle) => {
      settle();
      return again();
    },
    onError: (error, _item, settle) => {
      settle?.();
      failed("Could not remove item from cart")(error);
    },
  });
}

/** Releases all units. */
export function useEmptyCart() {
  return useMutation({
    mutationFn: () => unwrap(api.POST("/api/auth/marketplace/cart/emptyCart", { body: { playFabId: playFabId() } })),
    onSuccess: () => {
      takeOut(queryClient.getQueryData<Cart>(cartKey)?.items ?? []);
      return again();
    },
    onError: failed("Could not empty cart"),
  });
}
