import type { ReactNode } from "react";
import { ButtonLink } from "~/components/ui/button";
import { linkLook, TextLink } from "~/components/ui/link";
import { DidNotLoad, EmptyState } from "~/components/ui/states";
import { AgeDialog } from "~/features/cart/components/age-dialog";
import { useFlag } from "~/features/flags/store";
import { cn } from "~/lib/cn";
import { paths } from "~/lib/paths";
import { type Product, useWebstoreProducts } from "../queries";
import { shelves } from "../texts";
import { Item, ItemPlace } from "./item";
import { PackOdds, packsOfAll } from "./odds";
import { frame, Goods, Notes, useReturn, useViewer } from "./parts";

/** How many places a shelf has until its goods are loaded. */
const places: Record<Product["type"], number> = { "destiny-pack": 4, "gold-pack": 5, "kod-pack": 3, "top-up": 3, cosmetic: 2 };

interface ShelfProps {
  shelf: (typeof shelves)[number];
  /** What is said of products with several variations. */
  about?: ReactNode;
  count: number;
  children: ReactNode;
  below?: ReactNode;
}

/** A shelf: what is on it, and the goods side by side. */
function Shelf({ shelf: { id, name, text }, about, count, children, below }: ShelfProps) {
  return (
    <section aria-labelledby={id} className="pt-8 lg:pt-12">
      <div className={cn(frame, "grid gap-x-16 gap-y-3 lg:grid-cols-[1fr_1.65fr] lg:items-end")}>
        <h2 id={id} className="display scroll-mt-24 text-[clamp(2.75rem,5vw,4.75rem)]">
          {name}
        </h2>
        <div className="max-w-[36rem]">
          <p>{text}</p>
          {about}
        </div>
      </div>
      <Goods count={count}>{children}</Goods>
      {below && <div className={frame}>{below}</div>}
    </section>
  );
}

/** The ways to the shelves, and further ones. */
function Shortcuts({ to, children }: { to: typeof shelves; children?: ReactNode }) {
  return (
    <nav aria-label="Shelves" className={cn(frame, "flex flex-wrap items-center gap-x-8 pt-3")}>
      {to.map(({ id, name }) => (
        <a key={id} href={`#${id}`} className={cn(linkLook, "inline-flex min-h-11 items-center")}>
          {name}
        </a>
      ))}
      {children}
    </nav>
  );
}

/** The shelves while it is not known what is on them. */
export function Loading() {
  return (
    <div aria-busy="true">
      <Shortcuts to={shelves} />
      <p className={cn(frame, "hidden noscript:block")}>
        What is on the shelves, and its price, is loaded by a script. Allow scripts to see it.
      </p>
      {shelves.map((shelf) => (
        <Shelf key={shelf.type} shelf={shelf} count={places[shelf.type]}>
          {Array.from({ length: places[shelf.type] }, (_, place) => place).map((place) => (
            <ItemPlace key={place} drawn={shelf.type === "destiny-pack" || shelf.type === "kod-pack"} />
          ))}
        </Shelf>
      ))}
    </div>
  );
}

/** What the webstore sells. */
export function Shop() {
  const playFabId = useViewer();
  const { webstoreProducts: products, pricesOf, webstoreProductsLoading: loading, error, refetch } = useWebstoreProducts(playFabId);
  const off = useFlag("webstore") === false;
  useReturn(products !== undefined);
  if (loading) return <Loading />;
  if (!products) {
    return (
      <div className={cn(frame, "min-h-svh pt-14")}>
        <DidNotLoad what="The webstore" error={error} onRetry={refetch} />
      </div>
    );
  }
  const isPlayer = playFabId !== "";
  const filled = shelves
    .map((shelf) => ({ shelf, goods: products.filter(({ type }) => type === shelf.type) }))
    .filter(({ goods }) => goods.some(({ variations }) => variations.length));
  return (
    <div>
      <Shortcuts to={filled.map(({ shelf }) => shelf)}>
        {isPlayer && (
          <TextLink to={paths.webstoreOrders} className="inline-flex min-h-11 items-center sm:ml-auto">
            Your orders
          </TextLink>
        )}
      </Shortcuts>
      <Notes off={off} pricesOf={pricesOf} />
      {filled.length === 0 && (
        <EmptyState title="Nothing for sale now" action={<ButtonLink to={paths.market}>To the market</ButtonLink>}>
          The shelves are empty. The market has what players sell.
        </EmptyState>
      )}
      {filled.map(({ shelf, goods }) => {
        const items = goods.flatMap((product) => product.variations.map((variation) => ({ product, variation })));
        const packs = packsOfAll(items.map(({ variation }) => variation));
        return (
          <Shelf
            key={shelf.type}
            shelf={shelf}
            count={items.length}
            about={goods
              .filter(({ variations }) => variations.length > 1)
              .map(({ productId, name, description }) => (
                <p key={productId} className="mt-2 text-bone-muted">
                  <span className="text-bone">{name}:</span> {description}
                </p>
              ))}
            below={packs.map(([key, one]) => <PackOdds key={key} packs={one} />)}
          >
            {items.map(({ product, variation }) => (
              <Item key={variation.variationId} product={product} variation={variation} isPlayer={isPlayer} paused={off} />
            ))}
          </Shelf>
        );
      })}
      {isPlayer && <AgeDialog />}
    </div>
  );
}
