import { pageMeta } from "~/components/site/page-meta";
import { Notifications } from "~/features/notification/components/notifications";

export const meta = () =>
  pageMeta("Notifications", "What of yours was sold and what you received, which listings have ended, and which need you.", {
    index: false,
  });

/** What happened to the player's listings. */
export default function NotificationsPage() {
  return <Notifications />;
}
