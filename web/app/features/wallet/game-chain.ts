import { notify } from "~/components/ui/toasts";
import { configQuery } from "~/features/config/config";
import { queryClient } from "~/lib/query";
import { report } from "~/lib/report";
import { WalletError } from "./errors";
import { browserWallets, type Provider, watchBrowserWallets } from "./providers";
import { ask, switchChain } from "./verified-wallet";

/** The chain on which a wallet was last asked to switch. It is not asked twice on the same chain. */
const askedOn = new WeakMap<Provider, number>();

/** Asks a wallet to switch to the game chain, if it shows the account and is on another chain. */
async function askToSwitch(provider: Provider, address: string, isStopped: () => boolean): Promise<void> {
  const accounts = ((await ask(provider, "eth_accounts")) ?? []) as string[];
  const account = accounts.find((a) => a.toLowerCase() === address.toLowerCase());
  if (!account) return;
  const { gameChain } = await queryClient.fetchQuery(configQuery);
  const chainId = Number(await ask(provider, "eth_chainId"));
  if (isStopped()) return;
  if (chainId === gameChain.id) askedOn.delete(provider);
  if (chainId === gameChain.id || askedOn.get(provider) === chainId) return;
  askedOn.set(provider, chainId);
  notify("blank", "Your wallet is on another chain", `Let it switch to ${gameChain.name}.`);
  await switchChain(provider, account, gameChain.id);
}

/**
 * Asks the player's connected external wallet to switch to the game chain, now and whenever it changes its chain,
 * until stopped. Only the wallet that shows this account is asked, and once on each other chain: players may decline.
 */
export function keepGameChain(address: string): () => void {
  let stopped = false;
  const followed = new Map<Provider, () => void>();
  const follow = () => {
    for (const { provider } of browserWallets.get().list) {
      if (followed.has(provider)) continue;
      const check = () =>
        void askToSwitch(provider, address, () => stopped).catch((error: unknown) => {
          if (!(error instanceof WalletError)) report("wallet: not asked to switch to the game chain", error); // the others are reported
        });
      followed.set(provider, check);
      provider.on?.("chainChanged", check);
      provider.on?.("accountsChanged", check);
      check();
    }
  };
  const unsubscribe = browserWallets.subscribe(follow);
  const stopWatching = watchBrowserWallets();
  follow();
  return () => {
    stopped = true;
    unsubscribe();
    stopWatching();
    for (const [provider, check] of followed) {
      provider.removeListener?.("chainChanged", check);
      provider.removeListener?.("accountsChanged", check);
    }
  };
}
