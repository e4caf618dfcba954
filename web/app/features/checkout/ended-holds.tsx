import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Button } from "~/components/ui/button";
import { notifyUntil, takeBack } from "~/components/ui/toasts";
import { addToCart, notAdded, onTakenOut } from "~/features/cart/actions";
import { notifyInCart } from "~/features/cart/components/in-cart";
import { takeBackLacking } from "~/features/cart/components/lacking";
import { cartButton } from "~/features/cart/drawer";
import { type Cart, type CartItem, endOf, unitId } from "~/features/cart/holds";
import { cartKey, cartQuery } from "~/features/cart/queries";
import { playerNow } from "~/features/session/player";
import { serverNow } from "~/lib/clock";
import { plural } from "~/lib/format";
import { queryClient } from "~/lib/query";
import { isBought, isPaying, type Order, orderKey } from "./queries";

/** The toast that says which holds have ended: there is only one, and it stays until it is dismissed. */
const notice = "ended-holds";

/** How often holds are checked, in milliseconds. */
const checkEvery = 1_000;

/** How much earlier than by this browser's clock the server may end a hold, in milliseconds. */
const early = 3_000;

const nameOf = ({ listing }: CartItem) => listing.metadata.name;

/** Adds the units to the cart again, one by one. Stops at the first that fails. */
async function addAll(units: CartItem[]): Promise<{ added: CartItem[]; error?: Error }> {
  const added: CartItem[] = [];
  for (const unit of units) {
    try {
      await addToCart(unit);
    } catch (error) {
      return { added, error: error as Error };
    }
    added.push(unit);
  }
  return { added };
}

/** Says which holds have ended, and adds the items again on request. */
function EndedHolds({ units, onGone }: { units: CartItem[]; onGone: () => void }) {
  const whole = useRef<HTMLSpanElement>(null);
  useEffect(() => onGone, [onGone]);
  const again = useMutation({
    mutationFn: addAll,
    onSuccess: async ({ added, error }, wanted) => {
      // The notice goes, and the button in it.
      if (whole.current?.contains(document.activeElement)) document.getElementById(cartButton)?.focus();
      takeBack(notice);
      await queryClient.invalidateQueries({ queryKey: cartKey });
      const [first] = added;
      if (first) {
        takeBackLacking();
        const total = queryClient.getQueryData<Cart>(cartKey)?.totalItems ?? added.length;
        const title = new Set(added.map(nameOf)).size > 1 ? "items" : nameOf(first);
        notifyInCart({ imageUrl: first.listing.metadata.image, title, count: added.length, total });
      }
      if (error) notAdded(error, () => again.mutate(wanted.slice(added.length)));
    },
  });
  const [first, ...others] = units;
  if (!first) return null;
  return (
    <span ref={whole} className="grid gap-2">
      <span>
        <span className="block">
          {others.length
            ? `${plural(units.length, "item")} are no longer reserved for you`
            : `${nameOf(first)} is no longer reserved for you`}
        </span>
        <span className="line-clamp-3 block text-sm text-bone-muted">
          {others.length ? units.map(nameOf).join(", ") : "The time is up, and it has left your cart."}
        </span>
      </span>
      <Button kind="quiet" className="h-11 justify-self-start" size="small" busy={again.isPending} onClick={() => again.mutate(units)}>
        Add again
      </Button>
    </span>
  );
}

/** Whether the player's order is buying the unit, or has bought it. */
function isOrdered({ listingId }: CartItem): boolean {
  const order = queryClient.getQueryData<Order | null>(orderKey(playerNow()));
  return Boolean(order && (isPaying(order) || isBought(order)) && order.items.some((item) => item.listingId === listingId));
}

const inCart = () => queryClient.getQueryData<Cart>(cartKey)?.items;

/**
 * Tells the player when a hold's time is up, also if the page slept at that time, and offers to add the item again. Not
 * while paused: the checkout says it itself. What the player removes or buys, and what ends early, is not told here.
 */
export function useEndedHolds(paused: boolean): void {
  useEffect(() => {
    if (paused) {
      takeBack(notice);
      return;
    }
    const held = new Map<string, CartItem>();
    let told: CartItem[] = [];
    const forget = () => {
      told = [];
    };
    let stopped = false;
    const learn = () => {
      const items = inCart();
      if (!items) return;
      const now = serverNow();
      const ids = new Set(items.map(unitId));
      for (const [id, unit] of held) if (!ids.has(id) && endOf(unit) > now + early) held.delete(id);
      for (const item of items)
        if (!told.some((unit) => unitId(unit) === unitId(item) && endOf(unit) === endOf(item))) held.set(unitId(item), item);
    };
    const check = async () => {
      const now = serverNow();
      const over = [...held].filter(([, unit]) => endOf(unit) <= now);
      if (!over.length) return;
      for (const [id] of over) held.delete(id);
      // It may have been extended, paid or released on another device.
      await queryClient.fetchQuery({ ...cartQuery, retry: false }).catch(() => {});
      const kept = new Set(
        inCart()
          ?.filter((unit) => endOf(unit) > now)
          .map(unitId),
      );
      const ended = over.flatMap(([id, unit]) => (kept.has(id) || isOrdered(unit) ? [] : [unit]));
      if (stopped || !ended.length) return;
      told = [...told, ...ended];
      notifyUntil(notice, <EndedHolds units={told} onGone={forget} />);
    };
    learn();
    const timer = setInterval(() => void check(), checkEvery);
    const offCart = queryClient.getQueryCache().subscribe(({ query, type }) => {
      if (type === "updated" && query.queryKey[0] === cartKey[0]) learn();
    });
    const offTaken = onTakenOut((unit) => held.delete(unitId(unit)));
    return () => {
      stopped = true;
      clearInterval(timer);
      offCart();
      offTaken();
    };
  }, [paused]);
}
