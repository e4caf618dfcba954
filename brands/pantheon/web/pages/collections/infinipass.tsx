import Text, { page } from "#brand/content/collections/infinipass.mdx";
import { pages } from "#brand/pages";
import { pageMeta } from "~/components/site/page-meta";
import { SideHeadings } from "~/components/site/side-headings";
import { ButtonLink } from "~/components/ui/button";
import { deferred } from "~/lib/deferred";
import agora from "~art/scene-agora.svg";

/** The comparison is loaded lazily: its prerendered form is already visible. */
const Passes = deferred(() => import("./infinipass-passes"));

export const meta = () => pageMeta(page.title, page.description);

/** The two passes: who sits where, and what opens. */
export default function InfiniPass() {
  return (
    <>
      <header className="relative isolate overflow-hidden border-b border-line">
        <div className="scale-y absolute inset-y-0 left-0 hidden w-2.5 sm:block" />
        <img
          src={agora}
          alt=""
          width={1600}
          height={900}
          fetchPriority="high"
          className="aspect-[4/3] w-full object-cover object-[70%_100%] lg:absolute lg:inset-0 lg:-z-10 lg:h-full lg:object-[50%_100%]"
        />
        <div className="absolute inset-0 -z-10 bg-[linear-gradient(96deg,var(--color-night)_27%,transparent_50%)] max-lg:hidden" />
        <div className="mx-auto max-w-[100rem] px-4 pb-14 pt-8 sm:px-8 lg:min-h-[min(96svh,60rem)] lg:pt-24">
          <p className="caption mb-4 text-bronze">A seat, or every door</p>
          <h1 className="display text-hero max-w-[4.96em]">{page.heading}</h1>
          <p className="mt-7 max-w-[26rem] text-lg">{page.lead}</p>
          <ButtonLink to={`${pages.infiniPass}#passes`} kind="quiet" className="mt-8">
            See both passes
          </ButtonLink>
        </div>
      </header>
      <Passes />
      <SideHeadings>
        <Text />
      </SideHeadings>
    </>
  );
}
