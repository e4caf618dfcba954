import { createStore } from "~/lib/store";

/** The states of the connection, named as in the client library. */
export type ConnectionState = "Stopped" | "Disconnected" | "Connecting" | "Connected" | "Recovering";

export interface Connection {
  /** Set by `connection.ts`. */
  state: ConnectionState;
  /** Whether it has told the page to refetch what it had, and delivers what happens since. Set by `connection.ts`. */
  joined: boolean;
  /** How often an immediate reconnection was requested. */
  asked: number;
}

/** The state of the realtime connection. */
export const connection = createStore<Connection>({ state: "Stopped", joined: false, asked: 0 });

/** Reconnects at once, unless the page is live. */
export function reconnect(): void {
  const { state, asked } = connection.get();
  if (state !== "Connected") connection.set({ asked: asked + 1 });
}
