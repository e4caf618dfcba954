import { notify } from "~/components/ui/toasts";
import { WalletError } from "~/features/wallet/errors";
import { send } from "~/features/wallet/sending";
import { api, unwrap } from "~/lib/api/client";
import { queryClient } from "~/lib/query";
import { webstoreKeys } from "./queries";

/** The id of the payment in `sendings`. */
export const debtPayment = "debts";

/** Pays for what the player owes, if that is still the total that was shown. The progress is in `sendings`. */
export const payDebts = (shown: string): Promise<void> =>
  send(debtPayment, {
    prepare: async () => {
      const { calls, total } = await unwrap(api.GET("/api/auth/webstore/debts/payment"));
      if (total !== shown) throw new WalletError("What you owe has changed. Look at the new amount, and press pay again.");
      return { calls, chain: "gameChain" };
    },
    refresh: () => queryClient.invalidateQueries({ queryKey: webstoreKeys.orders() }),
    onReceipt: ({ success }) => {
      if (success) notify("success", "You have paid what you owed");
    },
  });
