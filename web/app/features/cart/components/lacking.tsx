import { useState } from "react";
import { Button } from "~/components/ui/button";
import { CopyIconButton } from "~/components/ui/copyable";
import { WarningIcon } from "~/components/ui/market-icons";
import { Price } from "~/components/ui/price";
import { notify, notifyUntil, takeBack } from "~/components/ui/toasts";
import { balanceKey } from "~/features/wallet/balance";
import { api, unwrap } from "~/lib/api/client";
import { type ApiError, messageOf } from "~/lib/api/problem";
import { queryClient } from "~/lib/query";
import { marketCurrency } from "~/lib/registry";
import { rules } from "~/lib/rules";

/** The toast that says what is missing: there is only one, and it stays, so that the address in it can be copied. */
const lacking = "lacking";

/** Gives test money on a development server. */
function TestMoney() {
  const [busy, setBusy] = useState(false);
  const ask = async () => {
    setBusy(true);
    try {
      const { message } = await unwrap(api.POST("/api/dev/faucet"));
      takeBack(lacking);
      notify("success", message);
      void queryClient.invalidateQueries({ queryKey: balanceKey });
    } catch (error) {
      notify("error", messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button kind="quiet" size="small" busy={busy} onClick={ask}>
      Get {rules.faucetUsdc} test {marketCurrency.symbol}
    </Button>
  );
}

/** Shows how much money a hold lacks and where to send it, if that is why the server refused it. */
export function notifyLacking({ reason, details }: ApiError): boolean {
  const { missing, depositAddress, faucet } = details;
  if (reason !== "insufficient-funds" || !missing || !depositAddress) return false;
  notifyUntil(
    lacking,
    <span className="grid gap-2">
      <span className="flex items-center gap-3">
        <span className="text-bad">
          <WarningIcon />
        </span>
        Could not add item to cart
      </span>
      <span className="text-sm">
        You need <Price value={missing} /> more to add this.
      </span>
      <span className="text-sm text-bone-muted">
        Send it to your wallet:
        <span className="flex items-center">
          <code className="block select-all break-all text-bone">{depositAddress}</code>
          <CopyIconButton text={depositAddress} what="address" />
        </span>
      </span>
      {faucet && <TestMoney />}
    </span>,
  );
  return true;
}

/** Dismisses the toast of {@link notifyLacking}, once something is held. */
export function takeBackLacking(): void {
  takeBack(lacking);
}
