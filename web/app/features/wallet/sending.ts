import { playerNow } from "~/features/session/player";
import { onSessionEnd } from "~/features/session/session";
import { report } from "~/lib/report";
import { createStore } from "~/lib/store";
import { assertStill, receiptOf, Superseded, sendInTurn } from "./operation";
import type { Call, Receipt, WalletChain } from "./smart-wallet";

/**
 * What this page knows of something that it sends, before the server does:
 * - signing: its operation is prepared, signed and sent, or the answer to it is lost.
 * - waiting: another operation of the account is pending.
 * - gone: the relay has accepted it, and its receipt is awaited.
 * - failed: it was refused before it was sent; `error` says why.
 */
export interface Sending {
  state: "signing" | "waiting" | "gone" | "failed";
  error?: unknown;
}

/** What this page sends, by id. */
export const sendings = createStore<{ of: Record<string, Sending> }>({ of: {} });

const put = (id: string, sending: Sending) => sendings.set({ of: { ...sendings.get().of, [id]: sending } });

function forget(id: string): void {
  const { [id]: _, ...of } = sendings.get().of;
  sendings.set({ of });
}

const isUnderWay = (sending: Sending | undefined) => sending?.state === "signing" || sending?.state === "waiting";

interface Sent {
  /** Fetches the calls that the server allows now. */
  prepare: () => Promise<{ calls: Call[]; chain: WalletChain }>;
  /** Refetches what the server knows of it. */
  refresh: () => Promise<unknown>;
  /** Called with the receipt. */
  onReceipt?: (receipt: Receipt) => void;
}

/**
 * Sends calls as one operation of the smart wallet, unless they are being sent. The progress is in `sendings`, for as long as
 * the player is signed in.
 */
export async function send(id: string, { prepare, refresh, onReceipt }: Sent): Promise<void> {
  const player = playerNow();
  const isStill = () => playerNow() === player;
  if (isUnderWay(sendings.get().of[id])) return;
  put(id, { state: "signing" });
  try {
    const { calls, chain } = await prepare();
    assertStill(player);
    const operation = await sendInTurn({
      player,
      calls,
      chain,
      onWait: () => put(id, { state: "waiting" }),
      onLate: () => put(id, { state: "signing" }),
    });
    assertStill(player);
    const gone: Sending = { state: "gone" };
    put(id, gone);
    receiptOf({ player, operation, chain, onLate: () => {}, unknown: "" })
      .then((receipt) => isStill() && onReceipt?.(receipt))
      .catch((error: unknown) => report("wallet: no receipt", error))
      .then(() => isStill() && refresh())
      // The server knows the rest. The player may be sending it again.
      .finally(() => sendings.get().of[id] === gone && forget(id));
  } catch (error) {
    if (error instanceof Superseded || !isStill()) return;
    report("wallet: not sent", error);
    put(id, { state: "failed", error });
  } finally {
    if (isStill()) void refresh();
  }
}

// Registered for the lifetime of the site: the next player must find nothing of this one.
onSessionEnd(() => sendings.set(sendings.initial));
