import { useEffect, useState } from "react";

/**
 * Whether something is switched on at this site; false until it is known, and where the configuration does not load. For
 * pages whose first scripts do not have the configuration and need not wait for it.
 */
export function useConfigured(what: "signInWithX" | "mailbox"): boolean {
  const [on, setOn] = useState(false);
  useEffect(() => {
    import("./load").then(async ({ loadConfig }) => setOn((await loadConfig())[what])).catch(() => {});
  }, [what]);
  return on;
}
