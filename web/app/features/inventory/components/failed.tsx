import { FailedState } from "~/components/ui/states";
import { messageOf } from "~/lib/api/problem";

/** What the player has did not load; never taken for having nothing. */
export function DidNotLoad({ what, error, onRetry }: { what: string; error: unknown; onRetry: () => unknown }) {
  return (
    <FailedState title={`${what} did not load`} onRetry={onRetry}>
      {messageOf(error)}
    </FailedState>
  );
}
