import { configQuery } from "~/features/config/config";
import { playerNow } from "~/features/session/player";
import { loadProfile, onSessionEnd } from "~/features/session/session";
import { session } from "~/features/session/store";
import { api, unwrap } from "~/lib/api/client";
import { ApiError } from "~/lib/api/problem";
import { queryClient } from "~/lib/query";
import { report } from "~/lib/report";
import { keys, write } from "~/lib/storage";
import { isSameAddress } from "~/lib/token";
import { AuthenticationError, ClientIdMissing, PairNotStored, WalletError } from "./errors";
import { authorizationBy, embeddedToken } from "./signer";
import type { ActiveWallet, WalletChain } from "./smart-wallet";
import { type WalletState, wallet } from "./store";

/** How often signing in to the embedded wallet is attempted, with a new token after each failure. */
export const authenticationAttempts = 3;

/** How often a pair that the server refuses leads to a new connection before the player is asked. */
const pairAttempts = 3;

/** The player whose wallet this is; "" for none. Calls begun for another player must not change the state any more. */
let player = "";
let connecting: Promise<void> | null = null;
let active: Partial<Record<WalletChain, Promise<ActiveWallet>>> = {};

/** Changes the state, if it is still this player's. */
function move(owner: string, change: Partial<WalletState>): void {
  if (owner !== player) throw new WalletError("The wallet belongs to another player now.");
  wallet.set(change);
}

/**
 * The error for the player for a failure: with the server's own message if it was unable to do what was requested, as
 * opposed to refusing it.
 */
function failureOf(error: unknown): WalletError {
  if (error instanceof WalletError) return error;
  const isAway = error instanceof ApiError && (error.status >= 500 || error.status === 429);
  return isAway ? new WalletError(error.message, { cause: error }) : new AuthenticationError(error);
}

/** Signs in to the embedded wallet and returns its address. */
async function connectEmbedded(me: string): Promise<string> {
  let last: unknown;
  for (let attempt = 1; attempt <= authenticationAttempts; attempt++) {
    try {
      const token = await embeddedToken(attempt > 1);
      move(me, { step: "embedded" });
      return (await unwrap(api.POST("/api/wallet/connect", { headers: authorizationBy(token) }))).address;
    } catch (error) {
      report(`wallet: authentication attempt ${attempt} failed`, error);
      last = error;
    }
  }
  throw last instanceof WalletError ? last : new AuthenticationError(last);
}

/** The smart account of the embedded wallet on a chain, ready for use. Its code is loaded on demand. */
function activate(owner: string, chain: WalletChain): Promise<ActiveWallet> {
  const known = active;
  known[chain] ??= Promise.all([queryClient.fetchQuery(configQuery), import("./smart-wallet")])
    .then(([config, { connectSmartWallet }]) => connectSmartWallet(config[chain], owner as `0x${string}`))
    .catch((error: unknown) => {
      delete known[chain];
      throw error;
    });
  return known[chain];
}

/** Registers the pair with the server. A refused pair (400) is discarded, and true requests a new connection. */
async function storePair(me: string, embeddedWallet: string, smartWallet: string): Promise<boolean> {
  try {
    await unwrap(api.POST("/api/smartWallet/create-smart-wallet", { body: { playfabid: me, embeddedWallet, smartWallet } }));
    return false;
  } catch (error) {
    report("wallet: the pair was not stored", error);
    if (!(error instanceof ApiError) || error.status !== 400) throw new PairNotStored(error);
    write(keys.walletToken, null);
    active = {};
    move(me, { embeddedAddress: "", needsReconnect: true });
    return true;
  }
}

/** One attempt to connect; true if the pair was refused and another attempt is due. */
async function connectOnce(me: string): Promise<boolean> {
  move(me, { status: "connecting", step: "token", error: "" });
  const { clientId } = await queryClient.fetchQuery(configQuery);
  if (!clientId) throw new ClientIdMissing();
  const embeddedAddress = await connectEmbedded(me);
  move(me, { embeddedAddress, needsReconnect: false, step: "smart" });
  const known = await unwrap(api.POST("/api/smartWallet/has-smart-wallet", { body: { playfabid: me } }));
  const stored = isSameAddress(known.embeddedWallet, embeddedAddress) && known.smartWallet;
  const smartAddress = stored || (await activate(embeddedAddress, "gameChain")).address;
  move(me, { smartAddress, step: "store" });
  write(keys.walletAddress, smartAddress);
  if (stored) return false;
  if (await storePair(me, embeddedAddress, smartAddress)) return true;
  await loadProfile();
  return false;
}

async function connectPlayer(me: string): Promise<void> {
  try {
    for (let round = 1; await connectOnce(me); round++) {
      if (round === pairAttempts) throw new PairNotStored();
    }
    move(me, { status: "connected", step: "done" });
  } catch (error) {
    report("wallet: not connected", error);
    if (me === player) wallet.set({ status: "failed", error: failureOf(error).message });
    throw error;
  }
}

/**
 * Connects the signed-in player's wallet, unless it is connected or connecting. After a change of player the wallet of
 * the one before is cleared first. Rejects with the reason on failure.
 */
export function connectWallet(): Promise<void> {
  const now = playerNow();
  if (player && player !== now) {
    disconnectWallet();
    write(keys.walletAddress, session.get().profile?.smartWalletAddress ?? null);
    wallet.set({ needsReconnect: true });
  }
  player = now;
  if (!player) return Promise.reject(new AuthenticationError());
  if (wallet.get().status === "connected" && !wallet.get().needsReconnect) return Promise.resolve();
  if (!connecting) {
    const mine = connectPlayer(player).finally(() => {
      if (connecting === mine) connecting = null;
    });
    connecting = mine;
  }
  return connecting;
}

/** The player's wallet, connected and ready to send operations on a chain. */
export async function activeWallet(chain: WalletChain = "gameChain"): Promise<ActiveWallet> {
  await connectWallet();
  const ready = await activate(wallet.get().embeddedAddress, chain);
  if (!isSameAddress(ready.address, wallet.get().smartAddress)) throw new AuthenticationError();
  return ready;
}

/** The first parts of the query keys of data that depends on the wallet. */
const walletData = ["market", "holdings", "cart", "wallet"];

/**
 * Clears the wallet: its addresses and all data loaded for them. The profile stays, and so does the stored token: it
 * belongs to the session, and may be the next player's, stored by another tab.
 */
export function disconnectWallet(): void {
  player = "";
  active = {};
  connecting = null;
  wallet.set(wallet.initial);
  forgetWalletData();
}

// Registered for the lifetime of the site: the next player must find no data of this one.
onSessionEnd(disconnectWallet);

/**
 * Clears the data loaded for the player's wallets: holdings, live listings, cart, balances. Open pages refetch it;
 * after the end of a session there are none.
 */
export function forgetWalletData(): void {
  if (session.get().isAuthenticated)
    void queryClient.resetQueries({ predicate: ({ queryKey }) => walletData.includes(String(queryKey[0])) });
}

/** Keeps the signed-in player's wallet connected, until stopped. Another player leads to another connection. */
export function keepWallet(): () => void {
  const follow = () => {
    const now = playerNow();
    if (now && now !== player) connectWallet().catch(() => {}); // the store shows errors
  };
  follow();
  return session.subscribe(follow);
}
