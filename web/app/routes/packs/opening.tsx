import { pageMeta } from "~/components/site/page-meta";
import { deferred } from "~/lib/deferred";
import NotFound from "../marketing/404";
import type { Route } from "./+types/opening";

const OpeningPage = deferred(
  async () => ({ default: (await import("~/features/packs/draw/components/opening")).OpeningPage }),
  <div className="min-h-svh" />,
);

export const meta = () =>
  pageMeta(
    "The opening of a pack",
    "What a pack held, and the proof: your browser repeats the draw from the public receipt, step by step.",
    {
      index: false,
    },
  );

/** One opened pack, for everybody. */
export default function OpeningRoute({ params }: Route.ComponentProps) {
  return <OpeningPage key={params.id} id={params.id} missing={<NotFound />} />;
}
