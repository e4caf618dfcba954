import { useMutation } from "@tanstack/react-query";
import { notify, notifyHeld } from "~/components/ui/toasts";
import { session } from "~/features/session/store";
import { api, unwrap } from "~/lib/api/client";
import { ApiError, messageOf } from "~/lib/api/problem";
import type { components } from "~/lib/api/schema.gen";
import { queryClient } from "~/lib/query";
import { report } from "~/lib/report";
import { cartOf } from "./holds";
import { type Cart, type CartItem, cartKey, cartQuery } from "./queries";

type Listing = components["schemas"]["Document"];

const playFabId = () => session.get().profile?.AccountInfo.PlayFabId ?? "";
const again = () => queryClient.invalidateQueries({ queryKey: cartKey });

/** Says that a change of the cart failed, and why. */
function failed(message: string) {
  return (error: Error) => {
    report(message, error);
    notify("error", message, messageOf(error));
    void again();
  };
}

/** A call that answers 200 may still say that it did nothing. */
async function succeed(call: Promise<{ success: boolean; message?: string }>): Promise<void> {
  const { success, message } = await call;
  if (!success) throw new ApiError(message ?? "", 200);
}

/** Holds a free unit of a listing for the player. */
export function useAddToCart() {
  return useMutation({
    mutationFn: ({ listingId, assetContractAddress }: Listing) =>
      succeed(unwrap(api.POST("/api/auth/marketplace/cart/addToCart", { body: { newItem: { listingId, assetContractAddress }, playFabId: playFabId() } }))),
    onSuccess: async (_, { metadata }) => {
      const cart = await queryClient.fetchQuery(cartQuery).catch(() => undefined);
      notifyHeld({ imageUrl: metadata.image, title: metadata.name, total: cart?.totalItems ?? 1 });
    },
    onError: failed("Could not add item to cart"),
  });
}

/** Lets a unit go. It leaves the cart at once, and comes back if the server refuses. */
export function useRemoveFromCart() {
  return useMutation({
    mutationFn: ({ listingId, index, assetContractAddress }: CartItem) =>
      succeed(
        unwrap(
          api.POST("/api/auth/marketplace/cart/removeFromCart", { body: { removedItem: { listingId, index, assetContractAddress }, playFabId: playFabId() } }),
        ),
      ),
    onMutate: async (gone) => {
      await queryClient.cancelQueries({ queryKey: cartKey });
      queryClient.setQueryData<Cart>(
        cartKey,
        (cart) => cart && cartOf(cart.items.filter((item) => item.listingId !== gone.listingId || item.index !== gone.index)),
      );
    },
    onSuccess: again,
    onError: failed("Could not remove item from cart"),
  });
}

/** Lets all units go. */
export function useEmptyCart() {
  return useMutation({
    mutationFn: () => unwrap(api.POST("/api/auth/marketplace/cart/emptyCart", { body: { playFabId: playFabId() } })),
    onSuccess: again,
    onError: failed("Could not empty cart"),
  });
}
