import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Copyable, CopyIconButton } from "~/components/ui/copyable";
import { ExternalLink, linkLook } from "~/components/ui/link";
import { configQuery } from "~/features/config/config";
import { cn } from "~/lib/cn";
import { collections } from "~/lib/collections.gen";
import { short } from "~/lib/format";
import type { Item } from "../queries";

interface OnExplorerProps {
  text: string;
  what: string;
  /** The address of its page at the chain's block explorer; none without an explorer. */
  href: string | undefined;
}

/** An address or number: a link to the block explorer, where there is one, and a button that copies it. */
function OnExplorer({ text, what, href }: OnExplorerProps) {
  if (!href) return <Copyable text={text} what={what} />;
  return (
    <span className="inline-flex items-center">
      <ExternalLink href={href} title={text} className={cn(linkLook, "figures")}>
        {short(text)}
      </ExternalLink>
      <CopyIconButton text={text} what={what} />
    </span>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-11 items-center justify-between gap-4 border-b border-line">
      <dt className="text-bone-muted">{name}</dt>
      <dd className="figures min-w-0 truncate">{children}</dd>
    </div>
  );
}

const registered: Record<string, { standard: string; chain: string }> = collections;

/** What identifies the item on its chain. */
export function Details({ item: { contract, tokenId, metadata } }: { item: Item }) {
  const { data: config } = useQuery(configQuery);
  const collection = registered[metadata.collection];
  const chain = collection?.chain === "main" ? config?.mainChain : config?.gameChain;
  const explorer = chain?.explorerUrl;
  return (
    <dl className="grid gap-x-10 border-t border-line sm:grid-cols-2">
      <Fact name="Contract">
        <OnExplorer text={contract} what="contract's address" href={explorer && `${explorer}/address/${contract}`} />
      </Fact>
      <Fact name="Token id">
        <OnExplorer text={tokenId} what="token id" href={explorer && `${explorer}/token/${contract}?a=${tokenId}`} />
      </Fact>
      <Fact name="Token standard">{collection?.standard ?? "—"}</Fact>
      <Fact name="Chain">{chain?.name ?? "—"}</Fact>
    </dl>
  );
}
