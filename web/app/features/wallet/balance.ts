import { queryOptions, useQuery } from "@tanstack/react-query";
import { configQuery } from "~/features/config/config";
import { session } from "~/features/session/store";
import { compare } from "~/lib/amount";
import { fromBaseUnits, withDecimals } from "~/lib/format";
import { queryClient } from "~/lib/query";
import { createRpc } from "~/lib/rpc";
import { useStore } from "~/lib/store";
import { type Totals, wallet } from "./store";

/** Selector of `balanceOf(address)` (EIP-20). */
const balanceOf = "0x70a08231";

/** Decimals of the GOD token. */
const godDecimals = 18;

/** The name under which balances are kept; invalidate it when money moved. */
export const balanceKey = ["wallet", "balance"] as const;

/** What a wallet has now, decimal. */
export interface Balance {
  /** Of the market's currency. */
  usdc: string;
  god: string;
}

/** What a wallet has now, as the chain says. It is asked for anew when the realtime channel tells of a change. */
export const balanceQuery = (address: string) =>
  queryOptions({
    queryKey: [...balanceKey, address],
    enabled: address !== "",
    queryFn: async ({ signal }): Promise<Balance> => {
      const { gameChain, currency, contracts } = await queryClient.fetchQuery(configQuery);
      const data = balanceOf + address.slice(2).toLowerCase().padStart(64, "0");
      const rpc = createRpc({ url: `/api/proxy/rpc/${gameChain.id}` });
      const amountOf = async (contract: string, decimals: number) => {
        const units = await rpc.request<string>({ method: "eth_call", params: [{ to: contract, data }, "latest"] });
        return fromBaseUnits(BigInt(units).toString(), decimals);
      };
      const [usdc, god] = await Promise.all([amountOf(currency.address, currency.decimals), amountOf(contracts.god, godDecimals)]);
      if (!signal.aborted && address === walletAddress()) keepTotals(address, { usdc, god });
      return { usdc, god };
    },
  });

/** How many decimals totals have. */
const totalDecimals = 4;

/** Takes over what a wallet has as its totals; a total stays as it is where there is nothing now. */
function keepTotals(of: string, { usdc, god }: Balance): void {
  const known = wallet.get().totals.of === of ? wallet.get().totals : wallet.initial.totals;
  const total = (now: string, before: string) => (compare(now, "0") > 0 ? withDecimals(now, totalDecimals) : before);
  wallet.set({ totals: { of, usdcCachedTotal: total(usdc, known.usdcCachedTotal), godTotal: total(god, known.godTotal) } });
}

const addressIn = (connected: string, registered: string | null | undefined) => connected || registered || "";

/** The player's smart wallet as far as it is known: the connected one, else the registered one. "" before there is one. */
export function walletAddress(): string {
  return addressIn(wallet.get().smartAddress, session.get().profile?.smartWalletAddress);
}

/** The same for a component. */
export function useWalletAddress(): string {
  const connected = useStore(wallet, (w) => w.smartAddress);
  const registered = useStore(session, (s) => s.profile?.smartWalletAddress);
  return addressIn(connected, registered);
}

/** What the player can pay with now; undefined until it is known. */
export function useBalance(): string | undefined {
  return useQuery(balanceQuery(useWalletAddress())).data?.usdc;
}

/** What the player's own wallet has, which cannot be spent here; undefined without one, and until it is known. */
export function useOwnBalance(): Balance | undefined {
  return useQuery(balanceQuery(useStore(session, (s) => s.profile?.userVerifiedWallet?.walletAddress ?? ""))).data;
}

/**
 * What the smart wallet has, to be shown; undefined until it is known. Who has no wallet yet has nothing. What can be paid
 * with is `useBalance`.
 */
export function useTotals(): Totals | undefined {
  const address = useWalletAddress();
  useQuery(balanceQuery(address));
  const totals = useStore(wallet, (w) => w.totals);
  const known = useStore(session, (s) => s.profile !== null);
  if (!address) return known ? wallet.initial.totals : undefined;
  return totals.of === address ? totals : undefined;
}
