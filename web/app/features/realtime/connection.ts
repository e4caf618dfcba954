import { WebPubSubClient } from "@azure/web-pubsub-client";
import { api, unwrap } from "~/lib/api/client";
import { queryClient } from "~/lib/query";
import { report } from "~/lib/report";
import { dispatch } from "./messages";
import { type ConnectionState, connection } from "./store";

/** How often a lost connection is retried before the session ends, and the delays between retries (milliseconds). */
export const retry = { maxRetries: 20, retryDelayInMs: 1_000, maxRetryDelayInMs: 30_000, mode: "Exponential" } as const;

/** How often the library's state is polled, in milliseconds. */
const stateCheckEvery = 1_000;

/** The delay before the next retry, in milliseconds: doubled each time up to the limit. */
function delayBefore(attempt: number): number {
  return Math.min(retry.maxRetryDelayInMs, retry.retryDelayInMs * 2 ** (attempt - 1));
}

/**
 * Keeps a realtime connection for a signed-in player until it is stopped. `wallet` returns the player's smart wallet,
 * "" while unknown. `onLost` is called when all retries have failed.
 *
 * The library recovers short losses itself without missing a message; after a longer one it opens a new connection.
 * Every new connection, including the first, refetches what was requested before it, because earlier messages are
 * lost. The library does not retry its first start, so that is done here.
 */
export function connect(wallet: () => string, onLost: () => void): { stop: () => void } {
  let stopped = false;
  let attempts = 0;
  /** Whether the library has started; from then on it reconnects itself. */
  let started = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const client = new WebPubSubClient(
    {
      async getClientAccessUrl() {
        if (stopped) throw new Error("The connection is no longer wanted.");
        const address = wallet();
        const { url } = await unwrap(api.GET("/api/auth/pubSubAccessToken", { params: { query: address ? { wallet: address } : {} } }));
        return url;
      },
    },
    { reconnectRetryOptions: retry },
  );

  client.on("connected", () => {
    attempts = 0;
    showState();
    void queryClient.invalidateQueries();
    connection.set({ joined: true });
  });
  client.on("disconnected", ({ message }) => {
    if (stopped) return;
    showState();
    report("realtime: disconnected", message?.message);
  });
  client.on("stopped", () => {
    if (stopped) return;
    report("realtime: stopped");
    lose();
  });
  client.on("server-message", ({ message }) => {
    if (!stopped) dispatch(message.data);
  });

  // The library emits no event when it begins to recover; its state is the only sign.
  const watch = setInterval(showState, stateCheckEvery);

  function showState() {
    if (started && !stopped) connection.set({ state: Reflect.get(client, "_state") as ConnectionState });
  }

  function lose() {
    stop();
    onLost();
  }

  function stop() {
    if (stopped) return;
    stopped = true;
    clearInterval(watch);
    clearTimeout(timer);
    client.stop();
    connection.set({ state: "Stopped", joined: false });
  }

  async function start() {
    try {
      connection.set({ state: "Connecting" });
      await client.start();
      if (stopped) return client.stop();
      started = true;
      showState();
    } catch (error) {
      if (stopped) return;
      report("realtime: could not start", error);
      attempts++;
      connection.set({ state: "Disconnected" });
      if (attempts > retry.maxRetries) lose();
      else timer = setTimeout(start, delayBefore(attempts));
    }
  }

  void start();
  return { stop };
}
