import { heedCountry } from "~/lib/country";
import { withPatience } from "~/lib/patience";
import { callerHeaders } from "./context";
import { toApiError } from "./problem";

/**
 * Makes one call without the typed client: for pages that must stay light. Throws ApiError for a refusal, TypeError or a
 * TimeoutError when no answer came.
 */
export async function json<T>(path: string, init?: RequestInit & { headers?: Record<string, string> }): Promise<T> {
  const headers = { ...callerHeaders(), ...init?.headers };
  const response = await fetch(path, { ...init, headers, signal: withPatience(init?.signal) });
  heedCountry(response.status);
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw toApiError(response, body);
  return body as T;
}
