import type { ReactNode } from "react";
import { InvalidConfigPage } from "~/features/config/components/invalid-config";
import { InvalidConfig, loadConfig } from "~/features/config/load";
import { pollFlags } from "~/features/flags/poll";
import { startMonitoring } from "~/features/monitoring/start";
import { report } from "~/lib/report";

/**
 * Starts what no page waits for: flags, the check of the configuration, the monitoring. With a configuration that the site
 * cannot work with, `replace` is given a page that says so, in place of all others. A server that does not answer is no
 * reason to show nothing: who needs the configuration asks again.
 */
export function start(replace: (page: ReactNode) => void): void {
  pollFlags();
  loadConfig().then(startMonitoring, (error: unknown) => {
    if (error instanceof InvalidConfig) replace(<InvalidConfigPage faults={error.faults} />);
    report("config: not loaded", error);
  });
}
