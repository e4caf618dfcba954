import { useMutation, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "~/components/ui/button";
import { Copyable, CopyIconButton } from "~/components/ui/copyable";
import { ExternalLink, linkLook } from "~/components/ui/link";
import { notify } from "~/components/ui/toasts";
import { configQuery } from "~/features/config/config";
import { session } from "~/features/session/store";
import { api, unwrap } from "~/lib/api/client";
import { messageOf } from "~/lib/api/problem";
import { cn } from "~/lib/cn";
import { short } from "~/lib/format";
import { queryClient } from "~/lib/query";
import { collectionOf } from "~/lib/registry";
import { useStore } from "~/lib/store";
import { dateTime } from "~/lib/time";
import { type Item, marketKeys } from "../queries";

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

/** How soon refreshed metadata is usually there, in milliseconds. */
const readWithin = 5000;

/** That the item's contract says what the item is, when it was asked last, and a button to ask it again. */
function FromContract({ item: { contract, tokenId, readAt } }: { item: Item }) {
  const isPlayer = useStore(session, (s) => s.isAuthenticated);
  const again = useMutation({
    mutationFn: () => unwrap(api.POST("/api/marketplace/items/{contract}/{tokenId}/refresh", { params: { path: { contract, tokenId } } })),
    onSuccess: ({ message }) => {
      notify("success", message);
      setTimeout(() => void queryClient.invalidateQueries({ queryKey: marketKeys.item(contract, tokenId) }), readWithin);
    },
    onError: (error) => notify("error", messageOf(error)),
  });
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <p className="text-bone-muted">
        Its name, picture and traits come from its contract
        {readAt ? `, read on ${dateTime(readAt)}.` : ", which has not been read yet."}
      </p>
      {isPlayer && (
        <Button kind="quiet" size="small" busy={again.isPending} onClick={() => again.mutate()}>
          Read again
        </Button>
      )}
    </div>
  );
}

/** What identifies the item on its chain. */
export function Details({ item }: { item: Item }) {
  const { contract, tokenId, metadata } = item;
  const { data: config } = useQuery(configQuery);
  const collection = collectionOf(metadata.collection);
  const chain = collection?.chain === "main" ? config?.mainChain : config?.gameChain;
  const explorer = chain?.explorerUrl;
  return (
    <>
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
      {item.byContract && <FromContract item={item} />}
    </>
  );
}
