import { useEffect } from "react";
import { configQuery } from "~/features/config/config";
import { ownKey } from "~/features/market/own";
import { onMessage } from "~/features/realtime/messages";
import { balanceKey } from "~/features/wallet/balance";
import { kinds } from "~/lib/collections.gen";
import { queryClient } from "~/lib/query";
import { report } from "~/lib/report";
import { holdingsKey, listKey } from "./queries";

const again = (queryKey: readonly string[]) => queryClient.invalidateQueries({ queryKey });

/** Refetches what the page shows of the contracts: balances for money, otherwise the lists of their tokens. */
export async function refreshHoldings(changed: string[]): Promise<void> {
  const { contracts, currency } = await queryClient.fetchQuery(configQuery);
  void again(ownKey);
  const among = (...addresses: string[]) => addresses.some((address) => changed.some((c) => c.toLowerCase() === address.toLowerCase()));
  if (among(currency.address, contracts.god)) void again(balanceKey);
  for (const { list, contracts: names } of kinds) {
    if (among(...names.map((name) => contracts[name]))) void again(listKey(list));
  }
  // The client does not know the main chain's contracts: an unknown address may be any of them.
  const known = Object.values(contracts).map((address) => address.toLowerCase());
  if (changed.every((c) => known.includes(c.toLowerCase()))) return;
  for (const { list, contracts: names } of kinds) if (!names.length) void again(listKey(list));
}

/** Updates balances and holdings on messages of the realtime channel while the component is mounted. */
export function useLiveHoldings(): void {
  useEffect(
    () =>
      onMessage("holdings", ({ payload }) => {
        refreshHoldings(payload.contracts).catch((error: unknown) => {
          report("holdings: not known which have changed", error);
          void again(balanceKey);
          void again(holdingsKey);
        });
      }),
    [],
  );
}
