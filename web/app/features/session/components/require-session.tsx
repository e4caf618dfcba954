import { type ReactNode, useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { paths } from "~/lib/paths";
import { keys, read, readFromTab } from "~/lib/storage";
import { useStore } from "~/lib/store";
import { session } from "../store";
import { SessionProblem } from "./session-problem";

/** The delay before a page that needs a player redirects to the login, in milliseconds. */
export const redirectDelay = 1_000;

export interface RequireSessionProps {
  loader: ReactNode;
  /** Wraps the message that the server cannot tell who is signed in. */
  frame?: (problem: ReactNode) => ReactNode;
  children: ReactNode;
}

const plain = (problem: ReactNode) => (
  <div className="mx-auto grid min-h-[70svh] max-w-2xl content-center px-4 py-16">
    <h1 className="sr-only">This page did not load</h1>
    {problem}
  </div>
);

/**
 * Shows content for signed-in players only: `loader` until the session is known, and a retry button while the server
 * is unavailable. Without a session it redirects to the login, or to the marketplace's timeout page if the player was
 * on the marketplace last.
 */
export function RequireSession({ loader, frame = plain, children }: RequireSessionProps) {
  const { isLoading, isAuthenticated, problem } = useStore(session, (s) => s);
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const away = !isLoading && !isAuthenticated && !problem;
  useEffect(() => {
    if (!away) return;
    // Evaluated only now, because the portal's layout clears the marketplace's flag.
    const lead = () => {
      const isTimeout = read(keys.marketplaceTheme) === "true" && !readFromTab(keys.frozen); // the login says why an account is frozen
      const from = pathname + search;
      return isTimeout ? navigate(paths.timeout, { replace: true, state: { from } }) : navigate(paths.login(from), { replace: true });
    };
    const timer = setTimeout(() => void lead(), redirectDelay);
    return () => clearTimeout(timer);
  }, [away, pathname, search, navigate]);
  if (isAuthenticated) return children;
  if (!problem) return loader;
  return <>{frame(<SessionProblem />)}</>;
}
