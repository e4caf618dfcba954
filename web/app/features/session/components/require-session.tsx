import { type ReactNode, useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { paths } from "~/lib/paths";
import { keys, read } from "~/lib/storage";
import { useStore } from "~/lib/store";
import { session } from "../store";

/** How long a page that needs a player waits before it leads to the login, in milliseconds. */
export const redirectDelay = 1_000;

/**
 * Shows what only a signed-in player may see, and `loader` until it is known who that is. Without one it leads to the
 * login; to the marketplace's timeout page when the player was on the marketplace last.
 */
export function RequireSession({ loader, children }: { loader: ReactNode; children: ReactNode }) {
  const { isLoading, isAuthenticated } = useStore(session, (s) => s);
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const away = !isLoading && !isAuthenticated;
  useEffect(() => {
    if (!away) return;
    const target = read(keys.marketplaceTheme) === "true" ? paths.timeout : paths.login(pathname + search);
    const timer = setTimeout(() => void navigate(target, { replace: true }), redirectDelay);
    return () => clearTimeout(timer);
  }, [away, pathname, search, navigate]);
  return isAuthenticated ? children : loader;
}
