import { useEffect } from "react";
import { configQuery } from "~/features/config/config";
import { ownKey } from "~/features/market/own";
import { onMessage } from "~/features/realtime/messages";
import { balanceKey } from "~/features/wallet/balance";
import { queryClient } from "~/lib/query";
import { collectionOf, kinds } from "~/lib/registry";
import { report } from "~/lib/report";
import { isSameAddress } from "~/lib/token";
import { holdingsKey, listKey } from "./queries";

const again = (queryKey: readonly string[]) => queryClient.invalidateQueries({ queryKey });

/** Refetches what the page shows of the contracts: balances for money, otherwise the lists of their tokens. */
export async function refreshHoldings(changed: string[]): Promise<void> {
  const { contracts, currency, collections } = await queryClient.fetchQuery(configQuery);
  void again(ownKey);
  const hasChanged = (address: string) => changed.some((c) => isSameAddress(c, address));
  if (hasChanged(currency.address) || hasChanged(contracts.god ?? "")) void again(balanceKey);
  const slugs = Object.keys(collections).filter((slug) => hasChanged(collections[slug] ?? ""));
  const changedKinds = new Set(slugs.map((slug) => collectionOf(slug)?.kind));
  for (const { kind, list } of kinds) if (changedKinds.has(kind)) void again(listKey(list));
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
