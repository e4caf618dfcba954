import { keys, read } from "~/lib/storage";
import { visit } from "~/lib/visit";

/** What features provide to the API client. */
export const context = {
  /** Called when the server reports that the stored token is no longer valid. */
  onUnauthorized: (): void => {},
  /** Further headers of every call. */
  headers: {} as Record<string, string>,
};

/** The headers of every call: the visit, and the player's smart wallet, "" for none. */
export function callerHeaders(): Record<string, string> {
  return { "x-wallet-address": read(keys.walletAddress) ?? "", "x-session-id": visit(), ...context.headers };
}
