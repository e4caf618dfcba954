import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "~/components/ui/button";
import { TextLink } from "~/components/ui/link";
import { Price } from "~/components/ui/price";
import { DidNotLoad, EmptyState } from "~/components/ui/states";
import { useHold } from "~/features/cart/actions";
import { buyerQuery } from "~/features/cart/buyer";
import { cartQuery } from "~/features/cart/queries";
import { useFlag } from "~/features/flags/store";
import { collectionName } from "~/features/market/collections";
import { session } from "~/features/session/store";
import { cn } from "~/lib/cn";
import { paths } from "~/lib/paths";
import { useStore } from "~/lib/store";
import { percent } from "../draw/chance";
import { columnsOf } from "../draw/shares";
import { leftText } from "../items";
import { chancesOf, kodProductsQuery, type Product, useAvailable } from "../products";
import { PackPicture } from "./pack-picture";
import { card, ProductSkeletons, row } from "./product-skeletons";
import { Stepper } from "./stepper";

/** The most packs that are put into the cart at once. */
const mostToBuy = 5;

/** A pack's odds: the chance of epic or better, the guarantee, and how many are left of limited items. */
function Promised({ odds, rarities }: { odds: NonNullable<Product["odds"]>; rarities: Product["rarities"] }) {
  const { pity, edition, caps } = odds;
  const chances = chancesOf({ rarities }, "epic");
  const sure = pity && `${pity.rarity}${pity.rarity === "mythic" ? "" : " or better"} by pack ${pity.after + 1}`;
  const line = "flex flex-wrap justify-between gap-x-3 border-b border-line py-1.5";
  return (
    <dl className="figures text-sm">
      <div className={line}>
        <dt className="text-bone-muted">Edition</dt>
        <dd>
          <TextLink to={paths.odds} className="-my-2.5 inline-flex min-h-11 min-w-11 items-center justify-end">
            {edition}
            <span className="sr-only">: its odds, and where they are fixed</span>
          </TextLink>
        </dd>
      </div>
      <div className={line}>
        <dt className="text-bone-muted">Epic or better</dt>
        <dd>
          <strong>{percent(chances.promised)}</strong>
          {columnsOf({ pity, results: rarities }).map(({ of, name }) => (
            <span key={of} className="text-bone-muted">
              {" "}
              · {percent(chances[of])} {name.toLowerCase()}
            </span>
          ))}
        </dd>
      </div>
      <div className={line}>
        <dt className="text-bone-muted">Guarantee</dt>
        <dd className="font-bold">{sure ?? "none"}</dd>
      </div>
      {caps?.map((cap) => (
        <div key={cap.item} className={line}>
          <dt className="text-bone-muted">{cappedName(cap.item)}</dt>
          <dd className="font-bold">{leftText(cap)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The collection of a capped item, with the token if it is of one. */
function cappedName(item: string): string {
  const [slug = "", token] = item.split("/");
  return token === undefined ? collectionName(slug) : `${collectionName(slug)} ${token}`;
}

function ProductCard({ product, paused }: { product: Product; paused: boolean }) {
  const [count, setCount] = useState(1);
  const available = useAvailable(product);
  const { hold, isPending } = useHold();
  const isPlayer = useStore(session, (s) => s.isAuthenticated);
  const { data: cart } = useQuery({ ...cartQuery, enabled: isPlayer });
  const { name, offer, odds, rarities, productId, editions } = product;
  const others = editions.filter(({ tokenId }) => tokenId !== productId).map(({ edition }) => edition);
  const held = offer ? (cart?.items.filter(({ listingId }) => listingId === offer.listingId).length ?? 0) : 0;
  const most = Math.min(mostToBuy, available, offer?.quantity ?? 0);
  const soldOut = !offer || available < 1;
  const wanted = Math.max(1, Math.min(count, most));
  return (
    <article aria-label={name} className={cn(card, "flex flex-col gap-3 rounded border border-line bg-night-1 p-4")}>
      <div className="grid flex-1 grid-cols-[6.5rem_minmax(0,1fr)] content-start items-start gap-x-4">
        <PackPicture pack={product} className={soldOut ? "opacity-45" : ""} />
        <div className="min-w-0">
          <h3 className="display text-2xl">{name}</h3>
          <p role="status" className="figures mb-2 min-h-[1lh] text-sm text-bone-muted">
            {soldOut ? "" : `${available.toLocaleString("en")} left`}
          </p>
          {odds && <Promised odds={odds} rarities={rarities} />}
          {others.length > 0 && (
            <p className="mt-1.5 text-sm text-bone-muted">
              {others.length > 1 ? "Editions" : "Edition"} {others.join(", ")} {others.length > 1 ? "are" : "is"} on the market too.
            </p>
          )}
        </div>
      </div>
      {soldOut ? (
        <p>
          <span className="display text-2xl">Sold out</span>
          <span className="block text-sm text-bone-muted">New ones appear here when there are any.</span>
        </p>
      ) : (
        <div className="flex items-center gap-2 sm:gap-2.5">
          <Price value={offer.price} className="mr-auto font-bold" />
          <Stepper label={`Number of ${name}s to buy`} value={wanted} max={most} onChange={setCount} disabled={paused} />
          <Button
            busy={isPending}
            disabled={paused}
            aria-label={`Buy ${wanted > 1 ? `${wanted} × ` : ""}${name}`}
            onClick={() =>
              hold({
                listingId: offer.listingId,
                assetContractAddress: product.contract,
                name,
                image: product.image,
                price: offer.price,
                count: wanted,
              })
            }
          >
            Buy
          </Button>
        </div>
      )}
      <p className="flex min-h-[1lh] items-center justify-between gap-x-3 text-sm">
        {held > 0 && (
          <>
            <span className="figures text-ember-bright">{held} in your cart</span>
            <TextLink to={paths.checkout} className="-my-2.5 inline-flex min-h-11 items-center">
              Go to checkout
            </TextLink>
          </>
        )}
      </p>
    </article>
  );
}

/** The kinds of pack that are for sale, once they are loaded. */
export default function Products() {
  const { data: products, error, refetch } = useQuery(kodProductsQuery);
  const isPlayer = useStore(session, (s) => s.isAuthenticated);
  const { data: buyer } = useQuery({ ...buyerQuery, enabled: isPlayer });
  const off = useFlag("purchase") === false;
  if (!products && error) return <DidNotLoad what="The packs" error={error} onRetry={refetch} />;
  if (!products) return <ProductSkeletons />;
  if (!products.some(({ offer, odds }) => offer || odds)) return <EmptyState title="No packs">No packs are for sale right now.</EmptyState>;
  const refusal = off ? "Buying is paused just now. What you own stays yours." : buyer?.refusal;
  return (
    <>
      {refusal && (
        <p role="status" className="mb-4 border-l-2 border-bronze pl-4">
          {refusal}
        </p>
      )}
      <div className={row}>
        {products.map((product) => (
          <ProductCard key={product.kind} product={product} paused={Boolean(refusal)} />
        ))}
      </div>
    </>
  );
}
