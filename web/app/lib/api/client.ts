import createClient, { type Middleware } from "openapi-fetch";
import { learnServerTime } from "~/lib/clock";
import { heedCountry } from "~/lib/country";
import { keys, read } from "~/lib/storage";
import { keepForTab } from "~/lib/tab-storage";
import { timeoutOf, withTimeout } from "~/lib/timeout";
import { callerHeaders, context } from "./context";
import { toApiError } from "./problem";
import type { paths } from "./schema.gen";

export { context };

const sentAt = new WeakMap<Request, number>();

const headers: Middleware = {
  onRequest({ request }) {
    sentAt.set(request, Date.now());
    const token = read(keys.token);
    if (token && !request.headers.has("Authorization")) request.headers.set("Authorization", token);
    for (const [name, value] of Object.entries(callerHeaders())) {
      if (!request.headers.has(name)) request.headers.set(name, value); // a logout has those of the session that ends
    }
  },
  onResponse({ request, response }) {
    const now = Date.now();
    learnServerTime(response.headers.get("date"), sentAt.get(request) ?? now, now);
    heedCountry(response.status);
    const token = read(keys.token);
    if (response.status === 401 && token && request.headers.get("Authorization") === token) context.onUnauthorized();
  },
};

/** The API client, typed by the contract. `fetch` is looked up on each call, so that tests can replace it. */
export const api = createClient<paths>({
  baseUrl: globalThis.location?.origin ?? "",
  fetch: (request) => globalThis.fetch(request, { signal: withTimeout(request.signal, timeoutOf(new URL(request.url).pathname)) }),
});
api.use(headers);

/**
 * Returns the body of a successful response; throws ApiError for any other response, TypeError or a TimeoutError
 * without one.
 */
export async function unwrap<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await call;
  if (!response.ok) {
    const problem = toApiError(response, error);
    if (problem.status === 401 && problem.reason === "frozen") keepForTab(keys.frozen, problem.message); // the player is sent to the login
    throw problem;
  }
  return data as T;
}
