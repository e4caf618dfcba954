import { callerHeaders } from "./api/context";
import { toApiError } from "./api/problem";
import { heedCountry } from "./country";
import { LruMap } from "./lru";
import { walletTimeout, withTimeout } from "./timeout";

/** How many pending requests can be shared; those that were made longest ago are not, if there are more. */
const maxShared = 4096;

/** A JSON-RPC 2.0 request. */
export interface RpcRequest {
  method: string;
  params?: unknown;
}

/** The error of a JSON-RPC response, as the server sent it. */
export class RpcError extends Error {
  override name = "RpcError";
  constructor(
    message: string,
    readonly code: number,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** The response has an HTTP status other than 2xx. The cause is an ApiError with the server's message. */
export class RpcStatusError extends Error {
  override name = "RpcStatusError";
  constructor(status: number, cause: unknown) {
    super(`RPC request failed with status ${status}`, { cause });
  }
}

/** The server's answer has no response to a request. */
export class RpcNoResponse extends Error {
  override name = "RpcNoResponse";
  constructor() {
    super("No response");
  }
}

/** The response to a request is a subscription's. */
export class RpcSubscriptionError extends Error {
  override name = "RpcSubscriptionError";
  constructor() {
    super("Subscriptions are not supported");
  }
}

interface RpcOptions {
  /** The URL to which requests are posted. */
  url: string;
  /** Headers of each post, evaluated when it is sent. */
  headers?: () => Record<string, string>;
  /** The maximum number of requests per batch. A batch of one is sent as a single request. */
  maxBatchSize?: number;
  /** How long to wait for more requests of a batch, in milliseconds. */
  batchTimeoutMs?: number;
}

interface Pending {
  id: number;
  request: RpcRequest;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

interface Reply {
  id?: number;
  method?: string;
  result?: unknown;
  error?: { code?: number; message?: string; data?: unknown };
}

/**
 * Returns a JSON-RPC client. Concurrent requests are sent in one batch, and identical pending requests share one
 * response. It rejects with RpcStatusError, RpcNoResponse, RpcSubscriptionError, the RpcError of the response, a
 * SyntaxError for a body that is not JSON, or fetch's error if there is no response within 60 s.
 */
export function createRpc({ url, headers, maxBatchSize = 100, batchTimeoutMs = 0 }: RpcOptions) {
  const underWay = new LruMap<string, Promise<unknown>>(maxShared);
  let waiting: Pending[] = [];
  let nextId = 1;

  async function post(body: unknown): Promise<Reply[]> {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...callerHeaders(), ...headers?.() },
      body: JSON.stringify(body),
      signal: withTimeout(null, walletTimeout),
    });
    heedCountry(response.status);
    if (!response.ok) {
      throw new RpcStatusError(response.status, toApiError(response, await response.json().catch(() => null)));
    }
    const answer: unknown = JSON.parse(await response.text());
    return (Array.isArray(answer) ? answer : [answer]) as Reply[];
  }

  async function send(batch: Pending[]): Promise<void> {
    const bodies = batch.map(({ id, request }) => ({ jsonrpc: "2.0", id, ...request }));
    try {
      const replies = new Map((await post(bodies.length === 1 ? bodies[0] : bodies)).map((reply) => [reply.id, reply]));
      for (const { id, resolve, reject } of batch) {
        const reply = replies.get(id);
        if (!reply) reject(new RpcNoResponse());
        else if (reply.error) reject(new RpcError(reply.error.message ?? "The call failed", reply.error.code ?? 0, reply.error.data));
        else if (reply.method === "eth_subscription") reject(new RpcSubscriptionError());
        else resolve(reply.result);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  function flush(): void {
    const batch = waiting;
    waiting = [];
    for (let i = 0; i < batch.length; i += maxBatchSize) void send(batch.slice(i, i + maxBatchSize));
  }

  return {
    /** Makes one call and returns its result. */
    request<T = unknown>(request: RpcRequest): Promise<T> {
      const key = JSON.stringify([request.method, request.params]);
      const shared = underWay.get(key);
      if (shared) return shared as Promise<T>;
      const answer = new Promise<unknown>((resolve, reject) => {
        const first = waiting.push({ id: nextId++, request, resolve, reject }) === 1;
        if (first) setTimeout(flush, batchTimeoutMs);
      }).finally(() => {
        if (underWay.get(key) === answer) underWay.delete(key);
      });
      underWay.set(key, answer);
      return answer as Promise<T>;
    },
  };
}
