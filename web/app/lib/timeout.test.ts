import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { http, server } from "../../test/server";
import { api, unwrap } from "./api/client";
import { json } from "./api/json";
import { messageOf } from "./api/problem";
import { queryClient } from "./query";
import { createRpc } from "./rpc";

/** Triggers the timeout; the real signal uses the browser's timer. */
let giveUp: () => void;
let asked: number;
/** The timeouts of the requests, in milliseconds. */
let limits: number[];

beforeEach(() => {
  asked = 0;
  limits = [];
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    limits.push(ms);
    const controller = new AbortController();
    giveUp = () => controller.abort(new DOMException("The operation timed out.", "TimeoutError"));
    return controller.signal;
  });
  server.use(
    http.all("*/api/*", () => {
      asked++;
      setTimeout(() => giveUp());
      return new Promise<never>(() => {});
    }),
  );
});
afterEach(() => vi.restoreAllMocks());

const slow = "The server takes too long to answer. Try again in a moment.";
const message = (call: Promise<unknown>) => call.then(() => "answered", messageOf);

describe("a server that never answers", () => {
  it("is given up on, whichever way it was asked, and the player is told so", async () => {
    expect(await message(unwrap(api.GET("/api/config")))).toBe(slow);
    expect(await message(json("http://localhost:3000/api/config"))).toBe(slow);
    expect(await message(createRpc({ url: "http://localhost:3000/api/rpc" }).request({ method: "eth_chainId" }))).toBe(slow);
    expect(limits).toEqual([15_000, 15_000, 60_000]);
  });

  it("is not asked three times over: the player has waited long enough", async () => {
    const call = queryClient.fetchQuery({
      queryKey: ["slow"],
      queryFn: () => unwrap(api.GET("/api/config")),
      retry: queryClient.getDefaultOptions().queries?.retry ?? false,
    });
    expect(await message(call)).toBe(slow);
    expect(asked).toBe(1);
  });
});
