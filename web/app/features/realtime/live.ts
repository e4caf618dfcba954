import { useSyncExternalStore } from "react";
import { useStore } from "~/lib/store";
import { connection } from "./store";

function subscribe(onChange: () => void): () => void {
  addEventListener("online", onChange);
  addEventListener("offline", onChange);
  return () => {
    removeEventListener("online", onChange);
    removeEventListener("offline", onChange);
  };
}

/**
 * Whether the page is live: connected, in a browser that is online. The browser is the first to notice a lost
 * network.
 */
export function useLive(): boolean {
  const connected = useStore(connection, (c) => c.state === "Connected");
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  return connected && online;
}
