import { lazy, Suspense } from "react";
import { Hanging } from "~/components/site/hanging";
import { Later } from "~/components/site/later";
import { pageMeta } from "~/components/site/page-meta";
import { ButtonLink } from "~/components/ui/button";
import Text, { page } from "~/content/collections/webstore.mdx";
import { paths } from "~/lib/paths";
import shelves from "~art/scene-shelves.svg";

/** The shelves are loaded lazily: their prerendered form is already visible. */
const Shelves = lazy(() => import("./webstore-shelves"));

export const meta = () => pageMeta(page.title, page.description);

/** The webstore: what will be sold for ordinary money, and how. */
export default function Webstore() {
  return (
    <>
      <header className="relative isolate flex flex-col overflow-hidden">
        <div className="mx-auto grid w-full max-w-[100rem] gap-x-16 gap-y-8 px-4 pb-12 pt-10 sm:px-8 lg:grid-cols-[1.65fr_1fr] lg:items-end lg:pb-16 lg:pt-20">
          <h1 className="display max-w-[3.89em] text-hero">{page.heading}</h1>
          <div>
            <p className="max-w-[30rem] text-lg">{page.lead}</p>
            <Later className="mt-8">Nothing can be paid for here today. The market next door has everything that lives on chain.</Later>
            <ButtonLink to={paths.market} kind="quiet" className="mt-8">
              To the market
            </ButtonLink>
          </div>
        </div>
        <img
          src={shelves}
          alt=""
          width={1600}
          height={900}
          fetchPriority="high"
          className="aspect-[5/4] w-full object-cover max-lg:order-first object-[66%_10%] sm:aspect-[16/8] lg:object-[50%_0%]"
        />
      </header>
      <Suspense>
        <Shelves />
      </Suspense>
      <Hanging>
        <Text />
      </Hanging>
    </>
  );
}
