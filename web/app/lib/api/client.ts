import createClient, { type Middleware } from "openapi-fetch";
import { learnServerTime } from "~/lib/clock";
import { heedCountry } from "~/lib/country";
import { keepForTab, keys, read } from "~/lib/storage";
import { withTimeout } from "~/lib/timeout";
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
    for (const [name, value] of Object.entries(callerHeaders())) request.headers.set(name, value);
  },
  onResponse({ request, response }) {
    const now = Date.now();
    learnServerTime(response.headers.get("date"), sentAt.get(request) ?? now, now);
    heedCountry(response.status);
    const token = read(keys.token);
    if (response.status === 401 && token && request.headers.get("Authorization") === token) context.onUnauthorized();
  },
};

/** The API, typed by its contract. `fetch` is looked up at each call, so that tests can answer for the server. */
export const api = createClient<paths>({
  baseUrl: globalThis.location?.origin ?? "",
  fetch: (request) => globalThis.fetch(request, { signal: withTimeout(request.signal) }),
});
api.use(headers);

/** The body of a successful answer; throws ApiError for any other answer, TypeError or a TimeoutError when none came. */
export async function unwrap<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await call;
  if (!response.ok) {
    const problem = toApiError(response, error);
    if (problem.status === 401 && problem.reason === "frozen") keepForTab(keys.frozen, problem.message); // who was signed in is led to the login
    throw problem;
  }
  return data as T;
}
