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

  // Spec: WALLET-17
  it("is given a minute for what concerns a wallet, and 15 s for anything else", async () => {
    const signer = { Authorization: "Bearer x" };
    const calls = [
      () => api.GET("/api/smartWallet/embedded-token", { headers: signer }),
      () => api.POST("/api/smartWallet/has-smart-wallet", { body: { playfabid: "A" } }),
      () => api.POST("/api/smartWallet/create-smart-wallet", { body: { playfabid: "A", embeddedWallet: "0x1", smartWallet: "0x2" } }),
      () => api.POST("/api/wallet/connect", { headers: signer }),
      () => api.POST("/api/wallet/sign-message", { headers: signer, body: { message: "Hello" } }),
      () => api.POST("/api/auth/wallet/challenge", { body: { address: "0x1", chainId: 1 } }),
      () => api.DELETE("/api/auth/wallet"),
      () => api.GET("/api/proxy/chains/{chainId}", { params: { path: { chainId: 1 } } }),
      () => api.GET("/api/auth/currencies"),
    ];
    for (const call of calls) expect(await message(unwrap<unknown>(call()))).toBe(slow);
    expect(limits).toEqual([...Array(8).fill(60_000), 15_000]);
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
