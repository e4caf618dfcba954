import { page } from "#brand/content/games/mount-olympus.mdx";
import { pages } from "#brand/pages";
import { Lamplight } from "~/components/site/lamplight";
import { pageMeta } from "~/components/site/page-meta";
import { ButtonLink } from "~/components/ui/button";
import { deferred } from "~/lib/deferred";
import stair from "~art/scene-stair.svg";

/** The content below is loaded lazily: its prerendered form is already readable. */
const Terraces = deferred(() => import("./mount-olympus-terraces"));

export const meta = () => pageMeta(page.title, page.description);

/** Mount Olympus: a page that descends the mountain, with the mountain beside it. */
export default function MountOlympus() {
  return (
    <div className="mountain-page relative grid grid-cols-1 lg:grid-cols-[1.25fr_1fr]">
      <div className="scale-y absolute inset-y-0 left-0 hidden w-2.5 sm:block" />
      <div className="relative lg:order-last">
        <div className="mountain relative overflow-hidden max-lg:aspect-[4/5] max-lg:max-h-[70svh] max-lg:w-full">
          <div className="mountain-picture w-full max-lg:relative max-lg:aspect-[900/1700]">
            <img src={stair} alt="" width={900} height={1700} fetchPriority="high" className="h-full w-full object-cover" />
            <Lamplight className="left-1/2 top-[30%] w-[44%] text-[#ffe3a3]" />
          </div>
          <div
            className={
              "absolute inset-0 bg-[linear-gradient(0deg,var(--color-night)_8%,transparent_46%)] " +
              "sm:max-lg:bg-[linear-gradient(0deg,var(--color-night)_4%,transparent_26%)] " +
              "lg:bg-[linear-gradient(90deg,var(--color-night),transparent_26%),linear-gradient(0deg,var(--color-night),transparent_12%)]"
            }
          />
        </div>
      </div>
      <div className="px-4 pb-10 sm:px-8 lg:pl-[max(2rem,calc(50vw-48rem))] lg:pr-16">
        <header className="relative pb-16 max-lg:-mt-24 sm:max-lg:-mt-10 lg:pt-20">
          <p className="caption mb-4 text-bronze">Nine terraces, one lamp</p>
          <h1 className="display text-hero max-w-[2.83em]">{page.heading}</h1>
          <p className="mt-7 max-w-[32rem] text-lg">{page.lead}</p>
          <ButtonLink to={pages.mountOlympusLeaderboard} kind="quiet" className="mt-8">
            See the leaderboard
          </ButtonLink>
        </header>
        <Terraces />
      </div>
    </div>
  );
}
