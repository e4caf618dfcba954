import { type ReactNode, useState } from "react";

export interface FailedProps {
  children: ReactNode;
  /** Tries again; until what it returns is done, the button shows that it works. */
  onRetry: () => unknown;
}

/** What a button that tries again does: `busy` while it works. */
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

/** Something that should be here could not be loaded: says so in one line, for a small part of a page, and offers to try again. */
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
