import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button, ButtonLink } from "~/components/ui/button";
import { Dialog } from "~/components/ui/dialog";
import { FailedLine } from "~/components/ui/failed-line";
import { TextLink } from "~/components/ui/link";
import { More } from "~/components/ui/more";
import { Price } from "~/components/ui/price";
import { DidNotLoad, EmptyState, Skeleton } from "~/components/ui/states";
import { Tabs } from "~/components/ui/tabs";
import { notify } from "~/components/ui/toasts";
import { feesQuery, splitOf } from "~/features/market/fees";
import { messageOf } from "~/lib/api/problem";
import { serverNow } from "~/lib/clock";
import { plural } from "~/lib/format";
import { useHeldPress } from "~/lib/held-press";
import { useSearchParams } from "~/lib/navigation";
import { paths } from "~/lib/paths";
import { marketCurrency } from "~/lib/registry";
import { rules } from "~/lib/rules";
import { dateTime } from "~/lib/time";
import { endCalls, repriceCalls } from "../calls";
import { deal, isUnderWay, useDeal } from "../deal";
import { type Entry, priced } from "../entry";
import { useLeastPrice } from "../limits";
import { allLive, type OwnListing, ownListingsQuery, type Shown, useLiveSelling } from "../queries";
import { DealPanel } from "./deal-panel";
import { PriceEntry, usdc } from "./price-entry";

/** The last moment that can be written as a date; listings that end later have no end. */
const endless = 8.64e12;

function thingOf({ listing }: OwnListing) {
  const { assetContractAddress: contract, tokenId, metadata, quantity: count } = listing;
  return { key: listing.listingId, contract, tokenId, name: metadata.name, image: metadata.image, count };
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm leading-tight text-bone-muted">{label}</dt>
      <dd className="figures">{children}</dd>
    </div>
  );
}

function Receives({ listing }: Pick<OwnListing, "listing">) {
  const { data: fees, error, refetch } = useQuery(feesQuery(listing.assetContractAddress, listing.tokenId));
  if (!fees && error) return <FailedLine onRetry={refetch}>Not known just now.</FailedLine>;
  return fees ? `${usdc(splitOf(BigInt(listing.pricePerToken), fees).receive)} ${marketCurrency.symbol}` : "–";
}

/** Changes the price of a listing. */
function Reprice({ own, onClose }: { own: OwnListing; onClose: () => void }) {
  const { listing } = own;
  const { data: fees, error, refetch } = useQuery(feesQuery(listing.assetContractAddress, listing.tokenId));
  const [entry, setEntry] = useState<Entry>({ mode: "pays", text: listing.price });
  const [seen, setSeen] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const least = useLeastPrice();
  const change = useHeldPress(!fees && !error, submit, entry);
  const price = fees && priced(entry, fees, least);
  const same =
    own.state === "live" && typeof price === "object" && price.price === BigInt(listing.pricePerToken)
      ? "This is the price it has."
      : undefined;
  function submit() {
    setSeen(true);
    if (typeof price !== "object" || same) {
      form.current?.querySelector<HTMLElement>("[data-price]")?.focus();
      return;
    }
    onClose();
    void deal("reprice", [thingOf(own)], () => repriceCalls(listing, price.price));
  }
  return (
    <form
      ref={form}
      noValidate
      className="grid gap-5 px-6 py-6"
      onSubmit={(event) => {
        event.preventDefault();
        change.press();
      }}
    >
      <PriceEntry
        name={listing.metadata.name}
        entry={entry}
        onChange={setEntry}
        onLeave={() => setSeen(true)}
        fees={fees}
        onRetry={!fees && error ? refetch : undefined}
        priced={typeof price === "object" ? price : undefined}
        error={seen ? (typeof price === "string" ? price : same) : undefined}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={change.held}>
          Change the price
        </Button>
        <Button kind="quiet" onClick={onClose}>
          Keep the price
        </Button>
      </div>
    </form>
  );
}

/** The address of the page where a listing that has ended is listed again: what was left of it, or one. */
function againAt({ listing }: OwnListing): string {
  const { assetContractAddress, tokenId, quantity, price } = listing;
  return `${paths.sell}?item=${assetContractAddress}:${tokenId}:${Math.max(1, quantity)}:${price}`;
}

function Sales({ own }: { own: OwnListing }) {
  if (!own.sold) return null;
  return (
    <div className="mt-4 border-l border-bronze-dim pl-4">
      <p>
        {own.sold.toLocaleString("en")} sold. You received <Price value={own.received} className="font-bold" />
      </p>
      <ul className="mt-1 text-sm text-bone-muted">
        {own.sales.map((sale) => (
          <li key={`${sale.txHash} ${sale.time} ${sale.quantity}`} className="figures">
            <time dateTime={sale.time}>{dateTime(sale.time)}</time>: {sale.quantity} at <Price value={sale.unitPrice} />
            {sale.received !== undefined && (
              <>
                , you received <Price value={sale.received} />
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Ends({ own: { listing, state } }: { own: OwnListing }) {
  const [start, end] = [listing.startTimestamp * 1000, listing.endTimestamp * 1000];
  if (end > endless) return <Fact label="Ends">Never</Fact>;
  const label = end <= serverNow() || state === "ended" ? "Was to end" : "Ends";
  return (
    <>
      {state === "live" && start > serverNow() + 60_000 && <Fact label="Begins">{dateTime(start)}</Fact>}
      <Fact label={label}>
        <time dateTime={new Date(end).toISOString()}>{dateTime(end)}</time>
      </Fact>
    </>
  );
}

interface RowProps {
  own: OwnListing;
  busy: boolean;
  onConfirm: () => void;
  onReprice: () => void;
  onEnd: () => void;
}

function Row({ own, busy, onConfirm, onReprice, onEnd }: RowProps) {
  const { listing, state } = own;
  const { metadata, quantity, inCartItems } = listing;
  const held = inCartItems.length;
  const open = state !== "sold" && state !== "ended";
  return (
    <li
      className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-x-4 border-t border-line py-5 sm:grid-cols-[7rem_minmax(0,1fr)] sm:gap-x-6"
      aria-label={metadata.name}
    >
      <img
        src={metadata.image}
        alt=""
        width={600}
        height={640}
        loading="lazy"
        className="aspect-[600/640] w-full self-start rounded border border-line bg-night-1 object-cover object-top sm:row-span-2"
      />
      <h2 className="display self-center text-2xl leading-none sm:self-start">
        <TextLink
          to={paths.item(listing.assetContractAddress, listing.tokenId)}
          className="inline-flex min-h-11 items-center no-underline hover:underline"
        >
          {metadata.name}
        </TextLink>
      </h2>
      <div className="min-w-0 mt-2 max-sm:col-span-2 max-sm:mt-3">
        <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))]">
          <Fact label="Price of one">
            <Price value={listing.price} className="font-bold" />
          </Fact>
          {open && (
            <Fact label="You receive">
              <Receives listing={listing} />
            </Fact>
          )}
          {state !== "sold" && <Fact label="Left">{quantity.toLocaleString("en")}</Fact>}
          {state === "live" && <Fact label="In carts now">{held} held</Fact>}
          {state !== "sold" && <Ends own={own} />}
        </dl>
        {state === "invalid" && (
          <p className="mt-3 max-w-xl text-bone-muted">
            Nobody can buy it now: there are not enough in your wallet, or the market may not take them. End it, and list what you have.
          </p>
        )}
        {state === "returned" && (
          <p className="mt-3 max-w-xl text-bone-muted">
            It left your wallet and is back. Nobody can buy it here until you confirm its price. On other sites it can be bought at this
            price, so end it if it is no longer right.
          </p>
        )}
        <Sales own={own} />
        <div className="mt-4 flex flex-wrap gap-3 empty:hidden">
          {state === "returned" && (
            <Button
              size="small"
              className="h-11"
              disabled={busy}
              onClick={onConfirm}
              aria-label={`Sell ${metadata.name} again at this price`}
            >
              Sell at this price
            </Button>
          )}
          {(state === "live" || state === "returned") && (
            <Button
              kind="quiet"
              size="small"
              className="h-11"
              disabled={busy}
              onClick={onReprice}
              aria-label={`Change the price of ${metadata.name}`}
            >
              Change price
            </Button>
          )}
          {open && (
            <Button
              kind="quiet"
              size="small"
              className="h-11"
              disabled={busy}
              onClick={onEnd}
              aria-label={`End the listing of ${metadata.name}`}
            >
              End
            </Button>
          )}
          {(state === "ended" || state === "sold") && (
            <ButtonLink kind="quiet" size="small" className="h-11" to={againAt(own)} aria-label={`List ${metadata.name} again`}>
              List again
            </ButtonLink>
          )}
        </div>
      </div>
    </li>
  );
}

/** What is said of a state without listings. */
const empty: Record<Shown, { title: string; text: string }> = {
  live: { title: "Nothing on the market", text: "What you list appears here, with who holds how much of it just now." },
  sold: { title: "Nothing sold out yet", text: "What is sold appears here by itself, with what you received." },
  ended: { title: "Nothing has ended", text: "Listings that you end, or whose time is over, are kept here. You can list them again." },
  invalid: {
    title: "No problems",
    text: "A listing that nobody can buy, for example because the item has left your wallet, is shown here.",
  },
};

/** What the player is asked before it is done. */
type Asking = { what: "reprice" | "end"; own: OwnListing } | { what: "end-all"; all: OwnListing[] };

function end(listings: OwnListing[]): void {
  void deal("end", listings.map(thingOf), () => endCalls(listings.map(({ listing }) => listing)));
}

function Listings({ state }: { state: Shown }) {
  const query = useInfiniteQuery(ownListingsQuery(state));
  const { data, error, refetch } = query;
  const [asking, setAsking] = useState<Asking | null>(null);
  const busy = isUnderWay(useDeal());
  const gather = useMutation({
    mutationFn: allLive,
    // The player may be at another question by then.
    onSuccess: (all) => all.length > 0 && setAsking((now) => now ?? { what: "end-all", all: all.slice(0, rules.operationCalls) }),
  });
  /** What the open dialog asks about. */
  const questioned = useRef<OwnListing[]>(undefined);
  useEffect(() => {
    questioned.current = asking?.what === "end-all" ? asking.all : undefined;
    return () => {
      questioned.current = undefined;
    };
  }, [asking]);
  // Some may be sold while the question is open: then their operation would fail as a whole.
  const endAll = useMutation({
    mutationFn: async (asked: OwnListing[]) => {
      const live = new Set((await allLive()).map(({ listing }) => listing.listingId));
      return asked.filter(({ listing }) => live.has(listing.listingId));
    },
    onSuccess: (left, asked) => {
      if (questioned.current !== asked) return; // the player has decided otherwise
      setAsking(null);
      if (left.length) end(left);
      else notify("blank", "They are no longer on the market");
    },
  });
  // A dialog is about a listing as it is now, or as it was last.
  const items = data?.pages.flatMap((page) => page.items);
  const own =
    asking && asking.what !== "end-all"
      ? (items?.find(({ listing }) => listing.listingId === asking.own.listing.listingId) ?? asking.own)
      : null;
  useEffect(() => {
    if (busy) setAsking(null);
  }, [busy]);
  if (!items && error) return <DidNotLoad what="Your listings" error={error} onRetry={refetch} />;
  if (!items) {
    return (
      <div className="grid gap-4" aria-busy="true">
        <Skeleton className="h-40" />
        <Skeleton className="h-40" />
      </div>
    );
  }
  if (!items.length) {
    const { title, text } = empty[state];
    return (
      <EmptyState title={title} action={state === "live" ? <ButtonLink to={paths.sell}>Sell something</ButtonLink> : undefined}>
        {text}
      </EmptyState>
    );
  }
  const close = () => {
    setAsking(null);
    endAll.reset();
  };
  return (
    <>
      {state === "live" && items.length > 1 && (
        <div className="mb-5 flex flex-wrap items-center gap-4">
          <Button kind="quiet" size="small" className="h-11" disabled={busy} busy={gather.isPending} onClick={() => gather.mutate()}>
            End all
          </Button>
          {gather.error && (
            <p role="alert" className="text-bad">
              {messageOf(gather.error)}
            </p>
          )}
        </div>
      )}
      <ul className="border-b border-line">
        {items.map((one) => (
          <Row
            key={one.listing.listingId}
            own={one}
            busy={busy}
            onConfirm={() => void deal("reprice", [thingOf(one)], () => repriceCalls(one.listing, BigInt(one.listing.pricePerToken)))}
            onReprice={() => setAsking({ what: "reprice", own: one })}
            onEnd={() => setAsking({ what: "end", own: one })}
          />
        ))}
      </ul>
      <More query={query} />
      <Dialog
        open={asking?.what === "reprice" && own !== null}
        onOpenChange={(open) => !open && close()}
        title={`Price of ${own?.listing.metadata.name ?? ""}`}
        description="While somebody holds it in a cart, the price can fall but not rise."
      >
        {own && <Reprice own={own} onClose={close} />}
      </Dialog>
      <Dialog
        open={asking?.what === "end" || asking?.what === "end-all"}
        onOpenChange={(open) => !open && close()}
        title={asking?.what === "end-all" ? `End ${plural(asking.all.length, "listing")}?` : `End ${own?.listing.metadata.name ?? ""}?`}
        description="It leaves the market, and carts where it is held. What you have stays in your wallet."
      >
        <div className="flex flex-wrap gap-3 px-6 py-6">
          <Button
            busy={endAll.isPending}
            onClick={() => {
              if (asking?.what === "end-all") return endAll.mutate(asking.all);
              close();
              if (own) end([own]);
            }}
          >
            {asking?.what === "end-all" ? "End them" : "End it"}
          </Button>
          <Button kind="quiet" onClick={close}>
            Keep {asking?.what === "end-all" ? "them" : "it"}
          </Button>
        </div>
        {endAll.error && asking?.what === "end-all" && (
          <p role="alert" className="px-6 pb-6 text-bad">
            {messageOf(endAll.error)}
          </p>
        )}
      </Dialog>
    </>
  );
}

const tabs: { value: Shown; label: string }[] = [
  { value: "live", label: "Live" },
  { value: "sold", label: "Sold" },
  { value: "ended", label: "Ended" },
  { value: "invalid", label: "Not for sale" },
];

/**
 * The player's last operation as a seller. When a price was not changed because the listing is over, it says what became
 * of the listing instead.
 */
function LastStep() {
  const last = useDeal();
  const unchanged = last?.kind === "reprice" && last.state === "failed" ? last.things[0]?.key : undefined;
  const enabled = unchanged !== undefined;
  const lists = [useInfiniteQuery({ ...ownListingsQuery("sold"), enabled }), useInfiniteQuery({ ...ownListingsQuery("ended"), enabled })];
  const over = lists
    .flatMap(({ data }) => data?.pages.flatMap(({ items }) => items) ?? [])
    .find(({ listing }) => listing.listingId === unchanged);
  return (
    <DealPanel
      instead={
        over && (
          <p role="status" className="mb-12 border-y border-bronze-dim py-6">
            {over.listing.metadata.name} {over.state === "sold" ? "is sold" : "is off the market"}.{" "}
            <TextLink to={`${paths.listings}?state=${over.state}`} className="inline-flex min-h-11 items-center">
              See the listing
            </TextLink>
          </p>
        )
      }
    />
  );
}

/** What the player sells, has sold, and sold before. */
export function MyListings() {
  useLiveSelling();
  const [query, setQuery] = useSearchParams();
  const shown = tabs.find(({ value }) => value === query.get("state"))?.value ?? "live";
  return (
    <div className="mx-auto min-h-svh max-w-[100rem] px-4 pt-12 sm:px-8 lg:pt-20">
      <header className="mb-10 flex flex-wrap items-end justify-between gap-6">
        <h1 className="display text-[clamp(3.25rem,8vw,7rem)]">My listings</h1>
        <ButtonLink to={paths.sell}>Sell something</ButtonLink>
      </header>
      <LastStep />
      <Tabs
        label="Your listings"
        value={shown}
        onChange={(value) => setQuery(value === "live" ? {} : { state: value }, { replace: true, preventScrollReset: true })}
        tabs={tabs.map(({ value, label }) => ({ value, label, content: shown === value && <Listings state={value} /> }))}
      />
    </div>
  );
}
