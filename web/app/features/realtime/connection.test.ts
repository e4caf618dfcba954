import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { QueryObserver } from "@tanstack/react-query";
import { passthrough } from "msw";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { queryClient } from "~/lib/query";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { connect } from "./connection";
import { onMessage } from "./messages";
import { connection } from "./store";

/** A hub that greets every connection like Azure Web PubSub and records it. */
let hub: WebSocketServer;
let sockets: WebSocket[];
/** How often an access URL was requested, how many requests fail first, and the wallet they were made with. */
let asked: number;
let failures: number;
let wallets: (string | null)[];
let stop = () => {};
/** The server's state. */
let version: string;
/** Unmounts what is shown. */
let hidden: (() => void)[];

beforeEach(async () => {
  version = "was";
  hidden = [];
  sockets = [];
  asked = 0;
  failures = 0;
  wallets = [];
  hub = new WebSocketServer({ port: 0, host: "127.0.0.1", handleProtocols: (offered) => [...offered][0] ?? false });
  await new Promise((resolve) => hub.once("listening", resolve));
  hub.on("connection", (socket) => {
    sockets.push(socket);
    const connectionId = `c${sockets.length}`;
    socket.send(JSON.stringify({ type: "system", event: "connected", userId: "u", connectionId, reconnectionToken: "t" }));
  });
  const { port } = hub.address() as AddressInfo;
  vi.spyOn(console, "warn").mockImplementation(() => {});
  server.use(
    http.get("*/client/hubs/portal", () => passthrough()),
    http.get("*/api/auth/pubSubAccessToken", ({ request }) => {
      asked++;
      wallets.push(new URL(request.url).searchParams.get("wallet"));
      return failures-- > 0
        ? problem(503, "Away.")
        : HttpResponse.json({ url: `ws://127.0.0.1:${port}/client/hubs/portal?access_token=x` });
    }),
  );
});

afterEach(async () => {
  vi.useRealTimers();
  stop();
  for (const hide of hidden) hide();
  for (const socket of sockets) socket.terminate();
  await new Promise((resolve) => hub.close(resolve));
});

function open(onLost = () => {}, wallet = "0xw") {
  stop = connect(() => wallet, onLost).stop;
}

/** Mounts a query of the server's state. Responses to queries named slow wait until they are released. */
function shown(what: string) {
  const gates: (() => void)[] = [];
  let times = 0;
  const observer = new QueryObserver(queryClient, {
    queryKey: [what],
    queryFn: async () => {
      times++;
      const answer = `${what} as it ${version}`;
      if (what === "slow") await new Promise<void>((open) => gates.push(open));
      return answer;
    },
  });
  hidden.push(observer.subscribe(() => {}));
  return {
    now: () => observer.getCurrentResult().data,
    times: () => times,
    /** Waits for a request; returns a function that releases its response. */
    asked: (nth = 1) => vi.waitUntil(() => gates[nth - 1]),
  };
}

/** Waits without advancing the clock. */
async function soon(check: () => boolean) {
  for (let turn = 0; !check(); turn++) {
    if (turn > 100_000) throw new Error("It did not happen.");
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The delays before the retries of a lost connection, in seconds. */
const waits = [1, 2, 4, 8, 16, ...Array.from({ length: 15 }, () => 30)];

const state = () => connection.get().state;
const until = (expected: string) => vi.waitFor(() => expect(state()).toBe(expected), { timeout: 8_000 });
const tell = (sequenceId: number, data: object) =>
  sockets.at(-1)?.send(JSON.stringify({ type: "message", from: "server", sequenceId, dataType: "json", data }));

describe("the connection", () => {
  // Spec: LIVE-2
  it("is made for the player's wallet, and hands on what the server says", async () => {
    const heard = vi.fn();
    const deaf = onMessage("order", heard);
    open();
    await until("Connected");
    expect(wallets).toEqual(["0xw"]);
    tell(1, { channelId: "order", type: "update", payload: { orderId: "1", state: "complete" } });
    await vi.waitFor(() => expect(heard).toHaveBeenCalledExactlyOnceWith({ type: "update", payload: { orderId: "1", state: "complete" } }));
    deaf();
  });

  // Spec: LIVE-3
  it("is tried again when the first try fails", async () => {
    failures = 1;
    open();
    await until("Disconnected");
    await until("Connected");
    expect(asked).toBe(2);
    expect(console.warn).toHaveBeenCalledExactlyOnceWith("realtime: could not start", "Away.");
  });

  // Spec: LIVE-24
  it("that comes late asks anew for what was asked for before it, answered or not, and for nothing asked for after it", async () => {
    failures = 1;
    const answered = shown("answered");
    await vi.waitFor(() => expect(answered.now()).toBe("answered as it was"));
    const slow = shown("slow");
    const older = await slow.asked();
    open();
    await until("Disconnected");
    version = "is"; // while there is no subscriber
    await until("Connected");
    const later = shown("later");
    await vi.waitFor(() => expect(answered.now()).toBe("answered as it is"));
    await vi.waitFor(() => expect(later.now()).toBe("later as it is"));
    older();
    await vi.waitFor(() => expect(slow.now()).toBe("slow as it was"));
    (await slow.asked(2))();
    await vi.waitFor(() => expect(slow.now()).toBe("slow as it is"));
    expect([answered.times(), slow.times(), later.times()]).toEqual([2, 2, 1]);
  });

  // Spec: LIVE-3, LIVE-23
  it("asks anew for what the page shows when it was lost for longer than it can recover", async () => {
    open();
    await until("Connected");
    const page = shown("page");
    await vi.waitFor(() => expect(page.now()).toBe("page as it was"));
    version = "is";
    sockets[0]?.close(1008, "gone");
    await vi.waitFor(() => expect(page.now()).toBe("page as it is"), { timeout: 8_000 });
    expect(sockets).toHaveLength(2);
    expect(console.warn).toHaveBeenCalledWith("realtime: disconnected", expect.anything());
  });

  // Spec: LIVE-2
  it("recovers a short loss by itself, without asking anew", async () => {
    open();
    await until("Connected");
    const page = shown("page");
    await vi.waitFor(() => expect(page.now()).toBe("page as it was"));
    sockets[0]?.terminate();
    await vi.waitFor(() => expect(sockets).toHaveLength(2), { timeout: 8_000 });
    await until("Connected");
    expect([asked, page.times()]).toEqual([1, 1]);
  });

  // Spec: LIVE-2
  it("ends when it is no longer wanted", async () => {
    const lost = vi.fn();
    open(lost);
    await until("Connected");
    stop();
    expect(state()).toBe("Stopped");
    await vi.waitFor(() => expect(sockets[0]?.readyState).toBe(3));
    expect(lost).not.toHaveBeenCalled();
  });

  // Spec: LIVE-4
  it("is given up after 20 failed retries, 1 s apart at first and 30 s at most", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
    failures = Number.POSITIVE_INFINITY;
    const lost = vi.fn();
    open(lost);
    for (const [index, seconds] of waits.entries()) {
      await soon(() => asked === index + 1 && state() === "Disconnected");
      await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
      expect(asked).toBe(index + 1);
      expect(lost).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
    }
    await soon(() => lost.mock.calls.length > 0);
    expect(asked).toBe(21);
    expect(state()).toBe("Stopped");
  });

  // Spec: LIVE-3, LIVE-4
  it("that was lost is tried again as often and as far apart, by the library", async () => {
    const lost = vi.fn();
    open(lost);
    await until("Connected");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    asked = 0;
    failures = Number.POSITIVE_INFINITY;
    sockets[0]?.close(1008, "gone");
    for (const [index, seconds] of waits.entries()) {
      await soon(() => asked === index + 1 && vi.getTimerCount() > 0);
      await vi.advanceTimersByTimeAsync(seconds * 1000 - 1);
      expect(asked).toBe(index + 1);
      await vi.advanceTimersByTimeAsync(1);
    }
    await soon(() => lost.mock.calls.length > 0);
    expect(asked).toBe(21);
    expect(console.warn).toHaveBeenCalledWith("realtime: stopped", "");
  });

  // Spec: LIVE-6
  it.each([
    "messageRetryOptions.maxRetries = 3;",
    "messageRetryOptions.retryDelayInMs = 1e3;",
    "messageRetryOptions.maxRetryDelayInMs = 3e4;",
    "keepAliveIntervalInMs = 2e4;",
    "AbortSignal.timeout(30 * 1e3)", // the recovery window
    "}, 1e3);", // between acks of sequences
  ])("leaves to the library: %s", (constant) => {
    const library = "../../../../node_modules/@azure/web-pubsub-client/dist/esm/webPubSubClient.js";
    expect(readFileSync(join(import.meta.dirname, library), "utf8")).toContain(constant);
  });
});
