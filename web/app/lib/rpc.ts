import { callerHeaders } from "./api/context";
import { toApiError } from "./api/problem";
import { heedCountry } from "./country";
import { withTimeout } from "./timeout";

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

interface RpcOptions {
  /** The URL to which requests are posted. */
  url: string;
  /** Headers of each post, evaluated when it is sent. */
  headers?: () => Record<string, string>;
  /** The maximum number of requests per batch; 1 disables batching. */
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
 * response. It rejects with "RPC request failed with status …", whose cause has the server's message, "No response",
 * the error of the response, or fetch's error if no response came.
 */
export function createRpc({ url, headers, maxBatchSize = 100, batchTimeoutMs = 0 }: RpcOptions) {
  const underWay = new Map<string, Promise<unknown>>();
  let waiting: Pending[] = [];
  let nextId = 1;

  async function post(body: unknown): Promise<Reply[]> {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...callerHeaders(), ...headers?.() },
      body: JSON.stringify(body),
      signal: withTimeout(),
    });
    heedCountry(response.status);
    if (!response.ok) {
      const cause = toApiError(response, await response.json().catch(() => null));
      throw new Error(`RPC request failed with status ${response.status}`, { cause });
    }
    const answer: unknown = JSON.parse(await response.text());
    return (Array.isArray(answer) ? answer : [answer]) as Reply[];
  }

  async function send(batch: Pending[]): Promise<void> {
    const bodies = batch.map(({ id, request }) => ({ jsonrpc: "2.0", id, ...request }));
    try {
      const replies = new Map((await post(maxBatchSize === 1 ? bodies[0] : bodies)).map((reply) => [reply.id, reply]));
      for (const { id, resolve, reject } of batch) {
        const reply = replies.get(id);
        if (!reply) reject(new Error("No response"));
        else if (reply.error) reject(new RpcError(reply.error.message ?? "The call failed", reply.error.code ?? 0, reply.error.data));
        else if (reply.method === "eth_subscription") reject(new Error("Subscriptions are not supported"));
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
      }).finally(() => underWay.delete(key));
      underWay.set(key, answer);
      return answer as Promise<T>;
    },
  };
}
