import { useEffect } from "react";
import { useLocation } from "react-router";
import { useNavigate } from "~/lib/navigation";
import { paths, safeReturn } from "~/lib/paths";
import { useStore } from "~/lib/store";
import { flags, useFlag } from "./store";

const key = "maintenance_mode";

/** Redirects from pages of the marketplace to the maintenance page while the market is closed. */
export function useClosing(): void {
  const closed = useFlag(key);
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    if (closed) void navigate(paths.maintenance, { replace: true, state: { from: pathname + search } });
  }, [closed, pathname, search, navigate]);
}

/** Redirects from the maintenance page back to the previous one, once the market is known to be open. */
export function useReopening(): void {
  const closed = useFlag(key);
  const known = useStore(flags, (f) => f.isFetched);
  const from = (useLocation().state as { from?: string } | null)?.from ?? null;
  const navigate = useNavigate();
  const open = known && closed === false;
  useEffect(() => {
    if (open) void navigate(safeReturn(from, paths.market), { replace: true });
  }, [open, from, navigate]);
}
