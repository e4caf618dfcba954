import { useEffect, useState } from "react";
import { Button } from "~/components/ui/button";
import { notifyUntil, takeBack } from "~/components/ui/toasts";
import { queryClient } from "~/lib/query";
import { useLive } from "./live";
import { reconnect } from "./store";

/** How long the connection may be lost before the player is notified, in milliseconds: most losses are shorter. */
const noticeAfter = 3_000;

const id = "connection";

function Lost() {
  const [busy, setBusy] = useState(false);
  const retry = async () => {
    setBusy(true);
    reconnect();
    await queryClient.refetchQueries({ type: "active" });
    setBusy(false);
  };
  return (
    <span className="flex items-center gap-3">
      <span>
        <span className="block">Connection lost</span>
        <span className="block text-sm text-bone-muted">What you see may be out of date.</span>
      </span>
      <Button kind="quiet" size="small" busy={busy} onClick={() => void retry()}>
        Try now
      </Button>
    </span>
  );
}

/** Shows a notice while the page is not live, and offers to reconnect at once. */
export function useConnectionNotice(): void {
  const live = useLive();
  useEffect(() => {
    if (live) return;
    const timer = setTimeout(() => notifyUntil(id, <Lost />), noticeAfter);
    return () => {
      clearTimeout(timer);
      takeBack(id);
    };
  }, [live]);
}
