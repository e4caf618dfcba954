import { page } from "#brand/content/games/olympus-journey.mdx";
import { Lamplight } from "~/components/site/lamplight";
import { pageMeta } from "~/components/site/page-meta";
import { deferred } from "~/lib/deferred";
import road from "~art/scene-road.svg";

/** The content below is loaded lazily: its prerendered form is already readable. */
const Stations = deferred(() => import("./olympus-journey-stations"));

export const meta = () => pageMeta(page.title, page.description);

/** Olympus Journey: the road at a glance, then in strips, as road books were printed. */
export default function OlympusJourney() {
  return (
    <>
      <header className="relative overflow-hidden">
        <div className="scale-y absolute inset-y-0 left-0 z-10 hidden w-2.5 sm:block" />
        <div
          className={
            "mx-auto grid max-w-[100rem] grid-cols-1 gap-x-16 gap-y-6 px-4 pt-10 sm:px-8 lg:grid-cols-[1fr_1.65fr] " +
            "lg:items-end lg:pt-16"
          }
        >
          <p className="max-w-[28rem] text-lg max-lg:order-last lg:pb-2">{page.lead}</p>
          <div>
            <p className="caption mb-4 text-bronze">As far as it is paved</p>
            <h1 className="display text-hero max-w-[3.19em]">{page.heading}</h1>
          </div>
        </div>
        <div className="relative mt-8 overflow-hidden border-y border-line lg:mt-12">
          <div className="relative aspect-[2000/640] w-[260%] -translate-x-[18%] sm:w-[140%] sm:translate-x-0 lg:w-full lg:translate-x-0">
            <img src={road} alt="" width={2000} height={640} fetchPriority="high" className="h-full w-full" />
            <Lamplight className="left-[33.4%] top-[87%] w-[10%] text-[#ffe3a3]" />
            <Lamplight className="left-[14%] top-[58%] w-[14%] text-[#ffe3a3]" />
          </div>
        </div>
      </header>
      <Stations />
    </>
  );
}
