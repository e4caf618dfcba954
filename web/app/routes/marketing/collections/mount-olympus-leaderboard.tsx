import { lazy, Suspense } from "react";
import { Hanging } from "~/components/site/hanging";
import { Later } from "~/components/site/later";
import { PageHero } from "~/components/site/page-hero";
import { pageMeta } from "~/components/site/page-meta";
import Text, { page } from "~/content/collections/mount-olympus-leaderboard.mdx";
import summit from "~art/scene-summit.svg";

/** Comes after the page: its empty lines are there to be seen already. */
const Board = lazy(() => import("~/features/leaderboard/components/board").then(({ Board }) => ({ default: Board })));

export const meta = () => pageMeta(page.title, page.description);

const steps = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1];

/** The first ten lines of the book, as the steps they stand for. */
function Steps() {
  return (
    <div aria-hidden="true" className="mx-auto flex max-w-[100rem] items-end px-4 pt-24 sm:px-8 lg:pt-36">
      {steps.map((step, index) => (
        <div key={step} className={rises[index]}>
          <span className="display figures block pl-2 pt-2 text-2xl text-bronze sm:text-4xl">{step}</span>
        </div>
      ))}
    </div>
  );
}

/** Each step a little higher than the one before it. */
const rises = ["h-12", "h-18", "h-24", "h-30", "h-36", "h-42", "h-48", "h-54", "h-60", "h-66"].map(
  (height) => `${height} flex-1 border-l border-t border-line-strong bg-[linear-gradient(var(--color-night-1),transparent)]`,
);

/** The leaderboard of Mount Olympus: the book at the top, and who is in it. */
export default function MountOlympusLeaderboard() {
  return (
    <>
      <PageHero heading={page.heading} lead={page.lead} picture={{ src: summit, width: 1600, height: 900, className: "object-[66%_60%]" }}>
        <Later className="mt-9">The way up is not open to everybody yet. When it is, the pencil is rubbed out and the first line is free.</Later>
      </PageHero>
      <Steps />
      <div className="mx-auto max-w-[100rem] px-4 pt-12 sm:px-8">
        <div className="max-w-3xl lg:ml-[25%]">
          <Suspense>
            <Board board="mount-olympus" caption="Leaderboard of Mount Olympus" counted="Steps" />
          </Suspense>
        </div>
      </div>
      <Hanging className="pt-20! lg:pt-24!">
        <Text />
      </Hanging>
    </>
  );
}
