import { useEffect } from "react";
import { useLocation } from "react-router";
import { useNavigate, useSearchParams } from "./navigation";

/**
 * Returns the token of an emailed link that leads to this page; undefined for none. It is a credential: it leaves the address
 * at once, where it could be seen, copied or stored. The history entry keeps it for a reload.
 */
export function useLinkToken(): string | undefined {
  const [query] = useSearchParams();
  const { pathname, state } = useLocation();
  const navigate = useNavigate();
  const arrived = query.get("token");
  useEffect(() => {
    // By its path: to the router "." is the route, which for what a layout shows is the layout's.
    if (arrived !== null) void navigate(pathname, { replace: true, preventScrollReset: true, state: { token: arrived } });
  }, [arrived, pathname, navigate]);
  return tokenIn(state);
}

/** The token that a history entry keeps; undefined for none. */
export function tokenIn(state: unknown): string | undefined {
  const token = (state as { token?: unknown } | null)?.token;
  return typeof token === "string" && token ? token : undefined;
}
