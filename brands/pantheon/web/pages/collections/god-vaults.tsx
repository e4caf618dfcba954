import Text, { page } from "#brand/content/collections/god-vaults.mdx";
import { pageMeta } from "~/components/site/page-meta";
import { SideHeadings } from "~/components/site/side-headings";
import { ButtonLink } from "~/components/ui/button";
import { deferred } from "~/lib/deferred";
import { paths } from "~/lib/paths";
import vaults from "~art/scene-vaults.svg";

/** The claims and the seals are loaded lazily: their prerendered form is already visible. */
const Doors = deferred(() => import("./god-vaults-doors"));

export const meta = () => pageMeta(page.title, page.description);

/** The God Vaults: the player's own, to claim, and what a vault is. */
export default function GodVaults() {
  return (
    <>
      <header className="relative isolate overflow-hidden border-b border-line">
        <div className="scale-y absolute inset-y-0 left-0 z-10 hidden w-2.5 sm:block" />
        <div className="relative -z-10 aspect-[5/4] max-h-[62svh] w-full sm:aspect-[16/8] lg:max-h-[74svh]">
          <img
            src={vaults}
            alt=""
            width={1600}
            height={900}
            fetchPriority="high"
            className="h-full w-full object-cover object-[70%_46%] lg:object-[50%_44%]"
          />
          <div className="absolute inset-0 bg-[linear-gradient(0deg,var(--color-night)_3%,transparent_46%)]" />
        </div>
        <div className="mx-auto grid max-w-[100rem] gap-x-16 gap-y-10 px-4 pb-14 sm:px-8 lg:grid-cols-[1.65fr_1fr] lg:items-end lg:pb-20">
          <h1 className="display text-hero relative -mt-24 max-w-[3.19em] lg:-mt-44">{page.heading}</h1>
          <div>
            <p className="max-w-[30rem] text-lg">{page.lead}</p>
            <ButtonLink to={`${paths.market}?collection=elder-gods`} kind="quiet" className="mt-8">
              See the gods for sale
            </ButtonLink>
          </div>
        </div>
      </header>
      <Doors />
      <SideHeadings>
        <Text />
      </SideHeadings>
    </>
  );
}
