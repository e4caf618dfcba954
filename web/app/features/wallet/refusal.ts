import { NotApproved } from "~/features/approval/trades";
import { ApiError, messageOf } from "~/lib/api/problem";
import { RpcError } from "~/lib/rpc";
import { WalletError } from "./errors";

/** Why an operation was refused. */
export interface Refusal {
  /** The message for the player. */
  message: string;
  /** The machine-readable cause, such as "busy", if the server gives one. */
  reason?: string | undefined;
  /** The server's Retry-After in milliseconds. */
  retryAfter?: number | undefined;
}

/** Shown for the EntryPoint's AA25, which has no message for players. */
const busy = "Another action of yours is still on its way. Please wait until it is done.";

/** Shown for calls that fail on the chain's present state: what the relay says of these are the contract's words. */
const reverted = "The chain refuses this, so nothing was sent. It may be done already, perhaps in another window.";

/** Shown for the EntryPoint's other refusals, such as AA32, which name only their code. */
const notAccepted = "This could not be sent just now. Nothing has happened. Please try again.";

/** Whether it is the EntryPoint's code for an invalid account nonce: another operation of the account has used it. */
const isNonceUsed = (message: string) => /\bAA25\b/.test(message);

/** The refusal behind a thrown value: the server's message if there is one, however the wallet's library wraps it. */
export function refusalOf(error: unknown): Refusal {
  const causes: unknown[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) causes.push(cause);
  for (const cause of causes) {
    if (cause instanceof ApiError) return { message: cause.message, reason: cause.reason };
    if (cause instanceof WalletError || cause instanceof NotApproved) return { message: cause.message };
    if (cause instanceof RpcError) {
      const { reason, retryAfter } = (typeof cause.data === "object" && cause.data !== null ? cause.data : {}) as Record<string, unknown>;
      if (isNonceUsed(cause.message)) return { message: busy, reason: "busy" };
      // "nonce" is the relay's reason: another operation is about to use the nonce.
      const known = reason === "nonce" ? "busy" : reason;
      return {
        message: known === "reverted" ? reverted : /\bAA\d\d\b/.test(cause.message) ? notAccepted : cause.message,
        reason: typeof known === "string" ? known : undefined,
        retryAfter: typeof retryAfter === "number" ? retryAfter * 1000 : undefined,
      };
    }
  }
  // The innermost error is the cause; the wallet's library wraps it.
  return { message: messageOf(causes.at(-1) ?? error) };
}
