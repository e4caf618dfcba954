import { queryOptions, useQuery } from "@tanstack/react-query";
import { configQuery } from "~/features/config/config";
import { session } from "~/features/session/store";
import { fromBaseUnits } from "~/lib/format";
import { queryClient } from "~/lib/query";
import { createRpc } from "~/lib/rpc";
import { useStore } from "~/lib/store";
import { wallet } from "./store";

/** Selector of `balanceOf(address)` (EIP-20). */
const balanceOf = "0x70a08231";

/** The name under which balances are kept; invalidate it when money moved. */
export const balanceKey = ["wallet", "balance"] as const;

/** How often a balance is asked for, in milliseconds: more often while there is none, because money is expected then. */
const askEvery = { empty: 2_000, other: 15_000 };

/** What a wallet has of the market's currency now, decimal. */
export const balanceQuery = (address: string) =>
  queryOptions({
    queryKey: [...balanceKey, address],
    enabled: address !== "",
    refetchInterval: ({ state }) => (state.data === "0" ? askEvery.empty : askEvery.other),
    queryFn: async () => {
      const { gameChain, currency } = await queryClient.fetchQuery(configQuery);
      const data = balanceOf + address.slice(2).toLowerCase().padStart(64, "0");
      const rpc = createRpc({ url: `/api/proxy/rpc/${gameChain.id}` });
      const units = await rpc.request<string>({ method: "eth_call", params: [{ to: currency.address, data }, "latest"] });
      return fromBaseUnits(BigInt(units).toString(), currency.decimals);
    },
  });

/** The player's smart wallet as far as it is known: the connected one, else the registered one. "" before there is one. */
export function useWalletAddress(): string {
  const connected = useStore(wallet, (w) => w.smartAddress);
  const registered = useStore(session, (s) => s.profile?.smartWalletAddress);
  return connected || registered || "";
}

/** What the player can pay with now; undefined until it is known. */
export function useBalance(): string | undefined {
  return useQuery(balanceQuery(useWalletAddress())).data;
}
