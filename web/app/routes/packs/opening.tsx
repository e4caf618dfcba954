import { lazy, Suspense } from "react";
import { pageMeta } from "~/components/site/page-meta";
import NotFound from "../marketing/404";
import type { Route } from "./+types/opening";

const OpeningPage = lazy(() => import("~/features/packs/fairness/components/opening").then(({ OpeningPage }) => ({ default: OpeningPage })));

export const meta = () =>
  pageMeta(
    "The opening of a pack",
    "What a pack of King of Destiny held, and the proof: your browser repeats the draw from the public receipt, step by step.",
    {
      index: false,
    },
  );

/** One opened pack, for everybody. */
export default function OpeningRoute({ params }: Route.ComponentProps) {
  return (
    <Suspense fallback={<div className="min-h-svh" />}>
      <OpeningPage key={params.id} id={params.id} missing={<NotFound />} />
    </Suspense>
  );
}
