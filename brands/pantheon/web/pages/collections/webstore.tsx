import Text, { page } from "#brand/content/collections/webstore.mdx";
import { pageMeta } from "~/components/site/page-meta";
import { SideHeadings } from "~/components/site/side-headings";
import { deferred } from "~/lib/deferred";
import shelves from "~art/scene-shelves.svg";

/** Loaded lazily: what is for sale comes from the server, and the prerendered form is already visible. */
const Shop = deferred(() => import("./webstore-shop"));

export const meta = () => pageMeta(page.title, page.description);

/** The webstore: what is sold for ordinary money, and how. */
export default function Webstore() {
  return (
    <>
      <header className="relative isolate overflow-hidden border-b-[14px] border-[#4f3019] lg:grid lg:grid-cols-[1fr_1.2fr]">
        <img
          src={shelves}
          alt=""
          width={1600}
          height={900}
          fetchPriority="high"
          className={
            "aspect-[5/3] w-full object-cover object-[66%_10%] sm:aspect-[5/2] lg:order-last lg:aspect-auto lg:h-[21rem] " +
            "lg:object-[60%_22%]"
          }
        />
        <div className="px-4 pb-8 pt-6 sm:px-8 lg:self-end lg:pb-10">
          <h1 className="display text-[clamp(3.5rem,8.4vw,8rem)]">{page.heading}</h1>
          <p className="mt-4 max-w-[34rem] text-lg">{page.lead}</p>
        </div>
      </header>
      <div className="min-h-[200svh] bg-[linear-gradient(var(--color-night-1),var(--color-night)_40%)]">
        <Shop />
      </div>
      <SideHeadings>
        <Text />
      </SideHeadings>
    </>
  );
}
