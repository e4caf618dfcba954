import { useEffect, useRef, useState } from "react";
import { Button } from "~/components/ui/button";
import { TextLink } from "~/components/ui/link";
import { Price } from "~/components/ui/price";
import { useBalance } from "~/features/wallet/balance";
import { Problem } from "~/features/wallet/components/problem";
import { activeWallet } from "~/features/wallet/connection";
import { sendings } from "~/features/wallet/sending";
import { compare, less } from "~/lib/amount";
import { amount } from "~/lib/format";
import { paths } from "~/lib/paths";
import { marketCurrency } from "~/lib/registry";
import { useStore } from "~/lib/store";
import { debtPayment, payDebts } from "../debts";

/**
 * Whether a payment that was on its way is not any more, although as much is owed as when it was made, if that is known. The
 * second value forgets it, for the next payment.
 */
function useDropped(paying: boolean, payable: string): [boolean, () => void] {
  const before = useRef(paying);
  const owed = useRef("");
  const [dropped, setDropped] = useState(false);
  useEffect(() => {
    if (paying !== before.current) setDropped(before.current && (payable === owed.current || owed.current === ""));
    before.current = paying;
    if (payable && !paying) owed.current = payable;
  }, [paying, payable]);
  return [dropped, () => setDropped(false)];
}

interface PayDebtsProps {
  /** How much USDC can be paid now, decimal; "" for nothing. */
  payable: string;
  /** Whether a payment is on its way. */
  paying: boolean;
}

/** Pays in USDC for all that the player owes and that has a price. */
export default function PayDebts({ payable, paying }: PayDebtsProps) {
  const mine = useStore(sendings, ({ of }) => of[debtPayment]);
  const balance = useBalance();
  const [dropped, forgetDropped] = useDropped(paying, payable);
  const busy = !paying && (mine?.state === "signing" || mine?.state === "waiting" || (mine?.state === "gone" && !dropped));
  const missing = balance === undefined ? "0" : less(payable || "0", balance);
  const isShort = !busy && compare(missing, "0") > 0;
  const said = paying
    ? "Your payment is on its way. This takes a few seconds."
    : busy
      ? mine?.state === "waiting"
        ? "Waiting for another action of yours to finish."
        : "Paying."
      : dropped
        ? "It did not get through. Nothing has left your wallet. You can pay again."
        : "";

  const pay = () => {
    forgetDropped();
    void payDebts(payable);
  };

  useEffect(() => {
    if (payable) activeWallet().catch(() => {}); // in advance; paying shows errors
  }, [payable]);

  return (
    <div className="mt-5 grid justify-items-start gap-3">
      {payable && (
        <p>
          You have {balance === undefined ? "…" : <Price value={balance} />} in your wallet.
          {isShort && (
            <>
              {" "}
              You need <Price value={missing} /> more. <TextLink to={paths.money}>Add money to your wallet</TextLink>
            </>
          )}
        </p>
      )}
      {payable && (
        <Button busy={busy} disabled={isShort} onClick={pay}>
          Pay {amount(payable)} {marketCurrency.symbol}
        </Button>
      )}
      <p role="status" className="text-bone-muted empty:hidden">
        {said}
      </p>
      {!paying && mine?.state === "failed" && <Problem error={mine.error} />}
    </div>
  );
}
