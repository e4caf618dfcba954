import { useEffect } from "react";
import { notify } from "~/components/ui/toasts";
import { userListings } from "~/features/realtime/outcomes";

/** Tells the player, on other pages than those of a seller, that a listing is on or off the market, or that nothing has changed. */
export function useListingNews(elsewhere: boolean): void {
  useEffect(() => {
    if (!elsewhere) return;
    let before = userListings.get();
    return userListings.subscribe(() => {
      const now = userListings.get();
      if (now.newListingCompleted && !before.newListingCompleted) notify("success", "On the market");
      if (now.newListingError && !before.newListingError) notify("error", "Not listed", "Nothing has changed.");
      if (now.removeListingCompleted && !before.removeListingCompleted) notify("success", "Off the market");
      if (now.removeListingError && !before.removeListingError) notify("error", "The listing has not ended", "Nothing has changed.");
      before = now;
    });
  }, [elsewhere]);
}
