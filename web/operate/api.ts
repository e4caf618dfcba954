import { ApiError, toApiError } from "~/lib/api/problem";
import { withTimeout } from "~/lib/timeout";

interface Options {
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  /** Sent as JSON. */
  body?: unknown;
  /** Whether nobody asked for it: it does not extend the session. */
  background?: boolean;
  signal?: AbortSignal;
}

/** What is called when the server says that nobody is signed in. */
export const hooks = { onUnauthorized: (): void => {} };

/**
 * Calls an operation of the console, such as "players/P1". The session is a cookie that scripts cannot read. Throws ApiError for
 * an error response or an invalid one, TypeError or a TimeoutError without a response.
 */
export async function call<T>(path: string, { method = "GET", body, background = false, signal }: Options = {}): Promise<T> {
  const response = await fetch(`/api/operate/${path}`, {
    method,
    credentials: "same-origin",
    headers: { ...(body !== undefined && { "Content-Type": "application/json" }), ...(background && { "X-Background": "1" }) },
    body: body === undefined ? null : JSON.stringify(body),
    signal: withTimeout(signal ?? null),
  });
  const answer = parsed(await response.text());
  if (response.status === 401) hooks.onUnauthorized();
  if (!response.ok) throw toApiError(response, answer);
  if (answer === undefined) throw toApiError(new Response(null, { status: 502 }), null);
  return answer as T;
}

/** Posts a body, or nothing. */
export const post = <T>(path: string, body?: unknown): Promise<T> => call<T>(path, { method: "POST", body });

/** A part of a path. */
export const part = (id: string | number): string => encodeURIComponent(id);

/** A path with a query, without empty values. */
export function withQuery(path: string, values: Record<string, string | undefined>): string {
  const query = new URLSearchParams(Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1])));
  return query.size ? `${path}?${query}` : path;
}

/** Whether a call was refused with this reason. */
export const isRefused = (error: unknown, reason: string): boolean => error instanceof ApiError && error.reason === reason;

/** The value of a JSON text; null for an empty one, undefined for any other text. */
function parsed(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
