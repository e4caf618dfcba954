import { useCallback, useEffect, useState } from "react";

/** The state of one of the site's settings. */
interface Configured {
  /** False while unknown, and if the configuration does not load. */
  on: boolean;
  /** Whether loading the configuration failed. */
  failed: boolean;
  /** Asks again. */
  retry: () => Promise<void>;
}

/**
 * Whether a setting is enabled. For pages whose initial scripts do not include the configuration and need not wait
 * for it.
 */
export function useConfigured(what: "signInWithX" | "mailbox" | "passwordByMail"): Configured {
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
