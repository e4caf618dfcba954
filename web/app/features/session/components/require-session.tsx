import { type ReactNode, useEffect, useState } from "react";
import { useLocation } from "react-router";
import { useNavigate } from "~/lib/navigation";
import { paths } from "~/lib/paths";
import { keys, read } from "~/lib/storage";
import { useStore } from "~/lib/store";
import { readFromTab } from "~/lib/tab-storage";
import { session } from "../store";
import { SessionProblem } from "./session-problem";

/** The delay before a page that needs a player redirects to the login, in milliseconds. */
export const redirectDelay = 1_000;

export interface RequireSessionProps {
  loader: ReactNode;
  /** Wraps the message that the server cannot tell who is signed in. */
  frame?: (problem: ReactNode) => ReactNode;
  /** Shown to visitors instead of the redirect; null while it is unknown whether they may see the page. */
  visitors?: ReactNode;
  children: ReactNode;
}

const plain = (problem: ReactNode) => (
  <div className="mx-auto grid min-h-[70svh] max-w-2xl content-center px-4 py-16">
    <h1 className="sr-only">This page did not load</h1>
    {problem}
  </div>
);

/** Leads from a page to the login, or to the marketplace's timeout page if the player was on the marketplace last. */
export function leadAway(navigate: ReturnType<typeof useNavigate>, from: string): void {
  const isTimeout = read(keys.marketplaceTheme) === "true" && !readFromTab(keys.frozen); // the login says why an account is frozen
  void (isTimeout ? navigate(paths.timeout, { replace: true, state: { from } }) : navigate(paths.login(from), { replace: true }));
}

/**
 * Shows content for signed-in players only: `loader` until the session is known, and a retry button while the server
 * is unavailable. Without a session it redirects to the login, or to the marketplace's timeout page if the player was
 * on the marketplace last. A page may be open to visitors; a session that ends on it redirects all the same.
 */
export function RequireSession({ loader, frame = plain, visitors, children }: RequireSessionProps) {
  const { isLoading, isAuthenticated, problem } = useStore(session, (s) => s);
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const [hadSession, setHadSession] = useState(false);
  if (isAuthenticated && !hadSession) setHadSession(true);
  const isNobody = !isLoading && !isAuthenticated && !problem;
  // It may become known only later that visitors may not see the page: the delay counts from now.
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    if (!isNobody) return;
    const timer = setTimeout(() => setDue(true), redirectDelay);
    return () => {
      clearTimeout(timer);
      setDue(false);
    };
  }, [isNobody]);
  const leads = isNobody && isDue && (hadSession || visitors === undefined);
  useEffect(() => {
    // Only now, because the portal's layout clears the marketplace's flag.
    if (leads) leadAway(navigate, pathname + search);
  }, [leads, pathname, search, navigate]);
  if (isAuthenticated) return children;
  if (isNobody && !hadSession && visitors) return visitors;
  if (!problem) return loader;
  return <>{frame(<SessionProblem />)}</>;
}
