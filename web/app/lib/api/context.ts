import { visit } from "~/lib/visit";

/** What a call tells the server about the browser it comes from. Features fill it in as they learn it. */
export const context = {
  /** The player's smart wallet; "" before it is known. */
  walletAddress: "",
  /** Called when the server says that the stored token is no longer good. */
  onUnauthorized: (): void => {},
};

/** The headers of every call: which visit it comes from, and from which wallet, once that is known. */
export function callerHeaders(): Record<string, string> {
  return { ...(context.walletAddress && { "x-wallet-address": context.walletAddress }), "x-session-id": visit() };
}
