import { TextLink } from "~/components/ui/link";
import { deferred } from "~/lib/deferred";
import { paths } from "~/lib/paths";
import { ProductSkeletons } from "./product-skeletons";

// Not among the first scripts: what they promise is worked out by the code that checks draws.
const Products = deferred(() => import("./shelf-products"), <ProductSkeletons />);

/** The kinds of pack with price, availability and odds. */
export function PackShelf() {
  return (
    <section aria-labelledby="packs" className="mb-12">
      <h2 id="packs" className="display text-3xl sm:text-4xl">
        KOD packs
      </h2>
      <p className="mt-1 text-bone-muted">Each pack contains one random item, and you can check that its draw was fair. For adults only.</p>
      <p className="mb-3 mt-1 flex flex-wrap gap-x-6">
        <TextLink to={paths.odds} className="inline-flex min-h-11 min-w-11 items-center">
          All odds
        </TextLink>
        <TextLink to={paths.packTerms} className="inline-flex min-h-11 min-w-11 items-center">
          Terms of use
        </TextLink>
        <TextLink to={paths.packs} className="inline-flex min-h-11 min-w-11 items-center">
          My packs
        </TextLink>
      </p>
      <Products />
    </section>
  );
}
