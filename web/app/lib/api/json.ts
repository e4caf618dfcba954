import { withPatience } from "~/lib/patience";
import { toApiError } from "./problem";

/**
 * Makes one call without the typed client: for pages that must stay light. Throws ApiError for a refusal, TypeError or a
 * TimeoutError when no answer came.
 */
export async function json<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(path, { ...init, signal: withPatience(init?.signal) });
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw toApiError(response.status, body);
  return body as T;
}
