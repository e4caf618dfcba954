import { WalletError } from "~/features/wallet/connection";
import { ApiError, messageOf } from "~/lib/api/problem";
import { RpcError } from "~/lib/rpc";

/** Why an operation was refused. */
export interface Refusal {
  /** For the player. */
  message: string;
  /** The machine-readable cause, such as "busy", where the server gives one. */
  reason?: string | undefined;
  /** After how many milliseconds the server says to try again. */
  retryAfter?: number | undefined;
}

/** Shown for the EntryPoint's AA25, which has no text for players. */
const busy = "Another action of yours is still on its way. Please wait until it is done.";

/** Whether it is the EntryPoint's code for an invalid account nonce: another operation of the account has used it. */
const isNonceUsed = (message: string) => /\bAA25\b/.test(message);

/** What a thrown value means to the player: the server's words where it gave any, however the wallet's library wraps them. */
export function refusalOf(error: unknown): Refusal {
  const causes: unknown[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) causes.push(cause);
  for (const cause of causes) {
    if (cause instanceof ApiError) return { message: cause.message, reason: cause.reason };
    if (cause instanceof WalletError) return { message: cause.message };
    if (cause instanceof RpcError) {
      const { reason, retryAfter } = (typeof cause.data === "object" && cause.data !== null ? cause.data : {}) as Record<string, unknown>;
      if (isNonceUsed(cause.message)) return { message: busy, reason: "busy" };
      // "nonce" is our relay's reason: it has another operation that is about to use the nonce.
      const known = reason === "nonce" ? "busy" : reason;
      return {
        message: cause.message,
        reason: typeof known === "string" ? known : undefined,
        retryAfter: typeof retryAfter === "number" ? retryAfter * 1000 : undefined,
      };
    }
  }
  // The innermost is what happened; the wallet's library wraps it.
  return { message: messageOf(causes.at(-1) ?? error) };
}
