import { createStore } from "~/lib/store";

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
}

/** The player's wallet on the marketplace. `machine.ts` moves it. */
export const wallet = createStore<WalletState>({
  status: "idle",
  step: "token",
  embeddedAddress: "",
  smartAddress: "",
  needsReconnect: false,
  error: "",
});
