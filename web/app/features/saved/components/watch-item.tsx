import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "~/components/ui/button";
import { Dialog } from "~/components/ui/dialog";
import { Field } from "~/components/ui/field";
import { Form } from "~/components/ui/form";
import { notify } from "~/components/ui/toasts";
import { rangeProblems } from "~/features/market/filters";
import { session } from "~/features/session/store";
import { compare } from "~/lib/amount";
import { messageOf } from "~/lib/api/problem";
import { amount } from "~/lib/format";
import { marketCurrency } from "~/lib/registry";
import { useStore } from "~/lib/store";
import { tokenKey } from "~/lib/token";
import { saveSearch, setWatched, watchlistQuery } from "../queries";

interface WatchItemProps {
  contract: string;
  tokenId: string;
  name: string;
  /** The lowest current price, decimal; undefined if it is not for sale. */
  price: string | undefined;
}

/** The decimal number as entered, which may have a comma. */
const numberOf = (entered: string) => entered.trim().replace(",", ".");

/** Why a price limit as entered is refused, for an item that is for sale at `price` now: what matches already is not alerted of. */
function limitProblem(entered: string, price: string | undefined): string | undefined {
  const problem = entered.trim() ? rangeProblems("", entered).max : "Enter a price, such as 12.50.";
  if (problem || price === undefined || compare(numberOf(entered), price) < 0) return problem;
  return `It is for sale at ${amount(price)} ${marketCurrency.symbol} now. Enter less.`;
}

/** The buttons that put an item on the player's watchlist, and that ask for an alert at a price. Nothing for visitors. */
export function WatchItem({ contract, tokenId, name, price }: WatchItemProps) {
  const isPlayer = useStore(session, (s) => s.isAuthenticated);
  const { data } = useQuery({ ...watchlistQuery, enabled: isPlayer });
  const [open, setOpen] = useState(false);
  const isWatched = data?.some((item) => tokenKey(item) === tokenKey({ contract, tokenId })) ?? false;
  const watch = useMutation({
    mutationFn: (on: boolean) => setWatched(contract, tokenId, on),
    scope: { id: `watch ${contract} ${tokenId}` }, // one after the other, so that the last choice is the one that stays
    onError: (error) => notify("error", "Your watchlist did not change", messageOf(error)),
  });
  if (!isPlayer) return null;
  const on = watch.isPending ? watch.variables : isWatched;
  return (
    <>
      <Button kind="quiet" size="small" aria-pressed={on} disabled={!data} onClick={() => watch.mutate(!on)}>
        {on ? "On your watchlist" : "Watch"}
      </Button>
      <Button kind="quiet" size="small" onClick={() => setOpen(true)}>
        Price alert
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Price alert"
        description={`You are notified once ${name} is for sale at this price or less.`}
      >
        <div className="p-6">
          <Form
            rules={{ max: (entered) => limitProblem(entered, price) }}
            action="Notify me"
            onSubmit={async ({ max }) => {
              await saveSearch(name.slice(0, 60), { contract, tokenId, max: numberOf(max) }, true);
              setOpen(false);
              notify("success", "Price alert saved", "You find it on your watchlist.");
            }}
          >
            {(errors) => (
              <Field label={`Price in ${marketCurrency.symbol}`} name="max" inputMode="decimal" autoComplete="off" error={errors.max} />
            )}
          </Form>
        </div>
      </Dialog>
    </>
  );
}
