import { notifyAnywhere } from "~/components/ui/toasts";
import { keys } from "~/lib/storage";
import { keepInTab } from "~/lib/tab-storage";

/** Whether the player was told that the sign-in ends with the tab. */
let isWarned = false;

/**
 * Keeps the session's other credential in this tab too, where a full storage took it without the token: another tab would end
 * the session by it. Tells the player that the sign-in ends with the tab; once.
 */
export function warnOfTab(): void {
  keepInTab(keys.sessionAuthorization);
  if (isWarned) return;
  isWarned = true;
  notifyAnywhere(
    "blank",
    "You are signed in in this tab only",
    "Your browser does not let this site store anything, because storage is blocked or full. A reload signs you out.",
  );
}
