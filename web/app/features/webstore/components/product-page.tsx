import { brand } from "#brand";
import { ButtonLink } from "~/components/ui/button";
import { TextLink } from "~/components/ui/link";
import { DidNotLoad, EmptyState, Skeleton } from "~/components/ui/states";
import { AgeDialog } from "~/features/cart/components/age-dialog";
import { useFlag } from "~/features/flags/store";
import { cn } from "~/lib/cn";
import { paths } from "~/lib/paths";
import { useWebstoreProducts } from "../queries";
import { shelves } from "../texts";
import { Item, ItemPlace } from "./item";
import { PackOdds, packsOfAll } from "./odds";
import { frame, Goods, Notes, useReturn, useViewer } from "./parts";

const page = "min-h-[100svh] pb-16 pt-8 lg:pt-12";
const headingLook = "display text-[clamp(3rem,7vw,6.5rem)]";

function Back() {
  return (
    <TextLink to={paths.webstore} className="inline-flex min-h-11 items-center">
      Back to the webstore
    </TextLink>
  );
}

/** The place of a product that is loading. */
export function ProductLoading() {
  return (
    <div className={page} aria-busy="true">
      <header className={frame}>
        <Back />
        <h1 className="sr-only">A product of the webstore</h1>
        <Skeleton className="h-24 max-w-[36rem]" />
        <p className="hidden noscript:block">What the product is, and its price, is loaded by a script. Allow scripts to see it.</p>
      </header>
      <Goods count={2}>
        <ItemPlace drawn />
        <ItemPlace drawn />
      </Goods>
    </div>
  );
}

/** One product of the webstore with all its variations. */
export function ProductPage({ id }: { id: string }) {
  const viewer = useViewer();
  const { webstoreProducts: products, pricesOf, webstoreProductsLoading: loading, error, refetch } = useWebstoreProducts(viewer);
  const off = useFlag("webstore") === false;
  const product = products?.find(({ productId }) => String(productId) === id);
  useReturn(product !== undefined);
  if (loading) return <ProductLoading />;
  if (!products) {
    return (
      <div className={cn(frame, page)}>
        <h1 className="sr-only">A product of the webstore</h1>
        <DidNotLoad what="The product" error={error} onRetry={refetch} />
      </div>
    );
  }
  if (!product) {
    return (
      <div className={cn(frame, page)}>
        <title>{`No such product · ${brand.name}`}</title>
        <h1 className="sr-only">Product not found</h1>
        <EmptyState title="There is no such product" action={<ButtonLink to={paths.webstore}>To the webstore</ButtonLink>}>
          The address is wrong, or the product is no longer sold.
        </EmptyState>
      </div>
    );
  }
  const { name, description, type, variations } = product;
  const isPlayer = viewer !== "";
  return (
    <article aria-label={name} className={page}>
      <title>{`${name} · ${brand.name}`}</title>
      <header className={frame}>
        <p className="flex flex-wrap items-center justify-between gap-x-8">
          <Back />
          {isPlayer && (
            <TextLink to={paths.webstoreOrders} className="inline-flex min-h-11 items-center">
              Your orders
            </TextLink>
          )}
        </p>
        <p className="caption mt-4 text-bronze">{shelves.find((shelf) => shelf.type === type)?.name}</p>
        <h1 className={headingLook}>{name}</h1>
        <p className="mt-3 max-w-[36rem] text-lg">{description}</p>
      </header>
      <Notes off={off} pricesOf={pricesOf} />
      <Goods count={variations.length}>
        {variations.map((variation) => (
          <Item key={variation.variationId} {...{ product, variation, isPlayer }} paused={off} onPage />
        ))}
      </Goods>
      <div className={frame}>
        {packsOfAll(variations).map(([key, packs]) => (
          <PackOdds key={key} packs={packs} />
        ))}
      </div>
      {isPlayer && <AgeDialog />}
    </article>
  );
}
