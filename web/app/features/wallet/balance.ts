import { queryOptions, useQuery } from "@tanstack/react-query";
import { configQuery } from "~/features/config/config";
import { session } from "~/features/session/store";
import { compare } from "~/lib/amount";
import { fromBaseUnits, withDecimals } from "~/lib/format";
import { queryClient } from "~/lib/query";
import { createRpc } from "~/lib/rpc";
import { useStore } from "~/lib/store";
import { walletContract } from "./contract";
import { type Totals, wallet } from "./store";

/** Selector of `balanceOf(address)` (EIP-20). */
const balanceOf = "0x70a08231";

/** Decimals of the GOD token. */
const godDecimals = 18;

/** The prefix of the balances' query keys; invalidate it when money was transferred. */
export const balanceKey = ["wallet", "balance"] as const;

/** A wallet's current balances, decimal. */
export interface Balance {
  /** Of the market's currency. */
  usdc: string;
  /** "0" where the brand has none. */
  god: string;
}

/** A wallet's current balances on chain. Refetched when the realtime channel announces a change. */
export const balanceQuery = (address: string) =>
  queryOptions({
    queryKey: [...balanceKey, address],
    enabled: address !== "",
    queryFn: async ({ signal }): Promise<Balance> => {
      const { gameChain, currency, contracts } = await queryClient.fetchQuery(configQuery);
      const data = balanceOf + address.slice(2).toLowerCase().padStart(64, "0");
      const rpc = createRpc({ url: `/api/proxy/rpc/${gameChain.id}` });
      const amountOf = async (token: string, decimals: number) => {
        const { client, address: to } = walletContract({ client: rpc, address: token, chainId: gameChain.id });
        const units = await client.request<string>({ method: "eth_call", params: [{ to, data }, "latest"] });
        return fromBaseUnits(BigInt(units).toString(), decimals);
      };
      const [usdc, god] = await Promise.all([
        amountOf(currency.address, currency.decimals),
        contracts.god ? amountOf(contracts.god, godDecimals) : "0",
      ]);
      if (!signal.aborted && address === walletAddress()) keepTotals(address, { usdc, god });
      return { usdc, god };
    },
  });

/** The number of decimals of totals. */
const totalDecimals = 4;

/** Copies a wallet's balances to its totals; a total stays unchanged if its balance is 0. */
function keepTotals(of: string, { usdc, god }: Balance): void {
  const known = wallet.get().totals.of === of ? wallet.get().totals : wallet.initial.totals;
  const total = (now: string, before: string) => (compare(now, "0") > 0 ? withDecimals(now, totalDecimals) : before);
  wallet.set({ totals: { of, usdcCachedTotal: total(usdc, known.usdcCachedTotal), godTotal: total(god, known.godTotal) } });
}

const addressIn = (connected: string, registered: string | null | undefined) => connected || registered || "";

/** The player's smart wallet, if known: the connected one, or else the registered one. "" if there is none. */
export function walletAddress(): string {
  return addressIn(wallet.get().smartAddress, session.get().profile?.smartWalletAddress);
}

/** The same for a component. */
export function useWalletAddress(): string {
  const connected = useStore(wallet, (w) => w.smartAddress);
  const registered = useStore(session, (s) => s.profile?.smartWalletAddress);
  return addressIn(connected, registered);
}

/** What the player can pay with now; undefined while unknown. */
export function useBalance(): string | undefined {
  return useQuery(balanceQuery(useWalletAddress())).data?.usdc;
}

/**
 * The balances of the player's external wallet, which cannot be spent here; undefined without one, and while unknown.
 */
export function useOwnBalance(): Balance | undefined {
  return useQuery(balanceQuery(useStore(session, (s) => s.profile?.userVerifiedWallet?.walletAddress ?? ""))).data;
}

/**
 * The smart wallet's totals, for display; undefined while unknown, zero for a player without a wallet. `useBalance`
 * returns what can be spent.
 */
export function useTotals(): Totals | undefined {
  const address = useWalletAddress();
  useQuery(balanceQuery(address));
  const totals = useStore(wallet, (w) => w.totals);
  const known = useStore(session, (s) => s.profile !== null);
  if (!address) return known ? wallet.initial.totals : undefined;
  return totals.of === address ? totals : undefined;
}
