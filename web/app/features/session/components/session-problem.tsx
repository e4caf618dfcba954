import { FailedState } from "~/components/ui/states";
import { useStore } from "~/lib/store";
import { retry } from "../session";
import { session } from "../store";

/** Replaces a player's page while the server cannot tell who is signed in. It disappears when the server can. */
export function SessionProblem() {
  const problem = useStore(session, (s) => s.problem);
  return (
    <FailedState title="This page did not load" onRetry={retry}>
      {problem} We keep trying. You need not sign in again.
    </FailedState>
  );
}
