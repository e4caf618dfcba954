import Text, { page } from "#brand/content/collections/mount-olympus-leaderboard.mdx";
import { Later } from "~/components/site/later";
import { PageHero } from "~/components/site/page-hero";
import { pageMeta } from "~/components/site/page-meta";
import { SideHeadings } from "~/components/site/side-headings";
import { deferred } from "~/lib/deferred";
import summit from "~art/scene-summit.svg";

/** Loaded lazily: its prerendered placeholder lines are already visible. */
const Board = deferred(async () => ({ default: (await import("~/features/leaderboard/components/board")).Board }));

export const meta = () => pageMeta(page.title, page.description);

/** The leaderboard of Mount Olympus: the book at the top, and the names in it. */
export default function MountOlympusLeaderboard() {
  return (
    <>
      <PageHero
        caption="A lamp and a book"
        heading={page.heading}
        lead={page.lead}
        picture={{ src: summit, width: 1600, height: 900, className: "object-[66%_60%]" }}
      >
        <Later className="mt-9">The game is not open to everybody yet. What stands here is from trials, and is wiped when it opens.</Later>
      </PageHero>
      <div className="mx-auto max-w-[100rem] px-4 pt-16 sm:px-8 lg:pt-24">
        <div className="max-w-3xl lg:ml-[25%]">
          <Board board="mount-olympus" caption="Leaderboard of Mount Olympus" counted="Steps" />
        </div>
      </div>
      <SideHeadings className="pt-20! lg:pt-24!">
        <Text />
      </SideHeadings>
    </>
  );
}
