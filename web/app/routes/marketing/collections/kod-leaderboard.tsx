import { lazy, Suspense } from "react";
import { Later } from "~/components/site/later";
import { pageMeta } from "~/components/site/page-meta";
import { Prose } from "~/components/site/prose";
import { ButtonLink } from "~/components/ui/button";
import Text, { page } from "~/content/collections/kod-leaderboard.mdx";
import { paths } from "~/lib/paths";
import stele from "~art/scene-stele.svg";

/** Comes after the page: its empty lines are there to be seen already. */
const Board = lazy(() => import("~/features/leaderboard/components/board").then(({ Board }) => ({ default: Board })));

export const meta = () => pageMeta(page.title, page.description);

/** The leaderboard of King of Destiny: the names as they stand, and beside them the stone they will be cut into. */
export default function Leaderboard() {
  return (
    <div className="relative">
      <div className="scale-y absolute inset-y-0 left-0 hidden w-2.5 sm:block" />
      <div className="mx-auto grid max-w-[100rem] grid-cols-1 lg:grid-cols-[1.2fr_1fr]">
        <div className="px-4 pb-4 pt-8 sm:px-8 lg:pb-24 lg:pt-24">
          <h1 className="display text-hero max-w-[4.8em]">{page.heading}</h1>
          <p className="mt-7 max-w-[34rem] text-lg">{page.lead}</p>
          <div className="mt-12 max-w-2xl">
            <Suspense>
              <Board board="kod" caption="Leaderboard of King of Destiny" counted="Points" />
            </Suspense>
          </div>
          <Later className="mt-14">The first round has no date yet. Its rules will be linked from here before it starts.</Later>
          <Prose className="mt-20 lg:mt-28">
            <Text />
          </Prose>
          <ButtonLink to={paths.kingOfDestiny} kind="quiet" className="mt-12">
            About King of Destiny
          </ButtonLink>
        </div>
        <div className="max-lg:order-first">
          {/* The stone stays while the words go by. */}
          <img
            src={stele}
            alt="A tall stone under a crown, with ten ruled lines and no name on any; a mason's hammer and chisels lean against it"
            width={1000}
            height={1300}
            fetchPriority="high"
            className="h-auto w-full max-lg:max-h-[70svh] max-lg:object-cover max-lg:object-[56%_20%] max-lg:[mask-image:linear-gradient(#000_82%,transparent)] lg:sticky lg:top-16 lg:h-[calc(100svh-4rem)] lg:object-cover lg:object-[56%_40%] lg:[mask-image:linear-gradient(90deg,transparent,#000_24%)] min-[101rem]:[mask-image:linear-gradient(90deg,transparent,#000_24%_80%,transparent)]"
          />
        </div>
      </div>
    </div>
  );
}
