import { learnServerTime } from "~/lib/clock";
import { heedCountry } from "~/lib/country";
import { withTimeout } from "~/lib/timeout";
import { callerHeaders } from "./context";
import { toApiError } from "./problem";

/**
 * Makes one call without the typed client, for pages that must stay light. Throws ApiError for an error response and
 * an invalid response, TypeError or a TimeoutError without a response.
 */
export async function json<T>(path: string, init?: RequestInit & { headers?: Record<string, string> }): Promise<T> {
  const headers = { ...callerHeaders(), ...init?.headers };
  const sent = Date.now();
  const response = await fetch(path, { ...init, headers, signal: withTimeout(init?.signal) });
  learnServerTime(response.headers.get("date"), sent, Date.now());
  heedCountry(response.status);
  const body = parsed(await response.text()); // the timeout may also end the reading
  const answer = response.ok && body === null ? new Response(null, { status: 502 }) : response;
  if (!answer.ok) throw toApiError(answer, body);
  return body as T;
}

/** The value of a JSON text; null for any other text, which comes from an intermediary. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
