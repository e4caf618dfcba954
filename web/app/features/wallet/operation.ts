import { approveTrades } from "~/features/approval/trades";
import { playerNow } from "~/features/session/player";
import { ApiError } from "~/lib/api/problem";
import { report } from "~/lib/report";
import { RpcError } from "~/lib/rpc";
import { activeWallet } from "./connection";
import { WalletError } from "./errors";
import { type Refusal, refusalOf } from "./refusal";
import type { ActiveWallet, Call, Prepared, Receipt, Signed, WalletChain } from "./smart-wallet";

/** How long an operation waits for another one of the same account, in milliseconds. */
export const busyTimeout = 30_000;

/** How long it waits between two attempts by default, and at least, in milliseconds. */
const busyPause = { usual: 2_000, least: 250 };

/** The relay's reason for an operation whose trades need the player's approval. */
const tradeApproval = "trade-approval";

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

/** How long the outcome of an operation is waited for, in milliseconds: longer than its sponsorship is valid. */
const outcomeTimeout = 15 * 60_000;

/** The pause between two attempts to learn the outcome, in milliseconds. */
const outcomePause = 2_000;

/** The relay does not have the operation, and will not accept it: nothing has happened. The cause is its refusal. */
class NotAccepted extends Error {
  override name = "NotAccepted";
}

/** The first error of a kind among the causes of a thrown value. */
function causeOf<T extends Error>(error: unknown, kind: abstract new (...args: never[]) => T): T | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof kind) return cause;
  return undefined;
}

/** The code of JSON-RPC's internal errors, after which the relay may have accepted an operation all the same. */
const internalCode = -32603;

/**
 * Whether the relay refused an operation that was submitted for the first time. Without an answer, or after a server error,
 * a timeout (408) or an answer that cannot be read, it may have accepted it.
 */
function isRefused(error: unknown): boolean {
  const answer = causeOf(error, RpcError);
  if (answer) return answer.code !== internalCode;
  const status = causeOf(error, ApiError)?.status ?? 0;
  return status >= 400 && status < 500 && status !== 408;
}

/**
 * Submits an operation again of which it is unknown whether the relay has it. Throws NotAccepted if the relay does not have
 * it and refuses it, and any other error if that is still unknown.
 */
async function submitAgain(wallet: ActiveWallet, operation: Signed): Promise<void> {
  try {
    await wallet.submit(operation);
  } catch (error) {
    // A refusal alone says nothing: if the relay has it already, its nonce may be used up by itself.
    if (await wallet.isAccepted(operation.operation)) return;
    if (causeOf(error, RpcError)) throw new NotAccepted("The operation was not accepted.", { cause: error });
    throw error;
  }
}

interface Awaited {
  player: string;
  chain?: WalletChain | undefined;
  /** Called when the answer takes longer than usual. */
  onLate: () => void;
}

/** Repeats an attempt to learn the outcome until it succeeds, whatever connection is lost meanwhile. */
async function persist<T>({ player, chain, onLate }: Awaited, attempt: (wallet: ActiveWallet) => Promise<T>, unknown: string): Promise<T> {
  const until = Date.now() + outcomeTimeout;
  for (;;) {
    try {
      return await attempt(await activeWallet(chain));
    } catch (error) {
      assertStill(player);
      if (error instanceof NotAccepted) throw error.cause;
      report("wallet: no outcome yet", error);
      if (Date.now() >= until) throw new WalletError(unknown);
      onLate();
      await pause(outcomePause);
      assertStill(player);
    }
  }
}

const neverAnswered = "We could not find out whether this was sent. Look whether it happened before you try again.";

interface Sending extends Awaited {
  calls: Call[];
  /** The wallet, if it is being prepared already. */
  readying?: Promise<Ready>;
  /** Called when another operation is pending. */
  onWait: () => void;
  /** Called before the operation is submitted: what a reload needs to go on with it. */
  onSigned?: (operation: Signed) => void;
  /** Throws Superseded if the operation is no longer wanted after a wait. */
  assertWanted?: () => void;
}

/**
 * Sends calls as one operation, and returns its hash once the relay has it. While another operation of the account is
 * pending it waits and retries with a newly prepared operation, because the pending one uses up the nonce. Trades that need
 * the player's approval are approved first. If the answer is lost, it submits the same operation again until it is known
 * whether the relay has it.
 */
export async function sendInTurn(sending: Sending): Promise<Signed["operation"]> {
  const { player, calls, chain, readying = readyWallet(chain), onWait, onLate, onSigned, assertWanted } = sending;
  let until = Date.now() + busyTimeout;
  let { wallet, prepared } = await readying;
  for (;;) {
    assertStill(player);
    let signed: Signed | undefined;
    try {
      const made = await wallet.sign(calls, prepared);
      assertStill(player);
      onSigned?.(made);
      signed = made;
      await wallet.submit(made);
      assertStill(player);
      return made.operation;
    } catch (error) {
      assertStill(player);
      if (signed && !isRefused(error)) {
        report("wallet: no answer to an operation", error);
        onLate();
        const lost = signed;
        await persist(sending, (again) => submitAgain(again, lost), neverAnswered);
        return lost.operation;
      }
      const { reason, retryAfter = busyPause.usual } = refusalOf(error);
      const left = until - Date.now();
      if (reason === tradeApproval) {
        await approveTrades(calls);
        until = Date.now() + busyTimeout;
      } else if (reason === "busy" && left > 0) {
        onWait();
        await pause(Math.min(Math.max(retryAfter, busyPause.least), left));
      } else {
        throw error;
      }
      assertStill(player);
      assertWanted?.();
      ({ wallet, prepared } = await readyWallet(chain));
    }
  }
}

interface Followed extends Awaited, Pick<Signed, "operation"> {
  /** The operation itself, unless the relay is known to have it. */
  signed?: Signed["signed"] | undefined;
  /** The message for the player if the outcome is still unknown in the end. */
  unknown: string;
}

/** Waits for the outcome of an operation. Rejects with the relay's refusal if the relay never accepted it. */
export async function receiptOf({ operation, signed, unknown, ...awaited }: Followed): Promise<Receipt> {
  if (signed) await persist(awaited, (wallet) => submitAgain(wallet, { operation, signed }), unknown);
  return persist(awaited, (wallet) => wallet.waitForReceipt(operation), unknown);
}
