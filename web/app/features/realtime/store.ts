import { createStore } from "~/lib/store";

/** The states of the connection, in the words of the client library. */
export type ConnectionState = "Stopped" | "Disconnected" | "Connecting" | "Connected" | "Recovering";

export interface Connection {
  /** `connection.ts` moves it. */
  state: ConnectionState;
  /** How often a new connection was asked for instead of waiting for the next try. */
  asked: number;
}

/** How live the page is. */
export const connection = createStore<Connection>({ state: "Stopped", asked: 0 });

/** Connects anew at once, unless the page is live. */
export function reconnect(): void {
  const { state, asked } = connection.get();
  if (state !== "Connected") connection.set({ asked: asked + 1 });
}
