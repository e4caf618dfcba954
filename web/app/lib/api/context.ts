import { visit } from "~/lib/visit";

/** What each call tells the server about the browser. Features set it as they learn it. */
export const context = {
  /** The player's smart wallet; "" while unknown. */
  walletAddress: "",
  /** Called when the server reports that the stored token is no longer valid. */
  onUnauthorized: (): void => {},
};

/** The headers of every call: the visit, and the wallet once it is known. */
export function callerHeaders(): Record<string, string> {
  return { ...(context.walletAddress && { "x-wallet-address": context.walletAddress }), "x-session-id": visit() };
}
