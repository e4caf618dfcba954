import { lazy, Suspense } from "react";
import { pageMeta } from "~/components/site/page-meta";
import type { Route } from "./+types/product";

/** Loaded lazily, like the shop. */
const ProductView = lazy(() => import("./product-view"));

export const meta = () =>
  pageMeta(
    "A product of the webstore",
    "What one product of the webstore is, what is in it, what it costs, how many a player can buy, and the odds where chance decides.",
  );

/** One product of the webstore, for everybody. */
export default function ProductRoute({ params }: Route.ComponentProps) {
  return (
    <Suspense fallback={<div className="min-h-svh" />}>
      <ProductView id={params.id} />
    </Suspense>
  );
}
