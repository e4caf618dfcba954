import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense } from "react";
import { SessionProblem } from "~/features/session/components/session-problem";
import { session } from "~/features/session/store";
import { queryClient } from "~/lib/query";
import { useStore } from "~/lib/store";

/** Loaded for signed-in players only. */
const PlayerArea = lazy(() => import("../player-area").then((module) => ({ default: module.PlayerArea })));

/** A page of the webstore for visitors, and live for players. `loading` is shown until it is known who looks at it. */
export function ForEverybody({ loading, children }: { loading: ReactNode; children: ReactNode }) {
  const { isLoading, isAuthenticated, problem } = useStore(session, (s) => s);
  if (isAuthenticated) {
    return (
      <Suspense fallback={loading}>
        <PlayerArea loader={loading}>{children}</PlayerArea>
      </Suspense>
    );
  }
  if (problem) {
    return (
      <div className="mx-auto max-w-[100rem] px-4 pt-14 sm:px-8">
        <SessionProblem />
      </div>
    );
  }
  if (isLoading) return loading;
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}
