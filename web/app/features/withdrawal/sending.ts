import { configQuery } from "~/features/config/config";
import { send } from "~/features/wallet/sending";
import { api, unwrap } from "~/lib/api/client";
import { queryClient } from "~/lib/query";
import { refreshMoney, type WithdrawalPart } from "./queries";

/** Sends a part of a withdrawal as one operation of the smart wallet. Its progress is in `sendings`. */
export const sendPart = (withdrawalId: string, { partId, chainId }: WithdrawalPart): Promise<void> =>
  send(partId, {
    prepare: async () => {
      const { gameChain } = await queryClient.fetchQuery(configQuery);
      const path = { id: withdrawalId, part: partId };
      const { calls } = await unwrap(api.GET("/api/auth/withdrawals/{id}/parts/{part}/calls", { params: { path } }));
      return { calls, chain: chainId === gameChain.id ? "gameChain" : "mainChain" };
    },
    refresh: refreshMoney,
  });
