import { configQuery } from "~/features/config/config";
import { onSessionEnd } from "~/features/session/session";
import { api, unwrap } from "~/lib/api/client";
import type { components } from "~/lib/api/schema.gen";
import { queryClient } from "~/lib/query";
import { createStore } from "~/lib/store";

export type TradeApproval = components["schemas"]["TradeApproval"];
export type WeighedTrade = components["schemas"]["WeighedTrade"];

/** The player did not approve trades. Nothing was sent. */
export class NotApproved extends Error {
  override name = "NotApproved";
  constructor() {
    super("You did not confirm it, so nothing was sent.");
  }
}

/** Trades that wait for the player's approval. */
export interface AskedTrades extends TradeApproval {
  approve: () => void;
  decline: () => void;
}

/** What the dialog of `components/trade-approval.tsx` shows; null for nothing. */
export const askedTrades = createStore<{ asked: AskedTrades | null }>({ asked: null });

onSessionEnd(() => askedTrades.get().asked?.decline());

/**
 * Asks the player to approve the trades that an operation of the game chain makes. Returns once they are approved, or need
 * no approval any more; throws NotApproved.
 */
export async function approveTrades(calls: readonly { to: string; data: string }[]): Promise<void> {
  const { gameChain } = await queryClient.ensureQueryData(configQuery);
  const body = { chainId: gameChain.id, calls: calls.map(({ to, data }) => ({ to, data })) };
  const answer = await unwrap(api.POST("/api/auth/marketplace/trades/approval", { body }));
  if (!answer.needed) return;
  askedTrades.get().asked?.decline();
  await new Promise<void>((resolve, reject) => {
    const settle = (then: () => void) => () => {
      if (askedTrades.get().asked === asked) askedTrades.set({ asked: null }); // else the next question is shown
      then();
    };
    const asked: AskedTrades = { ...answer, approve: settle(resolve), decline: settle(() => reject(new NotApproved())) };
    askedTrades.set({ asked });
  });
}
