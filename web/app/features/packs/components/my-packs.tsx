import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Button, ButtonLink } from "~/components/ui/button";
import { FailedLine } from "~/components/ui/failed-line";
import { TextLink } from "~/components/ui/link";
import { More } from "~/components/ui/more";
import { isRarity, RarityBadge } from "~/components/ui/rarity";
import { DidNotLoad, EmptyState, Skeleton } from "~/components/ui/states";
import { burn, isUnderWay, putAway, useBurning } from "~/features/burning/burn";
import { useFlag } from "~/features/flags/store";
import { type Holding, holdingsQuery } from "~/features/holdings/queries";
import type { Reward } from "~/features/reward/queries";
import { Problem } from "~/features/wallet/components/problem";
import { plural } from "~/lib/format";
import { useNavigate, useSearchParams } from "~/lib/navigation";
import { paths } from "~/lib/paths";
import { day } from "~/lib/time";
import { isSameAddress } from "~/lib/token";
import { packName } from "../draw/kinds";
import { oddsQuery } from "../draw/queries";
import { type Amounts, type Known, openedPath, openingsQuery, unopened, useOwned } from "../openings";
import { editionOf, kodProductsQuery, mostAtOnce, type Product, productOf } from "../products";
import { Opening } from "./opening";
import { PackPicture } from "./pack-picture";
import { Stepper } from "./stepper";

/** Packs that the player has: those of one token, which is an edition of a kind. */
interface Held {
  product: Product;
  tokenId: string;
  /** Undefined if it is not known. */
  edition: number | undefined;
  /** How many the player's smart wallet holds, and how many the player's own wallet. */
  mine: number;
  elsewhere: number;
}

/** The player's packs, by kind and edition; undefined until they are known. */
function useHeld(products: Product[] | undefined, holdings: Holding[] | undefined) {
  const packs = holdings?.filter(({ contract }) => products?.some((product) => isSameAddress(product.contract, contract)));
  const tokens = [...new Set(packs?.map(({ tokenId }) => tokenId))];
  // Editions that are not on sale are in the odds alone.
  const isOld = products !== undefined && tokens.some((tokenId) => !productOf(products, tokenId));
  const { data, error, refetch } = useQuery({ ...oddsQuery, enabled: isOld });
  if (!products || !packs || (isOld && !data)) return { error: isOld && !data ? error : null, refetch };
  const held = tokens.flatMap((tokenId): Held[] => {
    const old = data?.tables.find(({ token }) => token === tokenId);
    const product = productOf(products, tokenId) ?? products.find(({ kind }) => kind === old?.kind);
    if (!product) return [];
    const amount = (wallet: Holding["wallet"]) =>
      packs.filter((one) => one.wallet === wallet && one.tokenId === tokenId).reduce((sum, { amount }) => sum + Number(amount), 0);
    return [
      { product, tokenId, edition: editionOf(product, tokenId) ?? old?.edition, mine: amount("smart"), elsewhere: amount("verified") },
    ];
  });
  const place = ({ product }: Held) => products.indexOf(product);
  return { held: held.toSorted((a, b) => place(a) - place(b) || (b.edition ?? 0) - (a.edition ?? 0)), error: null, refetch };
}

/** The player's packs, and what opens them; `open` is undefined while they cannot be opened. */
function usePacks() {
  const holdings = useInfiniteQuery(holdingsQuery("listPacks"));
  const products = useQuery(kodProductsQuery);
  const burning = useBurning("pack");
  const on = useFlag("pack_opening");
  const navigate = useNavigate();
  const all = holdings.data?.pages.flatMap((page) => page.items);
  const { held, ...old } = useHeld(products.data, all);
  const open = ({ product: { contract }, tokenId }: Held, amount: number) => {
    void navigate(paths.packs, { replace: true }); // from another opening
    // The burn keeps its own failure.
    burn({ origin: "pack", chain: "gameChain", items: [{ contract, tokenId, amount }] }).catch(() => {});
  };
  return { holdings, products, old, held, on, open: on !== false && !isUnderWay(burning) ? open : undefined };
}

interface KindProps {
  held: Held;
  /** What tells them from others of the kind that the player has: " of edition 2"; "" without others. */
  of: string;
  open: ((held: Held, count: number) => void) | undefined;
}

function Kind({ held, of, open }: KindProps) {
  const { product, edition, mine, elsewhere } = held;
  const name = product.name + of;
  const [count, setCount] = useState(1);
  const most = Math.min(mine, mostAtOnce);
  const chosen = Math.max(1, Math.min(count, most));
  return (
    <article aria-label={name} className="grid grid-cols-[7.5rem_minmax(0,1fr)] gap-x-5 rounded border border-line bg-night-1 p-4 sm:p-5">
      <PackPicture pack={product} className={mine ? "" : "opacity-45"} />
      <div className="grid content-between gap-4">
        <div>
          <h2 className="display text-2xl sm:text-3xl">{product.name}</h2>
          {edition !== undefined && (
            <p className="figures mt-1 text-sm">
              <TextLink to={paths.odds} className="py-1">
                Edition {edition}
                <span className="sr-only">: its odds</span>
              </TextLink>
            </p>
          )}
          <p className="figures mt-1 text-bone-muted">You have {mine.toLocaleString("en")}</p>
          {elsewhere > 0 && (
            <p className="mt-1 text-sm text-bone-muted">
              {elsewhere.toLocaleString("en")} more in your own wallet, which cannot be opened here.
            </p>
          )}
        </div>
        {mine > 0 && (
          <div className="grid gap-2.5">
            <div className="flex flex-wrap gap-2.5">
              {mine > 1 && (
                <Stepper label={`Number of ${product.name}s${of} to open`} value={chosen} max={most} onChange={setCount} disabled={!open} />
              )}
              <Button
                className="flex-1"
                disabled={!open}
                aria-label={`Open ${chosen > 1 ? `${chosen} × ` : ""}${name}`}
                onClick={() => open?.(held, chosen)}
              >
                {chosen > 1 ? `Open ${chosen}` : "Open"}
              </Button>
            </div>
            {mine > 1 && (
              <Button kind="quiet" size="small" disabled={!open} aria-label={`Open ${most} × ${name}`} onClick={() => open?.(held, most)}>
                {mine > mostAtOnce ? `Open ${mostAtOnce} at once` : `Open all ${mine}`}
              </Button>
            )}
          </div>
        )}
      </div>
    </article>
  );
}

/** What is known of an opening that is not drawn. */
function undrawn({ state, message }: Reward): string {
  if (state === "failed") return message || unopened.message;
  return state === "cancelled" ? "Paid back before it was drawn" : "Not drawn yet";
}

function Past({ reward, products }: { reward: Reward; products: Product[] | undefined }) {
  const { opening, tokenId, txId, steps, amount } = reward;
  const kind = opening?.kind;
  const pack = (products?.find((one) => one.kind === kind) ?? productOf(products, tokenId))?.name ?? (kind ? packName(kind) : "Pack");
  const item = opening?.itemDropped;
  const rarity = item?.rarity ?? opening?.rarity;
  const at = steps.findLast((step) => step.at)?.at;
  const drawn = Boolean(opening?.drop);
  return (
    <li
      className={
        "grid grid-cols-[3.5rem_minmax(0,1fr)] items-center gap-x-4 gap-y-2 border-b border-line py-3 " +
        "sm:grid-cols-[3.5rem_minmax(0,1fr)_auto]"
      }
    >
      {item ? (
        <img src={item.image} alt="" width={600} height={800} loading="lazy" className="aspect-[3/4] h-auto w-full rounded-sm" />
      ) : (
        <span className="aspect-[3/4] w-full rounded-sm border border-dashed border-line-strong" />
      )}
      <div className="min-w-0">
        {isRarity(rarity) && <RarityBadge rarity={rarity} className="text-[0.75rem]" />}
        <p className="font-bold leading-tight">{drawn ? (item?.name ?? opening?.name) : undrawn(reward)}</p>
        <p className="figures text-sm text-bone-muted">
          {amount > 1 ? `${amount} × ${pack}` : pack}
          {at && ` · ${day(at)}`}
        </p>
      </div>
      <p className="flex flex-wrap gap-x-5 gap-y-1 text-sm max-sm:col-start-2">
        {txId && (
          <TextLink to={openedPath(txId)} className="py-1">
            See the opening
          </TextLink>
        )}
        {opening && (
          <TextLink to={paths.opening(opening.openingId)} className="py-1">
            Verify this pull
          </TextLink>
        )}
      </p>
    </li>
  );
}

/** The packs that the player has opened. */
function PastOpenings({ products }: { products: Product[] | undefined }) {
  const query = useInfiniteQuery(openingsQuery);
  const { data, error, refetch } = query;
  const items = data?.pages.flatMap((page) => page.items);
  return (
    <section aria-labelledby="past" className="mt-14">
      <h2 id="past" className="display mb-3 text-3xl">
        Opened packs
      </h2>
      {!items && error && <FailedLine onRetry={refetch}>What you have opened did not load.</FailedLine>}
      {!items && !error && <Skeleton className="h-40" />}
      {items && !items.length && (
        <p className="text-bone-muted">Nothing yet. Everything that your packs held is listed here, each with its receipt.</p>
      )}
      {items && items.length > 0 && (
        <ul className="border-t border-line">
          {items.map((reward) => (
            <Past key={reward.id || `${reward.txId} ${reward.tokenId}`} reward={reward} products={products} />
          ))}
        </ul>
      )}
      <More query={query} className="mt-5" />
    </section>
  );
}

function Packs({ holdings, products, old, held, on, open }: ReturnType<typeof usePacks>) {
  const error = products.error ?? holdings.error ?? old.error;
  if (!held && error) {
    const retry = () => Promise.all([...[holdings, products].map(({ data, refetch }) => data ?? refetch()), old.error && old.refetch()]);
    return <DidNotLoad what="Your packs" error={error} onRetry={retry} />;
  }
  if (!held) {
    return (
      <div className="grid gap-4 md:grid-cols-2 xl:grid-cols-3" aria-busy="true">
        <Skeleton className="h-56" />
      </div>
    );
  }
  const shown = held.filter(({ mine, elsewhere }) => mine + elsewhere > 0);
  if (!shown.length) {
    return (
      <EmptyState title="No packs" action={<ButtonLink to={paths.market}>To the market</ButtonLink>}>
        You have no packs to open. What you buy appears here by itself.
      </EmptyState>
    );
  }
  const ofWhich = ({ product, edition, tokenId }: Held) => {
    if (shown.filter((one) => one.product === product).length === 1) return "";
    return edition === undefined ? ` of token ${tokenId}` : ` of edition ${edition}`;
  };
  return (
    <>
      {on === false && (
        <p role="status" className="mb-5 border-l-2 border-bronze pl-4">
          Opening packs is paused just now. Yours are safe in your wallet until it goes on.
        </p>
      )}
      <div className="grid grid-cols-1 gap-4 md:grid-cols-2 xl:grid-cols-3">
        {shown.map((one) => (
          <Kind key={one.tokenId} held={one} of={ofWhich(one)} open={open} />
        ))}
      </div>
    </>
  );
}

/** Why the last burn did not happen. */
function NotOpened({ error }: { error: unknown }) {
  return (
    <div className="mb-6 grid justify-items-start gap-3 border-l-2 border-bad bg-night-1 px-6 py-5">
      <p className="display text-2xl">{unopened.message}</p>
      <Problem error={error} />
      <Button kind="quiet" size="small" onClick={() => putAway("pack")}>
        Close
      </Button>
    </div>
  );
}

/** The player's packs, their opening, and what was opened before. */
export function MyPacks() {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const packs = usePacks();
  const burning = useBurning("pack");
  const burned = burning?.state === "burned" ? burning : undefined;
  const underWay = isUnderWay(burning);
  const here = query.get("tx");
  const txId = underWay ? undefined : (burned?.txId ?? here ?? undefined);
  const owned = useOwned();
  const before = useRef<Amounts>(undefined);
  useEffect(() => {
    if (underWay) before.current = owned;
  }, [underWay, owned]);
  useEffect(() => {
    if (!burned?.txId) return;
    if (here === burned.txId) {
      putAway("pack");
      return;
    }
    const { tokenId = "", amount: count = 1 } = burned.items[0] ?? {};
    const known: Known = { tokenId, count, before: before.current && [...before.current] };
    void navigate(openedPath(burned.txId), { replace: true, state: known });
  }, [burned, here, navigate]);
  const { held, open } = packs;
  const again = (tokenId: string, wanted: number) => {
    const left = held?.find((one) => one.tokenId === tokenId);
    return left && left.mine > 0 && open ? () => open(left, Math.min(wanted, left.mine, mostAtOnce)) : undefined;
  };
  if (txId || underWay) return <Opening txId={txId} burning={underWay ? burning : burned} onAgain={again} />;
  const total = held?.reduce((sum, { mine }) => sum + mine, 0);
  return (
    <div className="mx-auto max-w-[90rem] px-4 pb-20 pt-8 sm:px-8 lg:pt-12">
      <header className="mb-8 flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
        <div>
          <h1 className="display text-5xl lg:text-[4.75rem] lg:leading-[0.94]">My packs</h1>
          <p className="mt-2 min-h-[2lh] text-bone-muted sm:min-h-[1lh]">
            Opening costs no gas, and cannot be undone.{total ? ` You have ${plural(total, "sealed pack")}.` : ""}
          </p>
        </div>
        <p className="flex gap-5">
          <TextLink to={paths.odds} className="inline-flex min-h-11 items-center">
            All odds
          </TextLink>
          <TextLink to={paths.market} className="inline-flex min-h-11 items-center">
            Buy packs
          </TextLink>
        </p>
      </header>
      {burning?.state === "failed" && <NotOpened error={burning.error} />}
      <Packs {...packs} />
      {(held || packs.products.error || packs.holdings.error || packs.old.error) && <PastOpenings products={packs.products.data} />}
    </div>
  );
}
