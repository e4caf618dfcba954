import { useQuery } from "@tanstack/react-query";
import { Copyable } from "~/components/ui/copyable";
import { ExternalLink, linkLook } from "~/components/ui/link";
import { cn } from "~/lib/cn";
import { short } from "~/lib/format";
import { isSameAddress } from "~/lib/token";
import { configQuery } from "../config";

interface TransactionProps {
  txHash: string;
  /** The chain's id, or a contract on it, from which the chain follows; without both it is the game chain. */
  chainId?: number | undefined;
  contract?: string | undefined;
  className?: string;
}

/** The hash of a transaction: a link to the chain's block explorer, or copyable where there is none. */
export function Transaction({ txHash, chainId, contract, className }: TransactionProps) {
  const { data: config } = useQuery(configQuery);
  // The configuration names the contracts of the game chain only.
  const isMain = contract && config && !Object.values(config.contracts).some((known) => isSameAddress(known, contract));
  const chain =
    chainId === undefined
      ? isMain
        ? config.mainChain
        : config?.gameChain
      : [config?.gameChain, config?.mainChain].find((c) => c?.id === chainId);
  if (!chain?.explorerUrl) return <Copyable text={txHash} what="transaction" {...(className ? { className } : {})} />;
  return (
    <ExternalLink
      href={`${chain.explorerUrl}/tx/${txHash}`}
      className={cn(linkLook, "figures inline-flex min-h-11 items-center", className)}
    >
      {short(txHash)}
    </ExternalLink>
  );
}
