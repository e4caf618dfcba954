import { useInfiniteQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { ButtonLink } from "~/components/ui/button";
import { More } from "~/components/ui/more";
import { DidNotLoad, EmptyState, Skeleton } from "~/components/ui/states";
import { type Holding, holdingsQuery, type List } from "~/features/holdings/queries";
import { unsellable } from "~/features/market/own";
import { cn } from "~/lib/cn";
import { paths } from "~/lib/paths";
import { queryClient } from "~/lib/query";
import { collections, kinds } from "~/lib/registry";
import { tokenKey } from "~/lib/token";
import type { Chosen } from "../chosen";
import { useMostItems } from "../limits";

/** The kinds of which something can be sold. */
const sold = kinds.filter(({ kind }) => collections.some((collection) => collection.kind === kind && collection.tradable));

/** Why a holding cannot be sold here; "" if it can. */
const whyNot = ({ wallet, metadata }: Holding) =>
  unsellable(metadata.collection) ||
  (wallet === "smart" ? "" : "It is in your own wallet. Only what is in your smart wallet can be sold here.");

interface ItemSelectProps {
  chosen: Chosen[];
  onToggle: (item: Holding) => void;
}

const subscribe = (onChange: () => void) => queryClient.getQueryCache().subscribe(onChange);

/** Whether a kind has neither loaded nor failed yet. Until then the layout is unknown. */
function usePending(): boolean {
  const pending = () =>
    sold.some(({ list }) => {
      const state = queryClient.getQueryState(holdingsQuery(list).queryKey);
      return !state || (state.data === undefined && state.fetchFailureCount === 0);
    });
  return useSyncExternalStore(subscribe, pending, () => true);
}

/** What the player owns of what can be sold, to choose from. */
export function ItemSelect({ chosen, onToggle }: ItemSelectProps) {
  const pending = usePending();
  return (
    <>
      {pending && (
        <div aria-busy="true">
          <Skeleton className="h-24 sm:w-72" />
        </div>
      )}
      <div className={cn("peer grid gap-10", pending && "hidden")}>
        {sold.map((kind) => (
          <Kind key={kind.list} list={kind.list} title={kind.title} chosen={chosen} onToggle={onToggle} />
        ))}
      </div>
      {/* Kinds without items render nothing, so this is shown if there are no items of any kind. */}
      <div className="hidden peer-empty:block">
        <EmptyState title="Nothing to sell yet" action={<ButtonLink to={paths.market}>To the market</ButtonLink>}>
          What you buy or win, and can be traded, appears here by itself.
        </EmptyState>
      </div>
    </>
  );
}

interface KindProps extends ItemSelectProps {
  list: List;
  title: string;
}

function Kind({ list, title, chosen, onToggle }: KindProps) {
  const query = useInfiniteQuery(holdingsQuery(list));
  const { data, error, refetch } = query;
  const names = new Set(chosen.map(tokenKey));
  const most = useMostItems();
  if (!data && error) return <DidNotLoad what={`What you own of ${title}`} error={error} onRetry={refetch} />;
  if (!data) return <Skeleton className="h-24" />;
  const items = data.pages.flatMap((page) => page.items);
  if (!items.length) return null;
  return (
    <section aria-labelledby={`sell-${list}`}>
      <h3 id={`sell-${list}`} className="display mb-4 text-2xl">
        {title}
      </h3>
      <ul className="grid grid-cols-1 gap-3 sm:grid-cols-[repeat(auto-fill,minmax(18rem,1fr))]">
        {items.map((holding) => (
          <Thing
            key={`${holding.wallet} ${tokenKey(holding)}`}
            holding={holding}
            isChosen={names.has(tokenKey(holding))}
            isFull={names.size >= most}
            onToggle={onToggle}
          />
        ))}
      </ul>
      <More query={query} className="mt-4" />
    </section>
  );
}

interface ThingProps {
  holding: Holding;
  isChosen: boolean;
  isFull: boolean;
  onToggle: (item: Holding) => void;
}

function Thing({ holding, isChosen, isFull, onToggle }: ThingProps) {
  const { amount, metadata } = holding;
  const reason = whyNot(holding);
  const label = (
    <>
      <img
        src={metadata.image}
        alt=""
        width={600}
        height={640}
        loading="lazy"
        className="aspect-[600/640] w-14 shrink-0 rounded-sm bg-night-2 object-cover object-top"
      />
      <span className="grid min-w-0 gap-0.5">
        <span className="font-bold leading-tight">{metadata.name}</span>
        <span className="figures text-sm leading-tight text-bone-muted">
          {reason || (amount === "1" ? "1 copy" : `${BigInt(amount).toLocaleString("en")} copies`)}
        </span>
      </span>
    </>
  );
  const look = "flex w-full items-center gap-3 rounded border p-2 text-left";
  if (reason) return <li className={cn(look, "border-line opacity-80")}>{label}</li>;
  return (
    <li>
      <button
        type="button"
        aria-pressed={isChosen}
        disabled={isFull && !isChosen}
        onClick={() => onToggle(holding)}
        className={cn(
          look,
          "h-full transition-colors hover:border-bronze disabled:opacity-45",
          isChosen ? "border-ember bg-night-2" : "border-line-strong bg-night-1",
        )}
      >
        {label}
      </button>
    </li>
  );
}
