import { createStore } from "~/lib/store";

/** What the player has in all, with four decimals, as it was when it was last above 0. */
export interface Totals {
  usdcCachedTotal: string;
  godTotal: string;
}

export interface WalletState {
  /** "idle" before a player is known; "failed" when all attempts came to nothing. */
  status: "idle" | "connecting" | "connected" | "failed";
  /** How far the connection has come: what the creation page shows. */
  step: "token" | "embedded" | "smart" | "store" | "done";
  embeddedAddress: string;
  smartAddress: string;
  /** Set when the wallet has to be connected anew: another player, or a pair the server does not accept. */
  needsReconnect: boolean;
  /** What went wrong, for the player. */
  error: string;
  /** The totals of the smart wallet `of`; those of any other are not known. `balance.ts` keeps them. */
  totals: Totals & { of: string };
}

/** The player's wallet on the marketplace. `connection.ts` moves it. */
export const wallet = createStore<WalletState>({
  status: "idle",
  step: "token",
  embeddedAddress: "",
  smartAddress: "",
  needsReconnect: false,
  error: "",
  totals: { of: "", usdcCachedTotal: "0.00", godTotal: "0.00" },
});
