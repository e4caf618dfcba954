import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { ButtonLink } from "~/components/ui/button";
import { Countdown } from "~/components/ui/countdown";
import { Dialog } from "~/components/ui/dialog";
import { FailedLine } from "~/components/ui/failed-line";
import { CartIcon, ClockIcon } from "~/components/ui/market-icons";
import { Price } from "~/components/ui/price";
import { DidNotLoad, EmptyState, Skeleton } from "~/components/ui/states";
import { takeBackHeld } from "~/components/ui/toasts";
import { paths } from "~/lib/paths";
import { holdTime } from "~/lib/rules";
import { useEmptyCart, useRemoveFromCart } from "../actions";
import { cartButton } from "../drawer";
import { type CartItem, endOf, unitId } from "../holds";
import { cartQuery } from "../queries";
import { UnitLine } from "./unit-line";

/** What changed about an item since it was added to the cart; nothing if unchanged. */
export function Changed({ item }: { item: CartItem }) {
  if (item.changed === "gone") return <p className="text-sm leading-tight text-bad">No longer for sale. Remove it to go on.</p>;
  if (item.changed === "price") {
    return (
      <p className="text-sm leading-tight text-ember-bright">
        The price changed: it was <Price value={item.priceWhenHeld} />.
      </p>
    );
  }
  return null;
}

/** How long a unit is held for the player. */
export function HeldFor({ item }: { item: CartItem }) {
  return (
    <p className="flex items-center gap-1.5 text-sm text-bone-muted">
      <ClockIcon size={14} />
      Held for <Countdown until={endOf(item)} label="another" className="text-bone" />
    </p>
  );
}

/** One held unit: its name, its price, its remaining time. */
function CartLine({ item, onFollow }: { item: CartItem; onFollow: () => void }) {
  const remove = useRemoveFromCart();
  return (
    <UnitLine
      goods={item.listing}
      onFollow={onFollow}
      removeLabel={(name) => `Remove ${name} from the cart`}
      onRemove={() => remove.mutate(item)}
    >
      <HeldFor item={item} />
      <Changed item={item} />
    </UnitLine>
  );
}

function Contents({ close }: { close: () => void }) {
  useEffect(takeBackHeld, []);
  const { data: cart, error, refetch } = useQuery(cartQuery);
  const empty = useEmptyCart();
  if (!cart && error) {
    return (
      <div className="p-6">
        <DidNotLoad what="Your cart" error={error} onRetry={refetch} />
      </div>
    );
  }
  if (!cart) return <Skeleton className="m-6 h-24" />;
  const old = error && (
    <div className="border-b border-line px-6 py-4">
      <FailedLine onRetry={refetch}>This may be out of date.</FailedLine>
    </div>
  );
  if (!cart.items.length) {
    return (
      <>
        {old}
        <EmptyState
          title="Nothing in your cart"
          action={
            <ButtonLink to={paths.market} kind="quiet" size="small" onClick={close}>
              To the market
            </ButtonLink>
          }
        >
          What you add is reserved for you for {holdTime}. Nobody else can buy it meanwhile.
        </EmptyState>
      </>
    );
  }
  const gone = cart.items.some((item) => item.changed === "gone");
  return (
    <>
      {old}
      <ul className="flex-1 divide-y divide-line overflow-y-auto px-6">
        {cart.items.map((item) => (
          <CartLine key={unitId(item)} item={item} onFollow={close} />
        ))}
      </ul>
      <div className="grid gap-4 border-t border-line-strong px-6 py-5">
        <p className="flex items-baseline justify-between">
          <span className="caption text-bone-muted">Total</span>
          <Price value={cart.total} className="text-2xl font-bold" />
        </p>
        {gone ? (
          <p className="text-bone-muted">Something in your cart is no longer for sale. Remove it to go on.</p>
        ) : (
          <ButtonLink to={paths.checkout} onClick={close}>
            Go to checkout
          </ButtonLink>
        )}
        <button
          type="button"
          disabled={empty.isPending}
          onClick={() => empty.mutate()}
          className="min-h-11 justify-self-center px-3 text-bone-muted underline decoration-bronze underline-offset-4 hover:text-bone"
        >
          Empty cart
        </button>
      </div>
    </>
  );
}

/** The cart, at the right edge of the page. */
export function CartDrawer({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Your cart"
      description="Each item is reserved for you until its time is up."
      kind="drawer"
    >
      <Contents close={() => onOpenChange(false)} />
    </Dialog>
  );
}

/** Opens the cart and shows how many items it has. */
export function CartButton({ onClick }: { onClick: () => void }) {
  const { data } = useQuery(cartQuery);
  const total = data?.totalItems ?? 0;
  return (
    <button
      id={cartButton}
      type="button"
      onClick={onClick}
      aria-label={total === 1 ? "Cart, 1 item" : `Cart, ${total} items`}
      className="relative grid size-11 place-items-center rounded hover:bg-night-2"
    >
      <CartIcon size={24} />
      {total > 0 && (
        <span
          className={
            "figures absolute -right-0.5 -top-0.5 grid h-5 min-w-5 place-items-center rounded-full bg-ember px-1 text-xs " +
            "font-bold text-ember-ink"
          }
        >
          {total}
        </span>
      )}
    </button>
  );
}
