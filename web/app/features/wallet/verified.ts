import { configQuery } from "~/features/config/config";
import type { ClientConfig } from "~/features/config/schema";
import { loadProfile } from "~/features/session/session";
import { session } from "~/features/session/store";
import { api, unwrap } from "~/lib/api/client";
import { messageOf } from "~/lib/api/problem";
import { queryClient } from "~/lib/query";
import { report } from "~/lib/report";
import { keys, read } from "~/lib/storage";
import { forgetWalletData, WalletError } from "./connection";
import type { Provider } from "./providers";

/** What the player has to do in the wallet next. */
export type Step = "connect" | "switch" | "sign" | "verify";

/** What wallets answer with (EIP-1193, EIP-1474, EIP-3326), in words for the player. */
const refusals: Record<number, string> = {
  4001: "You said no in your wallet, so nothing has changed.",
  4100: "Your wallet does not let this site ask. Allow it there, and try again.",
  4900: "Your wallet is not connected to any chain just now. Try again in a moment.",
  4901: "Your wallet is not connected to that chain just now. Try again in a moment.",
  [-32002]: "Your wallet is asking you already. Open it to answer.",
};
const unknownChain = 4902;

const codeOf = (error: unknown) => (error as { code?: unknown } | null)?.code;

/** Asks the wallet. Throws WalletError with what it answers instead, in words for the player; its cause is the wallet's own. */
async function ask(provider: Provider, method: string, params?: readonly unknown[]): Promise<unknown> {
  try {
    return await provider.request(params ? { method, params } : { method });
  } catch (cause) {
    const code = codeOf(cause);
    const known = typeof code === "number" ? refusals[code] : undefined;
    if (!known && code !== unknownChain) report("wallet: the browser's wallet failed", cause);
    throw new WalletError(known ?? "Your wallet could not do this. Try again, or with another wallet.", { cause });
  }
}

/** The message of what `connectOwnWallet` or `disconnectOwnWallet` throws. */
export function ownWalletProblem(error: unknown): string {
  return error instanceof WalletError ? error.message : messageOf(error);
}

const hex = (number: number) => `0x${number.toString(16)}`;

/** The text as wallets are given it. */
const hexOf = (text: string) => `0x${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;

/**
 * Asks the wallet to go to a chain, and tells it of the chain if it does not know it. Throws WalletError when no account is
 * connected, and what the wallet answers.
 */
export async function switchChain(provider: Provider, account: string | undefined, { id, name, explorerUrl }: ClientConfig["gameChain"]): Promise<void> {
  if (!account) throw new WalletError("Cannot switch chain without a previous connection");
  const change = () => ask(provider, "wallet_switchEthereumChain", [{ chainId: hex(id) }]);
  try {
    await change();
  } catch (error) {
    if (!(error instanceof WalletError) || codeOf(error.cause) !== unknownChain) throw error;
    await ask(provider, "wallet_addEthereumChain", [
      {
        chainId: hex(id),
        chainName: name,
        nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
        rpcUrls: [`${location.origin}/api/proxy/rpc/${id}`],
        ...(explorerUrl ? { blockExplorerUrls: [explorerUrl] } : {}),
      },
    ]);
    await change(); // a wallet that has added a chain need not have switched to it (EIP-3085)
  }
}

/** The chain of ours that the wallet is on; it is asked to go to the game chain when it is on another. */
async function chainOfOurs(provider: Provider, account: string | undefined, onStep: (step: Step) => void): Promise<number> {
  const { gameChain, mainChain } = await queryClient.fetchQuery(configQuery);
  const now = async () => Number(await ask(provider, "eth_chainId"));
  const isOurs = (id: number) => id === gameChain.id || id === mainChain.id;
  let id = await now();
  if (isOurs(id)) return id;
  onStep("switch");
  await switchChain(provider, account, gameChain);
  id = await now();
  if (!isOurs(id)) throw new WalletError(`Your wallet stayed on another chain. Switch it to ${gameChain.name}, and try again.`);
  return id;
}

/**
 * Has the server change which wallet is verified, notes it in the profile, and lets the pages load what goes with it; unless
 * that player has signed out meanwhile. Throws what `call` throws.
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
 * Connects a wallet of the player's own: asks it for its account and, when it is on no chain of ours, to switch; has it sign
 * the message of the server; and lets the server verify it. `onStep` is told what the player has to do next. Throws an
 * Error for `ownWalletProblem`.
 */
export async function connectOwnWallet(provider: Provider, onStep: (step: Step) => void): Promise<void> {
  onStep("connect");
  const [account] = ((await ask(provider, "eth_requestAccounts")) ?? []) as string[];
  const chainId = await chainOfOurs(provider, account, onStep);
  if (!account) throw new WalletError("Your wallet gave no account. Unlock it, and try again.");
  const { message } = await unwrap(api.POST("/api/auth/wallet/challenge", { body: { address: account.toLowerCase(), chainId } }));
  onStep("sign");
  const signature = String(await ask(provider, "personal_sign", [hexOf(message), account]));
  onStep("verify");
  await change(async () => (await unwrap(api.POST("/api/auth/wallet/verify", { body: { message, signature } }))).userVerifiedWallet?.walletAddress);
}

/** Disconnects the player's own wallet: what it holds goes from the pages; the profile stays. Throws as connecting does. */
export async function disconnectOwnWallet(): Promise<void> {
  await change(async () => {
    await unwrap(api.DELETE("/api/auth/wallet"));
    return undefined;
  });
}
