/** The usual timeout of a request, in milliseconds. */
const requestTimeout = 15_000;

/** Returns a signal that aborts after the timeout in milliseconds, or when `signal` does. */
export function withTimeout(signal?: AbortSignal | null, timeout = requestTimeout): AbortSignal {
  const limit = AbortSignal.timeout(timeout);
  return signal ? AbortSignal.any([signal, limit]) : limit;
}

/** Whether a request was aborted by the timeout. */
export function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === "TimeoutError";
}
