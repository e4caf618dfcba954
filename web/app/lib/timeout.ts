/** How long an answer may take before it counts as none, in milliseconds. */
export const requestTimeout = 15_000;

/** A signal that ends a request when the answer takes too long, or when `signal` does. */
export function withTimeout(signal?: AbortSignal | null): AbortSignal {
  const limit = AbortSignal.timeout(requestTimeout);
  return signal ? AbortSignal.any([signal, limit]) : limit;
}

/** Whether a request was given up because its answer took too long. */
export function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === "TimeoutError";
}
