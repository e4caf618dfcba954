import { ownKey } from "~/features/market/own";
import { playerNow } from "~/features/session/player";
import { onSessionEnd } from "~/features/session/session";
import type { Call } from "~/features/wallet/account";
import { activeWallet } from "~/features/wallet/connection";
import { WalletError } from "~/features/wallet/errors";
import { assertStill, receiptOf, Superseded, sendInTurn } from "~/features/wallet/operation";
import { queryClient } from "~/lib/query";
import { report } from "~/lib/report";
import { createStore, useStore } from "~/lib/store";
import { listingsKey } from "./queries";

/** What a seller's operation is about, as the player sees it. */
export interface Thing {
  /** Identifies it within the operation: the number of its listing; the token, for a new one. */
  key: string;
  contract: string;
  tokenId: string;
  name: string;
  image: string;
  count: number;
}

/** The player's last operation as a seller. */
export interface Deal {
  kind: "list" | "reprice" | "end";
  things: Thing[];
  /**
   * - sending: it is prepared, signed and sent.
   * - waiting: another operation of the account is pending.
   * - confirming: it is sent, and not in a block yet.
   * - late: the same, for longer than usual.
   * - done: it is in a block.
   * - failed: it was refused or reverted, so that nothing has changed, or its outcome is unknown; `error` says which.
   */
  state: "sending" | "waiting" | "confirming" | "late" | "done" | "failed";
  error?: unknown;
}

const reverted = "The chain refused this. Nothing has changed.";
const unknown = "We could not find out whether this happened. Your listings show it as soon as it is known.";

/** The player's last operation as a seller; null for none. Only this module sets it. */
export const deals = createStore<{ last: Deal | null }>({ last: null });

/** Whether an operation has not reached a block yet. */
export const isUnderWay = (deal: Deal | null) => deal !== null && deal.state !== "done" && deal.state !== "failed";

/**
 * Makes the calls as one operation of the player's smart account, without gas. The progress is in `deals`. Returns
 * whether it is in a block; false if it failed, or while another one is under way.
 */
export async function deal(kind: Deal["kind"], things: Thing[], callsFor: (owner: string) => Promise<Call[]>): Promise<boolean> {
  if (isUnderWay(deals.get().last)) return false;
  const player = playerNow();
  const put = (state: Deal["state"]) => {
    assertStill(player);
    deals.set({ last: { kind, things, state } });
  };
  put("sending");
  try {
    const { address } = await activeWallet();
    const calls = await callsFor(address);
    const { userOpHash } = await sendInTurn({ player, calls, onWait: () => put("waiting") });
    put("confirming");
    const { success } = await receiptOf({ player, operation: userOpHash, onLate: () => put("late"), unknown });
    if (!success) throw new WalletError(reverted);
    put("done");
    return true;
  } catch (error) {
    if (error instanceof Superseded || playerNow() !== player) return false;
    report("selling: not done", error);
    deals.set({ last: { kind, things, state: "failed", error } });
    return false;
  } finally {
    // What the server knows now: of a refusal it may know more than the page.
    for (const queryKey of [listingsKey, ownKey, ["holdings"]]) void queryClient.invalidateQueries({ queryKey });
  }
}

/** The player's last operation as a seller. */
export const useDeal = () => useStore(deals, ({ last }) => last);

/** Puts an operation away that has reached a block or failed. */
export function putAway(): void {
  if (!isUnderWay(deals.get().last)) deals.set({ last: null });
}

// Registered for the lifetime of the site: the next player must find nothing of this one.
onSessionEnd(() => deals.set(deals.initial));
