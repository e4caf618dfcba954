import { pageMeta } from "~/components/site/page-meta";
import { Activity } from "~/features/activity/components/activity";

export const meta = () =>
  pageMeta(
    "Activity",
    "What happened on your account, entry by entry and with its time: what you bought, sold, listed, opened, burned and received.",
    {
      index: false,
    },
  );

/** The ledger of the player's account. */
export default function ActivityPage() {
  return <Activity />;
}
