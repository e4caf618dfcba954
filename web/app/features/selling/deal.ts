import { useEffect } from "react";
import { ownKey } from "~/features/market/own";
import { playerNow } from "~/features/session/player";
import { onSessionEnd } from "~/features/session/session";
import { session } from "~/features/session/store";
import { activeWallet } from "~/features/wallet/connection";
import { WalletError } from "~/features/wallet/errors";
import { assertStill, receiptOf, Superseded, sendInTurn } from "~/features/wallet/operation";
import { keepForPlayer, keptForPlayer } from "~/features/wallet/player-storage";
import type { Call, Signed } from "~/features/wallet/smart-wallet";
import { queryClient } from "~/lib/query";
import { report } from "~/lib/report";
import { createStore, useStore } from "~/lib/store";
import { tabKeys } from "~/lib/tab-keys";
import { takeFromTab } from "~/lib/tab-storage";
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
export interface Deal extends Partial<Signed> {
  kind: "list" | "reprice" | "end";
  things: Thing[];
  /**
   * - sending: it is prepared, signed and sent.
   * - waiting: another operation of the account is pending.
   * - confirming: it is sent, and not in a block yet.
   * - late: the same, for longer than usual, or the answer to it is lost.
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

type Show = (state: Deal["state"], sent?: Signed | Pick<Signed, "operation">) => void;

/** Carries an operation to its end, and returns whether it is in a block. Every state that `run` shows is stored for a reload. */
async function carry(kind: Deal["kind"], things: Thing[], run: (player: string, show: Show) => Promise<void>): Promise<boolean> {
  const player = playerNow();
  const put = (deal: Deal) => {
    assertStill(player);
    deals.set({ last: deal });
    keepForPlayer(tabKeys.deal, deal.operation && isUnderWay(deal) ? [deal] : []);
  };
  try {
    await run(player, (state, sent) => put({ ...sent, kind, things, state }));
    put({ kind, things, state: "done" });
    return true;
  } catch (error) {
    if (error instanceof Superseded || playerNow() !== player) return false;
    report("selling: not done", error);
    put({ kind, things, state: "failed", error });
    return false;
  } finally {
    // What the server knows now: of a refusal it may know more than the page.
    for (const queryKey of [listingsKey, ownKey, ["holdings"]]) void queryClient.invalidateQueries({ queryKey });
  }
}

/** Follows an operation that was sent until it is in a block. */
async function follow(player: string, sent: Signed | Pick<Signed, "operation">, show: Show): Promise<void> {
  show("confirming", sent);
  const { success } = await receiptOf({ ...sent, player, onLate: () => show("late", sent), unknown });
  if (!success) throw new WalletError(reverted);
}

/**
 * Makes the calls as one operation of the player's smart account, without gas. The progress is in `deals`, also after a
 * reload. Returns whether it is in a block; false if it failed, or while another one is under way.
 */
export async function deal(kind: Deal["kind"], things: Thing[], callsFor: (owner: string) => Promise<Call[]>): Promise<boolean> {
  if (isUnderWay(deals.get().last)) return false;
  return carry(kind, things, async (player, show) => {
    show("sending");
    const { address } = await activeWallet();
    const calls = await callsFor(address);
    let sent: Signed | undefined;
    const onSigned = (signed: Signed) => {
      sent = signed;
      show("sending", signed);
    };
    const operation = await sendInTurn({ player, calls, onSigned, onWait: () => show("waiting"), onLate: () => show("late", sent) });
    await follow(player, { operation }, show);
  });
}

/** Resumes the stored operation of the signed-in player after a reload, while the component is mounted. */
export function useKeptDeal(): void {
  const player = useStore(session, (s) => s.profile?.AccountInfo.PlayFabId);
  useEffect(() => {
    const [kept] = player && !deals.get().last ? keptForPlayer<Deal & Signed>(tabKeys.deal) : [];
    if (!kept?.operation) return;
    const { kind, things, operation, signed } = kept;
    void carry(kind, things, (me, show) => follow(me, signed ? { operation, signed } : { operation }, show));
  }, [player]);
}

/** The player's last operation as a seller. */
export const useDeal = () => useStore(deals, ({ last }) => last);

/** Puts an operation away that has reached a block or failed. */
export function putAway(): void {
  if (!isUnderWay(deals.get().last)) deals.set({ last: null });
}

// Registered for the lifetime of the site: the next player must find nothing of this one.
onSessionEnd(() => {
  deals.set(deals.initial);
  takeFromTab(tabKeys.deal);
});
