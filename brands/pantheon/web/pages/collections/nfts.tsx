import Text, { page } from "#brand/content/collections/collections.mdx";
import { pageMeta } from "~/components/site/page-meta";
import { SideHeadings } from "~/components/site/side-headings";
import { useIdle } from "~/components/site/use-idle";
import { ButtonLink } from "~/components/ui/button";
import { cn } from "~/lib/cn";
import { deferred } from "~/lib/deferred";
import { paths } from "~/lib/paths";
import wheel from "~art/scene-wheel.svg";

/** The rooms are loaded lazily: their prerendered form is already visible. */
const Rooms = deferred(() => import("./nfts-rooms"));

export const meta = () => pageMeta(page.title, page.description);

/** A chart of twelve houses; it starts to rotate when the page is idle. */
function Hero() {
  const idle = useIdle();
  return (
    <header className="relative isolate overflow-hidden border-b border-line">
      <div className="scale-y absolute inset-y-0 left-0 hidden w-2.5 sm:block" />
      <div
        className={
          "max-lg:-mt-28 max-lg:mb-[-26%] lg:absolute lg:-right-[15rem] lg:top-1/2 lg:-z-10 lg:w-[max(62rem,68vw)] " + "lg:-translate-y-1/2"
        }
      >
        <img
          src={wheel}
          alt=""
          width={1200}
          height={1200}
          fetchPriority="high"
          className={cn("h-auto w-full max-lg:mx-auto max-lg:max-w-[44rem]", idle && "[animation:spin_420s_linear_infinite]")}
        />
      </div>
      <div className="absolute inset-0 -z-10 bg-[linear-gradient(90deg,var(--color-night)_26%,transparent_52%)] max-lg:hidden" />
      <div
        className={
          "relative mx-auto flex max-w-[100rem] flex-col justify-end px-4 pb-14 " +
          "max-lg:bg-[linear-gradient(0deg,var(--color-night)_72%,transparent)] max-lg:pt-16 sm:px-8 " +
          "lg:min-h-[min(92svh,58rem)] lg:pb-20"
        }
      >
        <p className="caption mb-4 text-bronze">All that is kept</p>
        <h1 className="display text-hero max-w-[4.96em]">{page.heading}</h1>
        <p className="mt-7 max-w-[30rem] text-lg">{page.lead}</p>
        <p className="mt-9">
          <ButtonLink to={paths.market}>See what is for sale</ButtonLink>
        </p>
      </div>
    </header>
  );
}

/** All twelve collections, and the use of each. */
export default function Collections() {
  return (
    <>
      <Hero />
      <Rooms />
      <SideHeadings>
        <Text />
      </SideHeadings>
    </>
  );
}
