import { useEffect } from "react";
import { logout } from "~/features/session/machine";
import { session } from "~/features/session/store";
import { queryClient } from "~/lib/query";
import { report } from "~/lib/report";
import { useStore } from "~/lib/store";
import { useLive } from "./live";
import { connection, reconnect } from "./store";

/**
 * Keeps the page live while somebody is signed in. A browser that is online again does not wait for the next try. When
 * the connection is lost for good, the session ends.
 */
export function useRealtime(): void {
  const player = useStore(session, (s) => s.profile?.AccountInfo.PlayFabId);
  const asked = useStore(connection, (c) => c.asked);
  const live = useLive();
  // What failed to load while the server was away is fetched again as soon as it is back. After a new connection that
  // has already begun.
  useEffect(() => {
    if (live) void queryClient.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" }, { cancelRefetch: false });
  }, [live]);
  useEffect(() => {
    addEventListener("online", reconnect);
    return () => removeEventListener("online", reconnect);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever asks gets a new connection
  useEffect(() => {
    if (!player) return;
    let stop: (() => void) | undefined;
    let left = false;
    import("./connection").then(
      ({ connect }) => {
        if (!left)
          stop = connect(
            () => session.get().profile?.smartWalletAddress ?? "",
            () => void logout(),
          ).stop;
      },
      (error: unknown) => report("realtime: not loaded", error),
    );
    return () => {
      left = true;
      stop?.();
    };
  }, [player, asked]);
}
