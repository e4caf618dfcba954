import { playerNow } from "~/features/session/player";
import { report } from "~/lib/report";
import type { ActiveWallet, Call, Prepared, Receipt, WalletChain } from "./account";
import { activeWallet } from "./connection";
import { WalletError } from "./errors";
import { type Refusal, refusalOf } from "./refusal";

/** How long an operation waits for another one of the same account, in milliseconds. */
export const busyTimeout = 30_000;

/** How long it waits between two attempts by default, and at least, in milliseconds. */
const busyPause = { usual: 2_000, least: 250 };

/** The operation is obsolete: another player is signed in, or what it was for has ended. The player is not notified. */
export class Superseded extends Error {
  override name = "Superseded";
}

/** Throws unless the player is still signed in. Call it after every await, before anything is stored or sent. */
export function assertStill(player: string): void {
  if (playerNow() !== player) throw new Superseded("Another player is signed in.");
}

/** The message for the player for a failure; null for none. */
export function problemOf(error: unknown): Refusal | null {
  return error && !(error instanceof Superseded) ? refusalOf(error) : null;
}

/** Everything that sending an operation needs except its calls. */
export interface Ready {
  wallet: ActiveWallet;
  prepared: Prepared;
}

/** Connects the wallet on a chain and fetches the chain state for the next operation. */
export async function readyWallet(chain?: WalletChain): Promise<Ready> {
  const wallet = await activeWallet(chain);
  return { wallet, prepared: await wallet.prepare() };
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface Sending {
  player: string;
  calls: Call[];
  chain?: WalletChain;
  /** The wallet, if it is being prepared already. */
  readying?: Promise<Ready>;
  /** Called when another operation is pending. */
  onWait: () => void;
  /** Throws Superseded if the operation is no longer wanted after a wait. */
  assertWanted?: () => void;
}

/**
 * Sends calls as one operation. While another operation of the account is pending it waits and retries with a newly
 * prepared operation, because the pending one uses up the nonce.
 */
export async function sendInTurn({ player, calls, chain, readying = readyWallet(chain), onWait, assertWanted }: Sending) {
  const until = Date.now() + busyTimeout;
  let { wallet, prepared } = await readying;
  for (;;) {
    assertStill(player);
    try {
      return { wallet, userOpHash: await wallet.send(calls, prepared) };
    } catch (error) {
      const { reason, retryAfter = busyPause.usual } = refusalOf(error);
      const left = until - Date.now();
      if (reason !== "busy" || left <= 0) throw error;
      onWait();
      await pause(Math.min(Math.max(retryAfter, busyPause.least), left));
      assertStill(player);
      assertWanted?.();
      ({ wallet, prepared } = await readyWallet(chain));
    }
  }
}

/** How long the outcome of an operation is waited for, in milliseconds: longer than its sponsorship is valid. */
const outcomeTimeout = 15 * 60_000;

/** The pause between two attempts to get a receipt, in milliseconds. */
const receiptPause = 2_000;

interface Awaited {
  player: string;
  operation: `0x${string}`;
  chain?: WalletChain;
  /** Called when the receipt takes longer than usual. */
  onLate: () => void;
  /** The message for the player if the outcome is still unknown in the end. */
  unknown: string;
}

/** Waits for the receipt of an operation, whatever connection is lost meanwhile. */
export async function receiptOf({ player, operation, chain, onLate, unknown }: Awaited): Promise<Receipt> {
  const until = Date.now() + outcomeTimeout;
  for (;;) {
    try {
      return await (await activeWallet(chain)).waitForReceipt(operation);
    } catch (error) {
      assertStill(player);
      report("wallet: no receipt yet", error);
      if (Date.now() >= until) throw new WalletError(unknown);
      onLate();
      await pause(receiptPause);
      assertStill(player);
    }
  }
}
