import { page } from "#brand/content/games/universe.mdx";
import { pageMeta } from "~/components/site/page-meta";
import { deferred } from "~/lib/deferred";

/** The charts and the books are loaded lazily: their prerendered form is already readable. */
const Charts = deferred(() => import("./universe-charts"));
const Gazetteer = deferred(() => import("./universe-gazetteer"));

export const meta = () => pageMeta(page.title, page.description);

/** The universe: an atlas of two hemispheres, with the story of each place and of each god. */
export default function Universe() {
  return (
    <>
      <header className="relative overflow-hidden border-b border-line">
        <div className="scale-y absolute inset-y-0 left-0 hidden w-2.5 sm:block" />
        <div
          className={
            "mx-auto grid max-w-[100rem] grid-cols-1 gap-x-16 gap-y-6 px-4 pt-10 sm:px-8 lg:grid-cols-[1.65fr_1fr] " +
            "lg:items-end lg:pt-14"
          }
        >
          <div>
            <p className="caption mb-4 text-bronze">One chart over all</p>
            <h1 className="display text-hero max-w-[4.96em] lg:whitespace-nowrap">{page.heading}</h1>
          </div>
          <p className="max-w-[30rem] text-lg lg:pb-2">{page.lead}</p>
        </div>
        <Charts />
      </header>
      <Gazetteer />
    </>
  );
}
