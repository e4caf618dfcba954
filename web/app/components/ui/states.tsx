import type { ReactNode } from "react";
import { messageOf } from "~/lib/api/problem";
import { Button } from "./button";
import { type FailedProps, useRetry } from "./failed-line";

export { Skeleton } from "./skeleton";

interface StateProps {
  title: string;
  children: ReactNode;
  action?: ReactNode;
}

/** An empty state that is not an error: a drawing, one sentence, one action. */
export function EmptyState({ title, children, action }: StateProps) {
  return (
    <div className="grid justify-items-center gap-4 px-6 py-14 text-center">
      <svg width="132" height="96" viewBox="0 0 132 96" fill="none" stroke="var(--color-bronze)" aria-hidden="true">
        <path d="M14 70 38 30l32 18 26-34 22 40" strokeWidth="1" strokeDasharray="2 4" />
        <path d="M8 86h116" strokeWidth="1" />
        <path d="M14 86v-4M34 86v-4M54 86v-4M74 86v-4M94 86v-4M114 86v-4" strokeWidth="1" />
        <g fill="var(--color-night)" strokeWidth="1.5">
          <circle cx="14" cy="70" r="3" />
          <circle cx="38" cy="30" r="4" />
          <circle cx="70" cy="48" r="3" />
          <circle cx="96" cy="14" r="5" />
          <circle cx="118" cy="54" r="3" />
        </g>
      </svg>
      <p className="display text-2xl">{title}</p>
      <p className="max-w-sm text-bone-muted">{children}</p>
      {action}
    </div>
  );
}

/** Something that could not be loaded: a message with a retry button. */
export function FailedState({ title = "This did not load", children, onRetry }: FailedProps & { title?: string }) {
  const { busy, retry } = useRetry(onRetry);
  return (
    <div role="alert" className="grid justify-items-start gap-3 border-l-2 border-bad bg-night-1 px-6 py-6">
      <p className="display text-2xl">{title}</p>
      <p className="max-w-lg text-bone-muted">{children}</p>
      <Button kind="quiet" size="small" busy={busy} onClick={retry}>
        Try again
      </Button>
    </div>
  );
}

/** The same for a query, with its error. It must not look like an empty result. */
export function DidNotLoad({ what, error, onRetry }: Omit<FailedProps, "children"> & { what: string; error: unknown }) {
  return (
    <FailedState title={`${what} did not load`} onRetry={onRetry}>
      {messageOf(error)}
    </FailedState>
  );
}
