import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { OwnPage } from "~/components/site/own-page";
import { Button, ButtonLink } from "~/components/ui/button";
import { Dialog } from "~/components/ui/dialog";
import { Form } from "~/components/ui/form";
import { ItemCard } from "~/components/ui/item-card";
import { Price } from "~/components/ui/price";
import { rarityOf } from "~/components/ui/rarity";
import { DidNotLoad, EmptyState, Skeleton } from "~/components/ui/states";
import { notify } from "~/components/ui/toasts";
import { collectionName } from "~/features/market/collections";
import { RecentlyViewed } from "~/features/market/components/recently-viewed";
import { messageOf } from "~/lib/api/problem";
import { paths } from "~/lib/paths";
import { tokenKey } from "~/lib/token";
import {
  addressOf,
  changeSearch,
  deleteSearch,
  filtersInWords,
  type SavedSearch,
  searchesQuery,
  setWatched,
  watchlistQuery,
} from "../queries";
import { NameField, nameProblem } from "./search-name";

const failed = (error: Error) => notify("error", "That did not work", messageOf(error));

function Search({ search }: { search: SavedSearch }) {
  const { searchId, name, filters, alerts } = search;
  const change = useMutation({ mutationFn: changeSearch, onError: failed, scope: { id: "saved-searches" } });
  const remove = useMutation({ mutationFn: deleteSearch, onError: failed });
  const [renaming, setRenaming] = useState(false);
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-2 border-t border-line py-3">
      <div className="min-w-0 flex-1 basis-56">
        <Link
          to={addressOf(filters)}
          className={
            "inline-flex min-h-11 items-center break-words text-lg underline decoration-bronze-dim underline-offset-4 " +
            "hover:decoration-ember"
          }
        >
          {name}
        </Link>
        <p className="text-sm text-bone-muted">{filtersInWords(filters, collectionName)}</p>
      </div>
      <label className="flex min-h-11 cursor-pointer items-center gap-3">
        <input
          type="checkbox"
          aria-label={`Notify me of new matches: ${name}`}
          checked={change.isPending ? change.variables.alerts : alerts}
          onChange={({ target }) => change.mutate({ searchId, name, alerts: target.checked })}
          className="size-5 shrink-0 accent-ember"
        />
        Notify me
      </label>
      <div className="flex gap-3">
        <Button kind="quiet" size="small" aria-label={`Rename ${name}`} onClick={() => setRenaming(true)}>
          Rename
        </Button>
        <Button kind="quiet" size="small" busy={remove.isPending} aria-label={`Delete ${name}`} onClick={() => remove.mutate(searchId)}>
          Delete
        </Button>
      </div>
      <Dialog open={renaming} onOpenChange={setRenaming} title="Rename this search" description={filtersInWords(filters, collectionName)}>
        <div className="p-6">
          <Form
            rules={{ name: nameProblem }}
            action="Rename"
            onSubmit={async ({ name: to }) => {
              await changeSearch({ searchId, name: to.trim(), alerts });
              setRenaming(false);
            }}
          >
            {(errors) => <NameField name={name} error={errors.name} />}
          </Form>
        </div>
      </Dialog>
    </li>
  );
}

function Searches() {
  const { data, error, refetch } = useQuery(searchesQuery);
  if (!data) return error ? <DidNotLoad what="Your saved searches" error={error} onRetry={refetch} /> : <Skeleton className="h-40" />;
  if (!data.length) {
    return (
      <p className="max-w-xl text-bone-muted">
        None yet. Filter the market and press “Save this search”, or ask for a price alert on an item's page: you are notified of new
        matches.
      </p>
    );
  }
  return (
    <ul className="border-b border-line">
      {data.map((search) => (
        <Search key={search.searchId} search={search} />
      ))}
    </ul>
  );
}

function Items() {
  const { data, error, refetch } = useQuery(watchlistQuery);
  const remove = useMutation({
    mutationFn: ({ contract, tokenId }: { contract: string; tokenId: string }) => setWatched(contract, tokenId, false),
    onError: failed,
  });
  if (!data) return error ? <DidNotLoad what="Your watchlist" error={error} onRetry={refetch} /> : <Skeleton className="h-80" />;
  if (!data.length) {
    return (
      <EmptyState title="You watch no items" action={<ButtonLink to={paths.market}>To the market</ButtonLink>}>
        Press “Watch” on an item's page to keep it here, with its lowest price.
      </EmptyState>
    );
  }
  return (
    <div className="grid grid-cols-2 gap-3 sm:grid-cols-[repeat(auto-fill,minmax(13.5rem,1fr))] sm:gap-5">
      {data.map(({ contract, tokenId, metadata, cheapest }) => (
        <ItemCard
          key={tokenKey({ contract, tokenId })}
          to={paths.item(contract, tokenId)}
          image={metadata.image}
          name={metadata.name}
          rarity={rarityOf(metadata.rarity)}
        >
          <div className="flex w-full flex-wrap items-center justify-between gap-1.5">
            {cheapest ? (
              <Price value={cheapest.price} className="text-lg font-bold" />
            ) : (
              <span className="text-bone-muted">Not for sale</span>
            )}
            <Button
              kind="quiet"
              size="small"
              aria-label={`Stop watching ${metadata.name}`}
              disabled={remove.isPending}
              onClick={() => remove.mutate({ contract, tokenId })}
              className="max-sm:h-11 max-sm:w-full"
            >
              Remove
            </Button>
          </div>
        </ItemCard>
      ))}
    </div>
  );
}

/** What the player watches, and the saved searches. */
export function Watchlist() {
  const { isPending } = useQuery(watchlistQuery);
  const { isPending: areSearchesPending } = useQuery(searchesQuery);
  return (
    <OwnPage heading="Watchlist" lead="Items you watch, and searches that tell you of new matches.">
      <section aria-labelledby="watched" className="mb-16">
        <h2 id="watched" className="display mb-6 text-4xl">
          Items
        </h2>
        <Items />
      </section>
      {/* Rendered after the items, so that it does not move when they load. */}
      {!isPending && (
        <section aria-labelledby="searches">
          <h2 id="searches" className="display mb-6 text-4xl">
            Saved searches
          </h2>
          <Searches />
        </section>
      )}
      {!isPending && !areSearchesPending && <RecentlyViewed className="mt-16" />}
    </OwnPage>
  );
}
