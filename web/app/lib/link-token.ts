import { useEffect } from "react";
import { useLocation } from "react-router";
import { useNavigate, useSearchParams } from "./navigation";

/**
 * Returns the token of an emailed link that leads to this page; undefined for none. It is a credential: it leaves the address
 * at once, where it could be seen, copied or stored. The history entry keeps it for a reload.
 */
export function useLinkToken(): string | undefined {
  const [query] = useSearchParams();
  const { state } = useLocation();
  const navigate = useNavigate();
  const arrived = query.get("token");
  useEffect(() => {
    if (arrived !== null) void navigate(".", { replace: true, state: { token: arrived } });
  }, [arrived, navigate]);
  const token = (state as { token?: unknown } | null)?.token;
  return typeof token === "string" && token ? token : undefined;
}
