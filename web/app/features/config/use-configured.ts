import { useCallback, useEffect, useState } from "react";

/** What is known of a switch of this site's. */
interface Configured {
  /** False until it is known, and where the configuration does not load. */
  on: boolean;
  /** Whether the configuration did not load. */
  failed: boolean;
  /** Asks again. */
  retry: () => Promise<void>;
}

/**
 * Whether something is switched on at this site. For pages whose first scripts do not have the configuration and need not
 * wait for it.
 */
export function useConfigured(what: "signInWithX" | "mailbox"): Configured {
  const [on, setOn] = useState(false);
  const [failed, setFailed] = useState(false);
  const retry = useCallback(async () => {
    try {
      const { loadConfig } = await import("./load");
      setOn((await loadConfig())[what]);
      setFailed(false);
    } catch {
      setFailed(true);
    }
  }, [what]);
  useEffect(() => void retry(), [retry]);
  return { on, failed, retry };
}
