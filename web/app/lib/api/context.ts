import { visit } from "~/lib/visit";

/** What a call tells the server about the browser it comes from. Features fill it in as they learn it. */
export const context = {
  /** The player's smart wallet; "" before it is known. */
  walletAddress: "",
  /** Called when the server says that the stored token is no longer good. */
  onUnauthorized: (): void => {},
};

/** The headers of every call: which visit and which wallet it comes from, as far as that is known. */
export function callerHeaders(): Record<string, string> {
  const id = visit();
  return { ...(context.walletAddress && { "x-wallet-address": context.walletAddress }), ...(id && { "x-session-id": id }) };
}
