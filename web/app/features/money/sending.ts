import { configQuery } from "~/features/config/config";
import { playerNow } from "~/features/session/player";
import { onSessionEnd } from "~/features/session/session";
import { assertStill, receiptOf, Superseded, sendInTurn } from "~/features/wallet/operation";
import { api, unwrap } from "~/lib/api/client";
import { queryClient } from "~/lib/query";
import { report } from "~/lib/report";
import { createStore } from "~/lib/store";
import { refreshMoney, type WithdrawalPart } from "./queries";

/**
 * What this page knows of a part that it sends, before the server does:
 * - signing: its operation is prepared, signed and sent, or the answer to it is lost.
 * - waiting: another operation of the account is pending.
 * - gone: the relay has accepted it, and its receipt is awaited.
 * - failed: it was refused before it was sent; `error` says why.
 */
export interface Sending {
  state: "signing" | "waiting" | "gone" | "failed";
  error?: unknown;
}

/** The parts that this page sends, by id. */
export const sendings = createStore<{ of: Record<string, Sending> }>({ of: {} });

const put = (partId: string, sending: Sending) => sendings.set({ of: { ...sendings.get().of, [partId]: sending } });

function forget(partId: string): void {
  const { [partId]: _, ...of } = sendings.get().of;
  sendings.set({ of });
}

const isUnderWay = (sending: Sending | undefined) => sending?.state === "signing" || sending?.state === "waiting";

/** Sends a part of a withdrawal as one operation of the smart wallet. Its progress is in `sendings`. */
export async function sendPart(withdrawalId: string, { partId, chainId }: WithdrawalPart): Promise<void> {
  const player = playerNow();
  if (isUnderWay(sendings.get().of[partId])) return;
  put(partId, { state: "signing" });
  try {
    const { gameChain } = await queryClient.fetchQuery(configQuery);
    const path = { id: withdrawalId, part: partId };
    const { calls } = await unwrap(api.GET("/api/auth/withdrawals/{id}/parts/{part}/calls", { params: { path } }));
    assertStill(player);
    const chain = chainId === gameChain.id ? "gameChain" : "mainChain";
    const operation = await sendInTurn({
      player,
      calls,
      chain,
      onWait: () => put(partId, { state: "waiting" }),
      onLate: () => put(partId, { state: "signing" }),
    });
    put(partId, { state: "gone" });
    receiptOf({ player, operation, chain, onLate: () => {}, unknown: "" })
      .catch((error: unknown) => report("money: no receipt", error))
      .then(refreshMoney)
      .finally(() => forget(partId)); // the server knows the rest
  } catch (error) {
    if (error instanceof Superseded) return;
    report("money: not sent", error);
    put(partId, { state: "failed", error });
  } finally {
    void refreshMoney();
  }
}

// Registered for the lifetime of the site: the next player must find nothing of this one.
onSessionEnd(() => sendings.set(sendings.initial));
