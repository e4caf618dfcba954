import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { Button } from "~/components/ui/button";
import { TextLink } from "~/components/ui/link";
import { notify } from "~/components/ui/toasts";
import { asksForAge } from "~/features/cart/buyer";
import { ApiError, messageOf } from "~/lib/api/problem";
import { useLeave } from "~/lib/navigation";
import { usePageReturn } from "~/lib/page-return";
import { paths } from "~/lib/paths";
import { queryClient } from "~/lib/query";
import { report } from "~/lib/report";
import { type Product, startCheckout, type Variation, webstoreKeys } from "../queries";
import { fullName, priceIn } from "../texts";

/** Refusals after which the page shows something that is no longer so. */
const outdated = ["limit", "not-sold"];

/** Leads the player to the shop. `busy` stays true until the page is left, and is false after coming back to it. */
function useBuy(productId: number, variation: Variation) {
  const [leaving, setLeaving] = useState(false);
  const leave = useLeave();
  const checkout = useMutation({
    mutationFn: async (leaveNow: typeof leave) => {
      const url = await startCheckout(productId, variation);
      if (leaveNow(url)) setLeaving(true);
      else notify("blank", "You have not paid yet", "To pay, press the product's button again.");
    },
    onError: (error) => {
      if (!(error instanceof ApiError)) return report("webstore: checkout did not start", error);
      asksForAge(error, buy);
      if (error.status === 404 || outdated.includes(error.reason ?? "")) void queryClient.invalidateQueries({ queryKey: webstoreKeys.all });
    },
  });
  const buy = () => checkout.mutate(leave);
  usePageReturn(() => setLeaving(false));
  return { buy, busy: checkout.isPending || leaving, error: checkout.error };
}

/** Why the player was not led to the shop, and what helps. */
function Refusal({ error }: { error: Error }): ReactNode {
  switch (error instanceof ApiError ? error.reason : undefined) {
    case "no-wallet":
      return "Your wallet is still being made, which takes a few seconds. Then press the button again.";
    case "age-unconfirmed":
      return "Packs are sold to adults only. Press the button again to confirm your age.";
    case "debt":
    case "dispute":
      return (
        <>
          {messageOf(error)}{" "}
          <TextLink to={paths.support} className="inline-flex min-h-11 items-center">
            To support
          </TextLink>{" "}
          <TextLink to={paths.webstoreOrders} className="inline-flex min-h-11 items-center">
            What is owed
          </TextLink>
        </>
      );
    default:
      return messageOf(error);
  }
}

/** Why the player cannot buy a variation today, and its button, which is disabled. */
export function Refused({ product, variation }: { product: Product; variation: Variation }) {
  const id = useId();
  const label = `Buy for ${priceIn(variation.currency, variation.price)}`;
  return (
    <>
      <p id={id} className="mb-3 border-l-2 border-bronze pl-3 text-sm">
        {variation.refused}
      </p>
      <Button disabled aria-label={`${label}: ${fullName(product, variation)}`} aria-describedby={id} className="w-full px-2 sm:px-5">
        {label}
      </Button>
    </>
  );
}

/** The button that leads to the shop, and below it why it did not. */
export function Buy({ product, variation, paused }: { product: Product; variation: Variation; paused: boolean }) {
  const { buy, busy, error } = useBuy(product.productId, variation);
  const label = `Buy for ${priceIn(variation.currency, variation.price)}`;
  return (
    <>
      <Button
        busy={busy}
        disabled={paused}
        aria-label={`${label}: ${fullName(product, variation)}`}
        onClick={buy}
        className="w-full px-2 sm:px-5"
      >
        {label}
      </Button>
      <p role="alert" className="mt-3 border-l-2 border-bad pl-3 text-sm empty:hidden">
        {error && !busy && <Refusal error={error} />}
      </p>
    </>
  );
}
