import { useEffect, useState, useSyncExternalStore } from "react";
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

/** How long a page waits for its first connection, in milliseconds. */
const patience = 1_000;

/**
 * Whether the page has joined the realtime channel, or waited long enough for it. Many queries that wait for it are
 * asked once: the first connection refetches what was asked before it, because changes in between are not announced.
 */
export function useJoined(): boolean {
  const joined = useStore(connection, (c) => c.joined);
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patience);
    return () => clearTimeout(timer);
  }, []);
  return joined || isLate;
}
