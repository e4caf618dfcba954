import { page } from "#brand/content/games/immortal-siege.mdx";
import { Lamplight } from "~/components/site/lamplight";
import { OpenState } from "~/components/site/open-state";
import { pageMeta } from "~/components/site/page-meta";
import { ButtonLink } from "~/components/ui/button";
import { cn } from "~/lib/cn";
import { deferred } from "~/lib/deferred";
import { paths } from "~/lib/paths";
import wall from "~art/scene-wall.svg";

/** The content below is loaded lazily: its prerendered form is already readable. */
const Night = deferred(() => import("./immortal-siege-night"));

export const meta = () => pageMeta(page.title, page.description);

/** Immortal Siege: the wall, a night on it watch by watch, and who may stand there. */
export default function ImmortalSiege() {
  return (
    <>
      <Hero />
      <Night />
    </>
  );
}

const wide =
  "lg:bg-[linear-gradient(180deg,var(--color-night),transparent_28%),linear-gradient(90deg,var(--color-night)_24%,transparent_58%)]";

function Hero() {
  return (
    <section className="relative isolate overflow-hidden border-b border-line">
      <div className="relative -z-10 overflow-hidden lg:absolute lg:inset-x-0 lg:bottom-0">
        <div
          className={
            "relative aspect-[1920/900] w-[210%] -translate-x-[46%] sm:w-[130%] sm:-translate-x-[22%] lg:w-full " + "lg:translate-x-0"
          }
        >
          <img src={wall} alt="" width={1920} height={900} fetchPriority="high" className="h-full w-full" />
          <Lamplight className="left-[70.6%] top-[31%] w-[22%] text-[#ffe3a3]" />
        </div>
        <div className={cn("absolute inset-0 bg-[linear-gradient(0deg,var(--color-night)_1%,transparent_18%)]", wide)} />
      </div>
      <div className="scale-y absolute inset-y-0 left-0 hidden w-2.5 sm:block" />
      <div className="mx-auto max-w-[100rem] px-4 pb-14 pt-6 sm:px-8 lg:min-h-[max(44rem,58vw)] lg:pt-20">
        <p className="caption text-bronze">Hold until morning</p>
        <h1 className="display text-hero mt-4 max-w-[2.48em]">{page.heading}</h1>
        <p className="mt-7 max-w-[30rem] text-lg">{page.lead}</p>
        <p className="mt-7">
          <OpenState open={false} />
        </p>
        <p className="mt-5">
          <ButtonLink to={paths.myImmortals} kind="quiet">
            See my immortals
          </ButtonLink>
        </p>
      </div>
    </section>
  );
}
