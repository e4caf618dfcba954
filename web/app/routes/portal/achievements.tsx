import { pageMeta } from "~/components/site/page-meta";
import { Achievements } from "~/features/activity/components/achievements";

export const meta = () =>
  pageMeta(
    "Achievements",
    "What you have done that is worth a medal, when you did it, and what there is still to do. Counted from the chain's own record.",
    {
      index: false,
    },
  );

/** The player's medals. */
export default function AchievementsPage() {
  return <Achievements />;
}
