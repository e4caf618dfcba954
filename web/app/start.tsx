import type { ReactNode } from "react";
import { InvalidConfigPage } from "~/features/config/components/invalid-config";
import { InvalidConfig, loadConfig } from "~/features/config/load";
import type { ClientConfig } from "~/features/config/schema";
import { pollFlags } from "~/features/flags/poll";
import { version } from "~/lib/registry";
import { report } from "~/lib/report";

/** Starts the monitoring; its code is loaded after what pages need. */
async function monitor(config: ClientConfig): Promise<void> {
  try {
    (await import("~/features/monitoring/start")).startMonitoring(config);
  } catch (error) {
    report("monitoring: not loaded", error);
  }
}

/**
 * Starts what no page waits for: the line in the console, flags, the check of the configuration, the monitoring. With a
 * configuration that the site cannot work with, `replace` is given a page that says so, in place of all others. A server that
 * does not answer is no reason to show nothing: who needs the configuration asks again.
 */
export function start(replace: (page: ReactNode) => void): void {
  // biome-ignore lint/suspicious/noConsole: whoever reports a fault sees what runs
  console.info("Version", version);
  pollFlags();
  import("~/features/news/start").then(({ showBanners }) => showBanners()).catch((error: unknown) => report("news: not loaded", error));
  loadConfig().then(monitor, (error: unknown) => {
    if (error instanceof InvalidConfig) replace(<InvalidConfigPage faults={error.faults} />);
    report("config: not loaded", error);
  });
}
