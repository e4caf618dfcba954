/** The usual timeout of a request, in milliseconds. */
const requestTimeout = 15_000;

/** The timeout of a wallet's request, in milliseconds: a chain may take longer to answer than the portal itself. */
export const walletTimeout = 60_000;

/** The paths of the wallet's requests: signer, pairs, proofs of external wallets, and what is passed on to a chain. */
const walletPaths = /^\/api\/(wallet|smartWallet|auth\/wallet|proxy\/(chains|rpc|bundler|paymaster))(\/|$)/;

/** The timeout of a request to one of the server's paths, in milliseconds. */
export const timeoutOf = (path: string) => (walletPaths.test(path) ? walletTimeout : requestTimeout);

/** Returns a signal that aborts after the timeout in milliseconds, or when `signal` does. */
export function withTimeout(signal?: AbortSignal | null, timeout = requestTimeout): AbortSignal {
  const limit = AbortSignal.timeout(timeout);
  return signal ? AbortSignal.any([signal, limit]) : limit;
}

/** Whether a request was aborted by the timeout. */
export function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === "TimeoutError";
}
