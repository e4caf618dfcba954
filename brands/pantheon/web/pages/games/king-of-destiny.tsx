import { page } from "#brand/content/games/king-of-destiny.mdx";
import { pages } from "#brand/pages";
import { pageMeta } from "~/components/site/page-meta";
import { ButtonLink } from "~/components/ui/button";
import { deferred } from "~/lib/deferred";
import { paths } from "~/lib/paths";
import throne from "~art/scene-throne.svg";

/** The content below is loaded lazily: its prerendered form is already readable. */
const Hall = deferred(() => import("./king-of-destiny-hall"));

export const meta = () => pageMeta(page.title, page.description);

/** King of Destiny: the seat, how to read its items, and what is open. */
export default function KingOfDestiny() {
  return (
    <>
      <Hero />
      <Hall />
    </>
  );
}

function Hero() {
  return (
    <header className="relative isolate overflow-hidden border-b border-line">
      <div className="relative -z-10 h-[58svh] lg:absolute lg:inset-y-0 lg:right-0 lg:h-auto lg:w-[82%]">
        <img
          src={throne}
          alt=""
          width={1600}
          height={900}
          fetchPriority="high"
          className="h-full w-full object-cover object-[69%_0] lg:object-[68%_22%]"
        />
        <div
          className={
            "absolute inset-0 bg-[linear-gradient(0deg,var(--color-night)_5%,transparent_40%)] " +
            "lg:bg-[linear-gradient(90deg,var(--color-night)_6%,transparent_56%)]"
          }
        />
      </div>
      <div className="scale-y absolute inset-y-0 left-0 hidden w-2.5 sm:block" />
      <div
        className={
          "mx-auto flex max-w-[100rem] flex-col justify-end px-4 pb-14 max-lg:-mt-12 sm:px-8 lg:min-h-[min(90svh,58rem)] " +
          "lg:pb-20 lg:pt-16"
        }
      >
        <p className="caption text-bronze">One seat, one crown</p>
        <h1 className="display text-hero mt-4 max-w-[3.54em]">{page.heading}</h1>
        <p className="mt-7 max-w-[30rem] text-lg">{page.lead}</p>
        <div className="mt-9 flex flex-wrap gap-4">
          <ButtonLink to={pages.preRegister} size="large">
            Be told when it opens
          </ButtonLink>
          <ButtonLink to={paths.market} kind="quiet" size="large">
            See the arms
          </ButtonLink>
        </div>
      </div>
    </header>
  );
}
