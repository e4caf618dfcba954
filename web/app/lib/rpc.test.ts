import { afterEach, describe, expect, it, vi } from "vitest";
import { HttpResponse, http, server } from "../../test/server";
import { createRpc, RpcError, RpcNoResponse, RpcStatusError, RpcSubscriptionError } from "./rpc";
import { keys } from "./storage";
import { nameVisit } from "./visit";

interface Sent {
  id: number;
  method: string;
  params?: unknown[];
}

const url = "http://localhost:3000/rpc";

/** Answers each request with its method's name, and records what was posted. */
function echo(): (Sent | Sent[])[] {
  const posts: (Sent | Sent[])[] = [];
  const answer = ({ id, method }: Sent) => ({ jsonrpc: "2.0", id, result: method });
  server.use(
    http.post(url, async ({ request }) => {
      const body = (await request.json()) as Sent | Sent[];
      posts.push(body);
      return HttpResponse.json(Array.isArray(body) ? body.map(answer) : answer(body));
    }),
  );
  return posts;
}

afterEach(() => vi.useRealTimers());

describe("createRpc", () => {
  // Spec: CHAIN-6
  it("sends what is asked at the same time in one batch", async () => {
    const posts = echo();
    const rpc = createRpc({ url });
    await expect(Promise.all([rpc.request({ method: "a" }), rpc.request({ method: "b" })])).resolves.toEqual(["a", "b"]);
    expect(posts).toHaveLength(1);
  });

  it("does not wait for more: a batch leaves after 0 ms", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const sent = vi.spyOn(globalThis, "fetch").mockResolvedValue(HttpResponse.json({ id: 1, result: "a" }));
    const answer = createRpc({ url }).request({ method: "a" });
    expect(sent).not.toHaveBeenCalled();
    vi.advanceTimersByTime(0);
    expect(sent).toHaveBeenCalledOnce();
    vi.useRealTimers();
    expect(await answer).toBe("a");
  });

  // Spec: CHAIN-6
  it("sends at most 100 together", async () => {
    const posts = echo();
    const rpc = createRpc({ url });
    await Promise.all(Array.from({ length: 101 }, (_, i) => rpc.request({ method: "m", params: [i] })));
    expect(posts.map((p) => (Array.isArray(p) ? p.length : "bare")).sort()).toEqual([100, "bare"]);
  });

  // Spec: CHAIN-6
  it("shares one answer between identical requests under way, and asks again afterwards", async () => {
    const posts = echo();
    const rpc = createRpc({ url });
    await Promise.all([
      rpc.request({ method: "a", params: [1] }),
      rpc.request({ method: "a", params: [1] }),
      rpc.request({ method: "a", params: [2] }),
    ]);
    expect((posts[0] as Sent[]).map((r) => r.params)).toEqual([[1], [2]]);
    await rpc.request({ method: "a", params: [1] });
    expect(posts).toHaveLength(2);
  });

  // Spec: CHAIN-5
  it("shares no more than the 4096 newest pending requests", async () => {
    let gate = () => {};
    const opened = new Promise<void>((open) => {
      gate = open;
    });
    let sent = 0;
    server.use(
      http.post(url, async ({ request }) => {
        const body = (await request.json()) as Sent | Sent[];
        const calls = Array.isArray(body) ? body : [body];
        sent += calls.length;
        await opened;
        return HttpResponse.json(calls.map(({ id }) => ({ jsonrpc: "2.0", id, result: id })));
      }),
    );
    const rpc = createRpc({ url });
    const ask = (i: number) => rpc.request({ method: "m", params: [i] });
    const asked = Array.from({ length: 4097 }, (_, i) => ask(i));
    const [newest, oldest] = [ask(4096), ask(0)];
    gate();
    expect(await newest).toBe(await asked[4096]);
    expect(await oldest).not.toBe(await asked[0]);
    await Promise.all(asked);
    expect(sent).toBe(4098);
  });

  // Spec: CHAIN-6
  it("sends a batch of one as a single request, whatever the batch size", async () => {
    const posts = echo();
    await createRpc({ url }).request({ method: "a" });
    const rpc = createRpc({ url, maxBatchSize: 1 });
    await Promise.all([rpc.request({ method: "b" }), rpc.request({ method: "c" })]);
    expect(posts).toMatchObject([{ method: "a" }, { method: "b" }, { method: "c" }]);
  });

  it("asks for its headers each time", async () => {
    const seen: (string | null)[] = [];
    server.use(
      http.post(url, async ({ request }) => {
        seen.push(request.headers.get("Authorization"));
        const { id } = (await request.json()) as Sent;
        return HttpResponse.json({ id, result: 1 });
      }),
    );
    let token = "first";
    const rpc = createRpc({ url, headers: () => ({ Authorization: token }) });
    await rpc.request({ method: "a" });
    token = "second";
    await rpc.request({ method: "a" });
    expect(seen).toEqual(["first", "second"]);
  });

  // Spec: SESSION-12
  it("names the player's wallet and the visit in each post", async () => {
    const seen: Headers[] = [];
    server.use(
      http.post(url, ({ request }) => {
        seen.push(request.headers);
        return HttpResponse.json([{ id: 1, result: 1 }]);
      }),
    );
    nameVisit(() => "the monitoring's");
    localStorage.setItem(keys.walletAddress, "0x1");
    await createRpc({ url }).request({ method: "a" });
    nameVisit(undefined);
    expect(seen.map((headers) => [headers.get("x-wallet-address"), headers.get("x-session-id")])).toEqual([["0x1", "the monitoring's"]]);
  });

  /** The error of a call that fails. */
  const failure = () =>
    createRpc({ url })
      .request({ method: "a" })
      .then(
        () => null,
        (error: unknown) => error,
      );

  // Spec: CHAIN-7
  it("says the status of a refused post", async () => {
    server.use(http.post(url, () => new HttpResponse("no", { status: 503 })));
    expect(await failure()).toBeInstanceOf(RpcStatusError);
    expect(await failure()).toMatchObject({
      name: "RpcStatusError",
      message: "RPC request failed with status 503",
      cause: { status: 503 },
    });
  });

  // Spec: CHAIN-7
  it("says when there is no answer for a request", async () => {
    server.use(http.post(url, () => HttpResponse.json([])));
    expect(await failure()).toEqual(new RpcNoResponse());
    expect(await failure()).toMatchObject({ name: "RpcNoResponse", message: "No response" });
  });

  // Spec: CHAIN-7
  it("rejects with the error entry of the reply", async () => {
    server.use(http.post(url, () => HttpResponse.json([{ id: 1, error: { code: -32601, message: "no such method", data: "x" } }])));
    const error = await failure();
    expect(error).toBeInstanceOf(RpcError);
    expect(error).toMatchObject({ name: "RpcError", message: "no such method", code: -32601, data: "x" });
  });

  // Spec: CHAIN-7
  it("refuses the reply of a subscription", async () => {
    server.use(http.post(url, () => HttpResponse.json([{ id: 1, method: "eth_subscription", result: "0x1" }])));
    const error = await failure();
    expect(error).toBeInstanceOf(RpcSubscriptionError);
    expect(error).toMatchObject({ name: "RpcSubscriptionError", message: "Subscriptions are not supported" });
  });

  // Spec: CHAIN-7
  it("throws on a body that is no JSON", async () => {
    server.use(http.post(url, () => new HttpResponse("<html>")));
    await expect(createRpc({ url }).request({ method: "a" })).rejects.toThrow(SyntaxError);
  });
});
