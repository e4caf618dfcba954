import { pageMeta } from "~/components/site/page-meta";
import { ItemPage } from "~/features/market/components/item";
import { WatchItem } from "~/features/saved/components/watch-item";
import type { Route } from "./+types/item";

export const meta = () =>
  pageMeta(
    "An item on the market",
    "What it is, what it costs, who has it and what it was sold for: one item of the market, with its history.",
  );

/** One item of the market. */
export default function ItemRoute({ params }: Route.ComponentProps) {
  return (
    <ItemPage
      key={`${params.contract} ${params.tokenId}`}
      {...params}
      actions={({ contract, tokenId, metadata, listings }) => (
        <WatchItem contract={contract} tokenId={tokenId} name={metadata.name} price={listings[0]?.price} />
      )}
    />
  );
}
