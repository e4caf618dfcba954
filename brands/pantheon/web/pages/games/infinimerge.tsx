import { page } from "#brand/content/games/infinimerge.mdx";
import { pages } from "#brand/pages";
import { Lamplight } from "~/components/site/lamplight";
import { pageMeta } from "~/components/site/page-meta";
import { ButtonLink } from "~/components/ui/button";
import { deferred } from "~/lib/deferred";
import merge from "~art/scene-merge.svg";

/** The content below is loaded lazily: its prerendered form is already readable. */
const Pebbles = deferred(() => import("./infinimerge-pebbles"));

export const meta = () => pageMeta(page.title, page.description);

/** InfiniMerge: the figure, a tray to try the rule, and what is open. */
export default function InfiniMerge() {
  return (
    <>
      <Hero />
      <Pebbles />
    </>
  );
}

/** One line across the page, and the figure below it. */
function Hero() {
  return (
    <header className="relative overflow-hidden border-b border-line">
      <div className="scale-y absolute inset-y-0 left-0 z-10 hidden w-2.5 sm:block" />
      <div className="relative z-10 mx-auto max-w-[100rem] px-4 pt-10 sm:px-8 lg:pt-16">
        <p className="caption mb-4 text-bronze">Two become one, again</p>
        <h1 className="display text-[clamp(4.5rem,10.6vw,10.5rem)] lg:whitespace-nowrap">{page.heading}</h1>
      </div>
      <div className="relative mx-auto mt-6 max-w-[110rem] lg:-mt-6">
        <div className="relative left-1/2 aspect-[1600/860] w-[172%] -translate-x-1/2 sm:w-full">
          <img
            src={merge}
            alt=""
            width={1600}
            height={860}
            fetchPriority="high"
            className={
              "h-full w-full " +
              "[mask:linear-gradient(180deg,#0000,#000_12%,#000_88%,#0000)_intersect,linear-gradient(90deg,#0000,#000_12%,#000_88%,#0000)]"
            }
          />
          <Lamplight className="left-1/2 top-1/2 w-[24%] text-[#a6f0cd]" />
        </div>
      </div>
      <p className="mx-auto max-w-[100rem] px-4 pb-14 pt-6 text-lg sm:px-8 lg:pb-20">
        <span className="block max-w-[34rem] lg:ml-[25%]">{page.lead}</span>
        <ButtonLink to={`${pages.infiniMerge}#tray`} kind="quiet" className="mt-7 lg:ml-[25%]">
          Try it on a tray
        </ButtonLink>
      </p>
    </header>
  );
}
