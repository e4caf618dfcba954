import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { brand } from "#brand";
import { ButtonLink } from "~/components/ui/button";
import { Countdown } from "~/components/ui/countdown";
import { TextLink } from "~/components/ui/link";
import { Price } from "~/components/ui/price";
import { isRarity, RarityBadge } from "~/components/ui/rarity";
import { ScrollArea } from "~/components/ui/scroll-area";
import { DidNotLoad, EmptyState, Skeleton } from "~/components/ui/states";
import { Tabs } from "~/components/ui/tabs";
import { Transaction } from "~/features/config/components/transaction";
import { session } from "~/features/session/store";
import { useWalletAddress } from "~/features/wallet/balance";
import { ApiError } from "~/lib/api/problem";
import { plural } from "~/lib/format";
import { useSearchParams } from "~/lib/navigation";
import { paths } from "~/lib/paths";
import { collectionOf } from "~/lib/registry";
import { holdTime } from "~/lib/rules";
import { useStore } from "~/lib/store";
import { dateTime, shortDay } from "~/lib/time";
import { listedTokenKey, tokenKey } from "~/lib/token";
import { type Availability, availability } from "../availability";
import { collectionName } from "../collections";
import { ownQuery, unsellable } from "../own";
import { type Item, itemQuery, kindOf, type Listing, ofKindQuery } from "../queries";
import { Activity } from "./activity";
import { Details } from "./details";
import { HoldButton } from "./listing-card";
import { PriceHistory } from "./price-history";
import { RecentlyViewed } from "./recently-viewed";
import { ShareButton } from "./share-button";
import { Similar } from "./similar";
import { Who } from "./who";

/** What the player has of the item, and the way to sell it. Nothing for who has none. */
function Yours({ item, heading }: { item: Item; heading: boolean }) {
  const { data: own } = useQuery({ ...ownQuery(item.contract, item.tokenId), enabled: useWalletAddress() !== "" });
  if (!own || own.owned === 0n) return null;
  const reason = unsellable(item.metadata.collection);
  const free = own.owned - own.offered;
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <div>
        <p className={heading ? "display text-2xl" : "font-bold"}>You own this</p>
        <p className="figures mt-1 text-bone-muted">
          {own.owned === 1n ? "You have one" : `You have ${own.owned.toLocaleString("en")}`}
          {own.offered > 0n && `, ${own.owned === 1n ? "and it is" : `${own.offered.toLocaleString("en")} of them`} listed`}. {reason}
        </p>
      </div>
      {!reason && (
        <ButtonLink
          to={free > 0n ? `${paths.sell}?item=${item.contract}:${item.tokenId}` : paths.listings}
          kind={heading ? "primary" : "quiet"}
        >
          {free > 0n ? "Sell" : "See your listings"}
        </ButtonLink>
      )}
    </div>
  );
}

/** Whether the player owns some of the item; false while unknown. */
function useOwns({ contract, tokenId }: Item): boolean {
  const { data } = useQuery({ ...ownQuery(contract, tokenId), enabled: useWalletAddress() !== "" });
  return data !== undefined && data.owned > 0n;
}

function useAvailability() {
  const profile = useStore(session, (s) => s.profile);
  const address = useWalletAddress();
  return (listing: Listing) => availability(listing, profile, address);
}

function State({ state }: { state: Availability }) {
  switch (state.kind) {
    case "mine":
      return (
        <span className="text-ember-bright">
          {state.count > 1 ? `${state.count} held for you` : "Held for you"} · <Countdown until={state.until} label="for" />
        </span>
      );
    case "held":
      return (
        <span className="text-bone-muted">
          Held by another player · <Countdown until={state.until} label="for" />
        </span>
      );
    case "selling":
      return <span className="text-bronze">Your listing</span>;
    case "free":
      return <span className="text-bone-muted">{state.left} available</span>;
  }
}

/** The offer the player would take: their own hold, or else the cheapest free listing, or else the cheapest. */
function Offer({ item }: { item: Item }) {
  const judge = useAvailability();
  const owns = useOwns(item);
  const states = item.listings.map((listing) => ({ listing, state: judge(listing) }));
  const best = states.find((s) => s.state.kind === "mine") ?? states.find((s) => s.state.kind === "free") ?? states[0];
  if (!best) {
    return (
      <div className="min-h-30 border-y border-line-strong py-6">
        {owns ? (
          <Yours item={item} heading />
        ) : (
          <>
            <p className="display text-2xl">Not for sale</p>
            <p className="mt-1 text-bone-muted">Nobody offers one right now. A new listing appears here by itself.</p>
          </>
        )}
        <Figures item={item} />
      </div>
    );
  }
  return (
    <div className="border-y border-line-strong py-6">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <p className="caption text-bone-muted">Price</p>
          <Price value={best.listing.price} className="display text-5xl normal-case" />
        </div>
        <div className="flex gap-3">
          <HoldButton listing={best.listing} state={best.state} size="medium" />
          {best.state.kind === "mine" && <ButtonLink to={paths.checkout}>Go to checkout</ButtonLink>}
        </div>
      </div>
      <p className="mt-4">
        <State state={best.state} />
      </p>
      {best.state.kind === "free" && <p className="mt-1 text-sm text-bone-muted">In your cart it is reserved for you for {holdTime}.</p>}
      <Figures item={item} />
      {owns && (
        <div className="mt-6 border-t border-line pt-5">
          <Yours item={item} heading={false} />
        </div>
      )}
    </div>
  );
}

/** The lowest price of the item's kind, and what the item was last sold for. */
function Figures({ item }: { item: Item }) {
  const tradable = unsellable(item.metadata.collection) === "";
  const { data, error } = useQuery({ ...ofKindQuery(kindOf(item.metadata)), enabled: tradable });
  const cheapest = data?.items[0];
  const isThis = cheapest && listedTokenKey(cheapest) === tokenKey(item);
  const last = item.sales[0];
  return (
    <dl className="mt-6 grid grid-cols-2 gap-x-6 gap-y-3">
      {tradable && (
        <div className="min-h-[4.75rem]">
          <dt className="caption text-bone-muted">Cheapest of this kind</dt>
          <dd>
            {cheapest ? (
              <>
                <Price value={cheapest.price} className="block text-lg font-bold" />
                {isThis ? (
                  <span className="text-sm text-bone-muted">It is this one</span>
                ) : (
                  <TextLink to={paths.item(cheapest.assetContractAddress, cheapest.tokenId)} className="line-clamp-1 text-sm">
                    {cheapest.metadata.name}
                  </TextLink>
                )}
              </>
            ) : (
              <span className="text-bone-muted">{data ? "None for sale" : error ? "—" : ""}</span>
            )}
          </dd>
        </div>
      )}
      <div className="min-h-[4.75rem]">
        <dt className="caption text-bone-muted">Last sold for</dt>
        <dd>
          {last ? (
            <>
              <Price value={last.unitPrice} className="block text-lg font-bold" />
              <time dateTime={last.time} className="figures text-sm text-bone-muted">
                on {shortDay(last.time)}
              </time>
            </>
          ) : (
            <span className="text-bone-muted">Not sold yet</span>
          )}
        </dd>
      </div>
    </dl>
  );
}

function Table({ caption, head, children }: { caption: string; head: string[]; children: ReactNode }) {
  return (
    <ScrollArea aria-label={caption}>
      <table className="figures w-full min-w-[30rem] text-left">
        <thead>
          <tr className="caption text-bone-muted">
            {head.map((name) => (
              <th key={name} scope="col" className="border-b border-line pb-2 pr-4 font-bold">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="[&_td]:border-b [&_td]:border-line [&_td]:whitespace-nowrap [&_td]:py-2.5 [&_td]:pr-4">{children}</tbody>
      </table>
    </ScrollArea>
  );
}

function Listings({ item }: { item: Item }) {
  const judge = useAvailability();
  if (!item.listings.length) return <p className="text-bone-muted">No listings.</p>;
  return (
    <ul aria-label="Listings" className="border-t border-line">
      {item.listings.map((listing) => {
        const state = judge(listing);
        return (
          <li key={listing.listingId} className="flex items-center justify-between gap-4 border-b border-line py-2.5">
            <div className="min-w-0">
              <p>
                <Price value={listing.price} className="text-lg font-bold" />
                {listing.quantity > 1 && <span className="figures text-bone-muted"> × {listing.quantity.toLocaleString("en")}</span>}
              </p>
              <p className="flex flex-wrap items-center gap-x-4">
                <span className="inline-flex min-w-0 items-center gap-1.5 text-bone-muted">
                  by <Who address={listing.seller} names={item.names} />
                </span>
                <TextLink to={`${paths.market}?seller=${listing.seller}`} className="inline-flex min-h-11 items-center text-sm">
                  All their offers
                </TextLink>
                <State state={state} />
              </p>
            </div>
            <HoldButton listing={listing} state={state} className="shrink-0" />
          </li>
        );
      })}
    </ul>
  );
}

function Sales({ item }: { item: Item }) {
  if (!item.sales.length) return <p className="text-bone-muted">It has not been sold yet.</p>;
  return (
    <Table caption="Sales" head={["When", "Price", "From", "To", "Transaction"]}>
      {item.sales.map((sale) => (
        <tr key={`${sale.txHash} ${sale.listingId}`}>
          <td>
            <time dateTime={sale.time}>{dateTime(sale.time)}</time>
          </td>
          <td className="font-bold">
            <Price value={sale.unitPrice} />
            {sale.quantity > 1 && <span className="text-bone-muted"> × {sale.quantity}</span>}
          </td>
          <td>
            <Who address={sale.seller} names={item.names} />
          </td>
          <td>
            <Who address={sale.buyer} names={item.names} />
          </td>
          <td>
            <Transaction txHash={sale.txHash} className="-my-2.5" />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Owners({ item }: { item: Item }) {
  if (!item.owners.length) return <p className="text-bone-muted">Nobody owns one.</p>;
  return (
    <Table caption="Owners" head={["Owner", "Amount"]}>
      {item.owners.map((owner) => (
        <tr key={owner.address}>
          <td>
            <Who address={owner.address} names={item.names} />
          </td>
          <td>{count(owner.amount)}</td>
        </tr>
      ))}
    </Table>
  );
}

/** Formats an integer of any size with its digits grouped. */
const count = (digits: string) => BigInt(digits).toLocaleString("en");

/** The existing and maximum supply: of this token, or of a collection whose tokens are unique. */
function Supply({ of, existing, max }: NonNullable<Item["supply"]>) {
  const limit = max ? ` of at most ${count(max)}` : "";
  const what = of === "collection" ? "in the collection" : (max ?? existing) === "1" ? "copy" : "copies";
  return (
    <p className="figures text-bone-muted">
      {count(existing)}
      {limit} {what}
    </p>
  );
}

/** Leads to the page that sends the item, if the player's smart wallet holds one and it can change hands. */
function SendLink({ item }: { item: Item }) {
  const { contract, tokenId, metadata } = item;
  const isBound = collectionOf(metadata.collection)?.soulbound;
  const owns = useOwns(item); // the page lists the largest owners only
  if (isBound || !owns) return null;
  return (
    <p className="mt-4">
      <TextLink to={`${paths.money}?tab=send&asset=${contract}:${tokenId}`} className="inline-flex min-h-11 items-center">
        Send it to another wallet
      </TextLink>
    </p>
  );
}

/** The rows of other items. */
function Others({ item }: { item: Item }) {
  const { contract, tokenId, metadata } = item;
  const tradable = unsellable(metadata.collection) === "";
  const { isLoading } = useQuery({ ...ofKindQuery(kindOf(metadata)), enabled: tradable });
  return (
    <>
      {tradable && <Similar item={item} />}
      {/* Rendered after the similar items, so that it does not move when they load. */}
      {!isLoading && <RecentlyViewed current={{ contract, tokenId }} className="border-t border-line pt-10 lg:col-span-2" />}
    </>
  );
}

interface ItemPageProps {
  contract: string;
  tokenId: string;
  /** Further buttons about the item. */
  actions?: (item: Item) => ReactNode;
}

/** One item: what it is, its offers, owners and past, and others of its kind. */
export function ItemPage({ contract, tokenId, actions }: ItemPageProps) {
  const [query, setQuery] = useSearchParams();
  const { data: item, error, refetch } = useQuery(itemQuery(contract, tokenId));
  // What the player has of it is shown together with it, so that nothing moves.
  const own = useQuery({ ...ownQuery(contract, tokenId), enabled: useWalletAddress() !== "" });
  const isOwnLoading = own.isLoading && own.failureCount === 0;
  if (!item && error instanceof ApiError && [400, 404].includes(error.status)) {
    return (
      <div className="py-16">
        <h1 className="sr-only">No such item</h1>
        <EmptyState
          title="No such item"
          action={
            <ButtonLink to={paths.market} kind="quiet">
              To the market
            </ButtonLink>
          }
        >
          There is no item with this number.
        </EmptyState>
      </div>
    );
  }
  if (!item && error) {
    return (
      <div className="mx-auto max-w-3xl px-4 py-16">
        <h1 className="sr-only">An item</h1>
        <DidNotLoad what="The item" error={error} onRetry={refetch} />
      </div>
    );
  }
  const layout =
    "mx-auto grid grid-cols-1 max-w-[96rem] gap-x-14 gap-y-10 px-4 py-8 sm:px-8 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] lg:py-12";
  if (!item || isOwnLoading) {
    return (
      <div className={layout} aria-busy="true">
        <h1 className="sr-only">Loading an item</h1>
        <Skeleton className="aspect-[3/4]" />
        <div className="grid content-start gap-6">
          <Skeleton className="h-56" />
          <Skeleton className="h-72" />
          <Skeleton className="h-36" />
          <Skeleton className="h-24" />
          <Skeleton className="h-48" />
        </div>
      </div>
    );
  }
  const { metadata } = item;
  const tab = query.get("tab") ?? "listings";
  return (
    <article className={layout}>
      <title>{`${metadata.name} · ${brand.name}`}</title>
      {/* As high as the text beside it, where the sticky picture stops. */}
      <div>
        <div className="lg:sticky lg:top-24">
          <img
            src={metadata.image}
            alt={metadata.name}
            width={600}
            height={800}
            className="mx-auto h-auto w-full max-w-[38rem] rounded border border-line bg-night-1 object-contain max-sm:max-w-[28svh]"
          />
        </div>
      </div>
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-5 gap-y-2">
          <TextLink
            to={`${paths.market}?collection=${encodeURIComponent(metadata.collection)}`}
            className="inline-flex min-h-11 items-center text-bone-muted"
          >
            {collectionName(metadata.collection)}
          </TextLink>
          {isRarity(metadata.rarity) && <RarityBadge rarity={metadata.rarity} />}
        </p>
        <h1 className="display mt-4 text-[clamp(2.75rem,6vw,5rem)]">{metadata.name}</h1>
        <div className="mt-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          {item.supply ? <Supply {...item.supply} /> : <span />}
          <span className="flex flex-wrap items-center gap-3">
            {actions?.(item)}
            <ShareButton title={metadata.name} />
          </span>
        </div>
        <div className="mt-6">
          <Offer item={item} />
        </div>
        {item.description && <p className="mt-6 max-w-[60ch] text-lg whitespace-pre-line">{item.description}</p>}
        {item.use && <p className="mt-2 max-w-[60ch] text-bone-muted">{item.use}</p>}
        <SendLink item={item} />
        {metadata.attributes.length > 0 && (
          <dl className="mt-8 grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-2">
            {metadata.attributes.map((a) => (
              <div key={`${a.trait_type}:${a.value}`} className="border border-line px-3.5 py-3">
                <dt className="caption text-[0.75rem] text-bone-muted">{a.trait_type}</dt>
                <dd className="figures font-bold">{a.value}</dd>
              </div>
            ))}
          </dl>
        )}
        <div className="mt-8">
          <Details item={item} />
        </div>
        <div className="mt-10">
          <Tabs
            label="More about this item"
            value={tab}
            onChange={(value) => setQuery(value === "listings" ? {} : { tab: value }, { replace: true, preventScrollReset: true })}
            tabs={[
              { value: "listings", label: plural(item.listings.length, "listing"), content: <Listings item={item} /> },
              { value: "activity", label: "Activity", content: <Activity contract={contract} tokenId={tokenId} /> },
              {
                value: "sales",
                label: "Sales",
                content: (
                  <div className="grid grid-cols-1 gap-8">
                    <PriceHistory contract={contract} tokenId={tokenId} />
                    <Sales item={item} />
                  </div>
                ),
              },
              { value: "owners", label: "Owners", content: <Owners item={item} /> },
            ]}
          />
        </div>
      </div>
      <Others item={item} />
    </article>
  );
}
