import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { leadAway } from "~/features/session/components/require-session";
import { logout } from "~/features/session/session";
import { session } from "~/features/session/store";
import { useNavigate } from "~/lib/navigation";
import { queryClient } from "~/lib/query";
import { report } from "~/lib/report";
import { useStore } from "~/lib/store";
import { useLive } from "./live";
import { connection, reconnect } from "./store";

/** A realtime connection while mounted. When it is lost for good, the session ends, on pages for everybody too. */
function Connection(): null {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const leave = useRef(() => {});
  useEffect(() => {
    leave.current = () => leadAway(navigate, pathname + search);
  }, [navigate, pathname, search]);
  useEffect(() => {
    let stop: (() => void) | undefined;
    let unmounted = false;
    import("./connection").then(
      ({ connect }) => {
        if (!unmounted)
          stop = connect(
            () => session.get().profile?.smartWalletAddress ?? "",
            () => {
              leave.current();
              void logout();
            },
          ).stop;
      },
      (error: unknown) => report("realtime: not loaded", error),
    );
    return () => {
      unmounted = true;
      stop?.();
    };
  }, []);
  return null;
}

/** Keeps the page live while a player is signed in. A browser that comes online reconnects at once. */
export function Realtime() {
  const player = useStore(session, (s) => s.profile?.AccountInfo.PlayFabId);
  const asked = useStore(connection, (c) => c.asked);
  const live = useLive();
  // Queries that failed while the server was down are refetched when it is back. A new connection already triggers
  // that.
  useEffect(() => {
    if (live)
      void queryClient.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" }, { cancelRefetch: false });
  }, [live]);
  useEffect(() => {
    addEventListener("online", reconnect);
    return () => removeEventListener("online", reconnect);
  }, []);
  // Another player, or a request to reconnect, mounts a new connection.
  return player ? <Connection key={`${player} ${asked}`} /> : null;
}
