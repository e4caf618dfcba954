import { createStore } from "~/lib/store";
import { EcosystemWalletNotFound } from "./errors";

/** A wallet's provider in the browser (EIP-1193). */
export interface Provider {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>;
  /** Subscribes to events; not every wallet has them. */
  on?(event: string, listener: () => void): unknown;
  removeListener?(event: string, listener: () => void): unknown;
}

/** A wallet that has announced itself (EIP-6963). */
export interface BrowserWallet {
  /** Unique within this page. */
  id: string;
  name: string;
  /** An icon as a data: URL, only to be used in an <img>; "" for none. */
  icon: string;
  provider: Provider;
}

/** The wallets in this browser, in the order in which they announced themselves. */
export const browserWallets = createStore<{ list: BrowserWallet[] }>({ list: [] });

/** The provider of a wallet in this browser, by the wallet's id. Throws EcosystemWalletNotFound. */
export function providerOf(id: string): Provider {
  const found = browserWallets.get().list.find((wallet) => wallet.id === id);
  if (!found) throw new EcosystemWalletNotFound();
  return found.provider;
}

/** The maximum length of a name, which comes from the wallet. */
const maxName = 30;

interface Announcement extends Event {
  detail?: { info?: { uuid?: unknown; name?: unknown; icon?: unknown }; provider?: Partial<Provider> };
}

const isProvider = (value: unknown): value is Provider => typeof (value as Partial<Provider> | undefined)?.request === "function";

function add(wallet: BrowserWallet): void {
  const { list } = browserWallets.get();
  if (!list.some(({ id }) => id === wallet.id)) browserWallets.set({ list: [...list, wallet] });
}

function announced(event: Event): void {
  const { info, provider } = (event as Announcement).detail ?? {};
  if (typeof info?.uuid !== "string" || typeof info.name !== "string" || !isProvider(provider)) return;
  const icon = typeof info.icon === "string" && info.icon.startsWith("data:image/") ? info.icon : "";
  add({ id: info.uuid, name: info.name.slice(0, maxName).trim() || "Wallet", icon, provider });
}

/** How long wallets have to announce themselves before `window.ethereum` is used, in milliseconds. */
const announcementTime = 200;

/**
 * Discovers wallets in this browser, and keeps listening, until stopped. A wallet that only sets `window.ethereum`
 * without announcing itself is found as well.
 */
export function watchBrowserWallets(): () => void {
  addEventListener("eip6963:announceProvider", announced);
  dispatchEvent(new Event("eip6963:requestProvider"));
  const timer = setTimeout(() => {
    const { ethereum } = window as { ethereum?: unknown };
    if (!browserWallets.get().list.length && isProvider(ethereum))
      add({ id: "window.ethereum", name: "Browser wallet", icon: "", provider: ethereum });
  }, announcementTime);
  return () => {
    clearTimeout(timer);
    removeEventListener("eip6963:announceProvider", announced);
  };
}
