import { configQuery } from "~/features/config/config";
import { loadProfile } from "~/features/session/session";
import { session } from "~/features/session/store";
import { api, unwrap } from "~/lib/api/client";
import { messageOf } from "~/lib/api/problem";
import { queryClient } from "~/lib/query";
import { report } from "~/lib/report";
import { keys, read } from "~/lib/storage";
import { isSameAddress } from "~/lib/token";
import { chainMetadata } from "./chain-metadata";
import { forgetWalletData } from "./connection";
import { NotConnected, WalletError } from "./errors";
import type { Provider } from "./providers";

/** What the player has to do in the wallet next. */
export type Step = "connect" | "switch" | "sign" | "verify";

/** Wallets' error codes (EIP-1193, EIP-1474, EIP-3326), with messages for the player. */
const refusals: Record<number, string> = {
  4001: "You said no in your wallet, so nothing has changed.",
  4100: "Your wallet does not let this site ask. Allow it there, and try again.",
  4900: "Your wallet is not connected to any chain just now. Try again in a moment.",
  4901: "Your wallet is not connected to that chain just now. Try again in a moment.",
  [-32002]: "Your wallet is asking you already. Open it to answer.",
};
const unknownChain = 4902;

const codeOf = (error: unknown) => (error as { code?: unknown } | null)?.code;

/** Sends a request to the wallet. Throws WalletError with a message for the player; its cause is the wallet's error. */
export async function ask(provider: Provider, method: string, params?: readonly unknown[]): Promise<unknown> {
  try {
    return await provider.request(params ? { method, params } : { method });
  } catch (cause) {
    const code = codeOf(cause);
    const known = typeof code === "number" ? refusals[code] : undefined;
    if (!known && code !== unknownChain) report("wallet: the browser's wallet failed", cause);
    throw new WalletError(known ?? "Your wallet could not do this. Try again, or with another wallet.", { cause });
  }
}

/** The message for an error of `connectOwnWallet` or `disconnectOwnWallet`. */
export function ownWalletProblem(error: unknown): string {
  return error instanceof WalletError ? error.message : messageOf(error);
}

const hex = (number: number) => `0x${number.toString(16)}`;

/** The text's UTF-8 bytes in hex, as wallets expect it. */
const hexOf = (text: string) => `0x${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;

/**
 * Asks the wallet to switch to a chain, adding the chain if the wallet does not know it. Throws NotConnected without
 * an account, the wallet's errors as WalletError, and those of `chainMetadata`.
 */
export async function switchChain(provider: Provider, account: string | undefined, id: number): Promise<void> {
  if (!account) throw new NotConnected();
  const change = () => ask(provider, "wallet_switchEthereumChain", [{ chainId: hex(id) }]);
  try {
    await change();
  } catch (error) {
    if (!(error instanceof WalletError) || codeOf(error.cause) !== unknownChain) throw error;
    const { name, nativeCurrency, rpc, explorers } = await chainMetadata(id);
    await ask(provider, "wallet_addEthereumChain", [
      {
        chainId: hex(id),
        chainName: name,
        nativeCurrency,
        rpcUrls: rpc.map((url) => new URL(url, location.origin).href),
        ...(explorers.length ? { blockExplorerUrls: explorers.map(({ url }) => url) } : {}),
      },
    ]);
    await change(); // adding a chain need not switch to it (EIP-3085)
  }
}

/** The wallet's chain, if it is one of the portal's; otherwise asks the wallet to switch to the game chain. */
async function chainOfOurs(provider: Provider, account: string | undefined, onStep: (step: Step) => void): Promise<number> {
  const { gameChain, mainChain } = await queryClient.fetchQuery(configQuery);
  const now = async () => Number(await ask(provider, "eth_chainId"));
  const isOurs = (id: number) => id === gameChain.id || id === mainChain.id;
  let id = await now();
  if (isOurs(id)) return id;
  onStep("switch");
  await switchChain(provider, account, gameChain.id);
  id = await now();
  if (!isOurs(id)) throw new WalletError(`Your wallet stayed on another chain. Switch it to ${gameChain.name}, and try again.`);
  return id;
}

/**
 * Has the server change the verified wallet, updates the profile, and refetches the data that depends on it; unless
 * that player has signed out in the meantime. Throws what `call` throws.
 */
async function change(call: () => Promise<string | undefined>): Promise<void> {
  const token = read(keys.token);
  const walletAddress = await call();
  if (read(keys.token) !== token) return;
  const { profile } = session.get();
  if (profile) {
    const { userVerifiedWallet: _, ...rest } = profile;
    session.set({ profile: walletAddress ? { ...rest, userVerifiedWallet: { walletAddress } } : rest });
  }
  forgetWalletData();
  await loadProfile();
}

/**
 * Requests the wallet's account and, if it is on an unsupported chain, a switch; and has it sign the server's message,
 * which proves whose the wallet is. `only` is the account that must sign; any may without it. Throws like connecting.
 */
export async function signChallenge(
  provider: Provider,
  onStep: (step: Step) => void,
  only?: string,
): Promise<{ message: string; signature: string }> {
  onStep("connect");
  const accounts = ((await ask(provider, "eth_requestAccounts")) ?? []) as string[];
  const account = only ? accounts.find((a) => isSameAddress(a, only)) : accounts[0];
  if (only && accounts.length && !account)
    throw new WalletError("This wallet shows another account. Choose your connected one in it, and try again.");
  const chainId = await chainOfOurs(provider, account, onStep);
  if (!account) throw new WalletError("Your wallet gave no account. Unlock it, and try again.");
  const { message } = await unwrap(api.POST("/api/auth/wallet/challenge", { body: { address: account.toLowerCase(), chainId } }));
  onStep("sign");
  return { message, signature: String(await ask(provider, "personal_sign", [hexOf(message), account])) };
}

/**
 * Connects an external wallet: requests its account and, if it is on an unsupported chain, a switch; has it sign the
 * server's message; and has the server verify it. `onStep` receives what the player has to do next, null once it is
 * not in the wallet; `approved` makes the call that may need an approval. Throws an Error for `ownWalletProblem`.
 */
export async function connectOwnWallet(
  provider: Provider,
  onStep: (step: Step | null) => void,
  approved: (call: () => Promise<void>) => Promise<unknown>,
): Promise<void> {
  const proof = await signChallenge(provider, onStep);
  onStep("verify");
  await approved(async () => {
    try {
      await change(async () => (await unwrap(api.POST("/api/auth/wallet/verify", { body: proof }))).userVerifiedWallet?.walletAddress);
    } finally {
      onStep(null);
    }
  });
}

/**
 * Disconnects the player's external wallet: its holdings disappear from the pages; the profile stays. Throws like
 * connecting.
 */
export async function disconnectOwnWallet(): Promise<void> {
  await change(async () => {
    await unwrap(api.DELETE("/api/auth/wallet"));
    return undefined;
  });
}
