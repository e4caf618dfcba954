import { createStore } from "~/lib/store";

/** The player's totals, with four decimals, as they were when last above 0. */
export interface Totals {
  usdcCachedTotal: string;
  godTotal: string;
}

export interface WalletState {
  /** "idle" before a player is known; "failed" when all attempts have failed. */
  status: "idle" | "connecting" | "connected" | "failed";
  /** The current step of the connection, shown on the creation page. */
  step: "token" | "embedded" | "smart" | "store" | "done";
  embeddedAddress: string;
  smartAddress: string;
  /** Set if the wallet must be reconnected: another player, or a pair the server refuses. */
  needsReconnect: boolean;
  /** What went wrong, for the player. */
  error: string;
  /** The totals of the smart wallet `of`; those of any other are unknown. `balance.ts` sets them. */
  totals: Totals & { of: string };
}

/** The player's wallet on the marketplace. `connection.ts` sets it. */
export const wallet = createStore<WalletState>({
  status: "idle",
  step: "token",
  embeddedAddress: "",
  smartAddress: "",
  needsReconnect: false,
  error: "",
  totals: { of: "", usdcCachedTotal: "0.00", godTotal: "0.00" },
});
