import { toApiError } from "./problem";

/**
 * Makes one call without the typed client: for pages that must stay light. Throws ApiError for a refusal and TypeError
 * when no answer came.
 */
export async function json<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(path, init);
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw toApiError(response.status, body);
  return body as T;
}
