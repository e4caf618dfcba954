import { pageMeta } from "~/components/site/page-meta";
import { deferred } from "~/components/ui/deferred";
import type { Route } from "./+types/product";

/** Loaded lazily, like the shop. */
const ProductView = deferred(() => import("./product-view"), <div className="min-h-svh" />);

export const meta = () =>
  pageMeta(
    "A product of the webstore",
    "What one product of the webstore is, what is in it, what it costs, how many a player can buy, and the odds where chance decides.",
  );

/** One product of the webstore, for everybody. */
export default function ProductRoute({ params }: Route.ComponentProps) {
  return <ProductView id={params.id} />;
}
