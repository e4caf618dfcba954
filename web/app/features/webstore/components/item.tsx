import { Link } from "react-router";
import { ButtonLink } from "~/components/ui/button";
import { Skeleton } from "~/components/ui/states";
import { useNow } from "~/lib/clock";
import { cn } from "~/lib/cn";
import { paths } from "~/lib/paths";
import { zonedDateTime } from "~/lib/time";
import type { Product, Variation } from "../queries";
import { contentsOf, fullName, priceIn, productPath, saleOf, sentText, titleOf } from "../texts";
import { Buy, Refused } from "./buy";
import { Chances, packsOf } from "./odds";
import { Picture } from "./pictures";

/** The board on which a good stands. It reaches to both ends of the row, also below places that are empty. */
const board =
  "relative z-10 h-3.5 after:absolute after:inset-y-0 after:-inset-x-[100rem] after:bg-[linear-gradient(#d0a06a,#8a5f37_30%,#3f2a18)]";
const stand = "h-40 px-2 pt-6 bg-[radial-gradient(50%_70%_at_50%_100%,rgb(245_185_66/0.16),transparent)] sm:h-56 lg:h-64";

const titleLook = "display text-2xl leading-none text-balance sm:text-3xl";

/** The price on a tag that hangs from the board. */
function Tag({ price }: { price: string }) {
  return (
    <div className="relative z-20 -mt-3 flex flex-col items-center" aria-hidden="true">
      <span className="h-4 border-l-2 border-bone" />
      <span
        className={
          "figures bg-[#d9c79d] px-4 pb-2 pt-3.5 text-lg font-bold leading-none text-[#1a150e] " +
          "[clip-path:polygon(50%_0,100%_30%,100%_100%,0_100%,0_30%)]"
        }
      >
        {price}
      </span>
    </div>
  );
}

/** How many of a limited offer the player has bought, or can buy. */
function limitOf({ limit, bought }: Variation): string {
  if (limit === undefined) return bought > 0 ? `You have bought ${bought.toLocaleString("en")}` : "";
  if (bought > 0) return `You have bought ${bought.toLocaleString("en")} of ${limit.toLocaleString("en")}`;
  return limit === 1 ? "One for each player" : `${limit.toLocaleString("en")} for each player`;
}

/** When an offer begins or ends, by the server's clock. */
function Times({ variation: { from, until }, sale }: { variation: Variation; sale: ReturnType<typeof saleOf> }) {
  if (sale === "later" && from) {
    return (
      <>
        On sale from <time dateTime={from}>{zonedDateTime(from)}</time>
      </>
    );
  }
  if (!until) return null;
  return (
    <>
      {sale === "over" ? "Was on sale until " : "On sale until "}
      <time dateTime={until}>{zonedDateTime(until)}</time>
    </>
  );
}

interface ItemProps {
  product: Product;
  variation: Variation;
  /** Whether a player is signed in. */
  isPlayer: boolean;
  paused: boolean;
  /** Whether it is on the page of its product, which has the product's name and description. */
  onPage?: boolean;
}

/** A variation on its shelf: what it is, what it gives, what it costs, and the way to the shop. */
export function Item({ product, variation, isPlayer, paused, onPage = false }: ItemProps) {
  const sale = saleOf(variation, useNow());
  const { limit, bought, odds, soldOut, refused, variationId } = variation;
  const packs = packsOf(variation);
  const id = `item-${variationId}`;
  const isOnly = product.variations.length === 1;
  const gone = limit !== undefined && bought >= limit;
  const price = priceIn(variation.currency, variation.price);
  return (
    <li id={id} aria-label={fullName(product, variation)} className="flex min-w-0 scroll-mt-24 flex-col">
      <div className={cn(stand, (gone || soldOut || sale !== "on") && "opacity-50")}>
        <Picture product={product} variation={variation} />
      </div>
      <div className={board} />
      <Tag price={price} />
      <div className="mx-auto flex w-full max-w-md flex-1 flex-col gap-3 px-1.5 pb-10 pt-4 sm:px-4">
        <div>
          {onPage ? (
            <h2 className={titleLook}>{variation.name}</h2>
          ) : (
            <>
              {!isOnly && <p className="caption text-bronze">{product.name}</p>}
              <h3 className={titleLook}>
                <Link
                  to={productPath(product.productId)}
                  className="inline-flex min-h-11 items-center hover:underline focus-visible:underline"
                >
                  {titleOf(product, variation)}
                </Link>
              </h3>
            </>
          )}
          <p className="sr-only">{price}</p>
          {isOnly && !onPage && <p className="mt-2 text-bone-muted max-sm:text-sm">{product.description}</p>}
        </div>
        <ul className="max-sm:text-sm">
          {contentsOf(variation).map((content) => (
            <li key={content}>{content}</li>
          ))}
        </ul>
        {odds && <p className="text-bone-muted max-sm:text-sm">You open it when you like. What is in it is drawn then.</p>}
        {packs && <Chances packs={packs} />}
        <p className="figures mt-auto text-sm text-bone-muted">
          <span className="block">{sentText(variation)}</span>
          <span className="block">{limitOf(variation)}</span>
          <Times variation={variation} sale={sale} />
        </p>
        <div>
          {gone ? (
            <p className="display grid min-h-12 items-center text-xl">Sold out for you</p>
          ) : sale !== "on" ? (
            <p className="display grid min-h-12 items-center text-xl">{sale === "later" ? "Not yet for sale" : "No longer for sale"}</p>
          ) : soldOut ? (
            <p className="display grid min-h-12 items-center text-xl">Sold out</p>
          ) : refused ? (
            <Refused product={product} variation={variation} />
          ) : isPlayer ? (
            <Buy product={product} variation={variation} paused={paused} />
          ) : (
            <ButtonLink
              to={paths.login(`${onPage ? productPath(product.productId) : paths.webstore}#${id}`)}
              kind="quiet"
              aria-label={`Sign in to buy: ${fullName(product, variation)}`}
              className="w-full px-2 sm:px-5"
            >
              Sign in to buy
            </ButtonLink>
          )}
        </div>
      </div>
    </li>
  );
}

/** The place of an item that is loading. */
export function ItemPlace({ drawn }: { drawn: boolean }) {
  return (
    <li className="flex min-w-0 flex-col">
      <div className={stand} />
      <div className={board} />
      <div className={cn("px-1.5 pb-10 pt-16 sm:px-4", drawn ? "h-[26.5rem]" : "h-[16rem]")}>
        <Skeleton className="h-full" />
      </div>
    </li>
  );
}
