import { type ReactNode, useState } from "react";

export interface FailedProps {
  children: ReactNode;
  /** Retries; the button is busy until the returned promise settles. */
  onRetry: () => unknown;
}

/** The handler of a retry button: `busy` while it runs. */
export function useRetry(onRetry: () => unknown) {
  const [busy, setBusy] = useState(false);
  const retry = async () => {
    setBusy(true);
    try {
      await onRetry();
    } finally {
      setBusy(false);
    }
  };
  return { busy, retry: () => void retry() };
}

/** A small part of a page that could not be loaded: a one-line message with a retry button. */
export function FailedLine({ children, onRetry }: FailedProps) {
  const { busy, retry } = useRetry(onRetry);
  return (
    <p role="alert" className="text-bone-muted">
      {children}{" "}
      <button
        type="button"
        aria-disabled={busy || undefined}
        onClick={busy ? undefined : retry}
        className="underline decoration-bronze underline-offset-4 hover:text-bone aria-disabled:cursor-progress aria-disabled:opacity-60"
      >
        {busy ? "Trying…" : "Try again"}
      </button>
    </p>
  );
}
