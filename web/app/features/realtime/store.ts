import { createStore } from "~/lib/store";

/** The states of the connection, in the words of the client library. */
export type ConnectionState = "Stopped" | "Disconnected" | "Connecting" | "Connected" | "Recovering";

/** How live the page is. `connection.ts` moves it. */
export const connection = createStore<{ state: ConnectionState }>({ state: "Stopped" });
