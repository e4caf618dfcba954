import { notifyAnywhere } from "~/components/ui/toasts";

/** Whether the player was told that the sign-in ends with the tab. */
let isWarned = false;

/** Tells the player that the sign-in ends with the tab; once. */
export function warnOfTab(): void {
  if (isWarned) return;
  isWarned = true;
  notifyAnywhere(
    "blank",
    "You are signed in in this tab only",
    "Your browser does not let this site store anything, because storage is blocked or full. A reload signs you out.",
  );
}
