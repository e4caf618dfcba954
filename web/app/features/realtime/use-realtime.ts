import { useEffect } from "react";
import { logout } from "~/features/session/machine";
import { session } from "~/features/session/store";
import { useStore } from "~/lib/store";

/** Keeps the page live while somebody is signed in. When the connection is lost for good, the session ends. */
export function useRealtime(): void {
  const player = useStore(session, (s) => s.profile?.AccountInfo.PlayFabId);
  useEffect(() => {
    if (!player) return;
    let stop: (() => void) | undefined;
    let left = false;
    void import("./connection").then(({ connect }) => {
      if (!left)
        stop = connect(
          () => session.get().profile?.smartWalletAddress ?? "",
          () => void logout(),
        ).stop;
    });
    return () => {
      left = true;
      stop?.();
    };
  }, [player]);
}
