import type { ClientConfig } from "~/features/config/config";
import { report } from "~/lib/report";

/** How long to wait for a quiet moment in browsers that do not tell of one, in milliseconds. */
const quietAfter = 2_000;

/** Runs something when the page is complete and the browser has nothing better to do. */
function whenQuiet(run: () => void): void {
  // Safari has no idle callbacks.
  const wait = () => ("requestIdleCallback" in window ? requestIdleCallback(run) : setTimeout(run, quietAfter));
  if (document.readyState === "complete") wait();
  else addEventListener("load", wait, { once: true });
}

/** Starts the monitoring in a quiet moment, where anybody looks at its reports. Its code is loaded then and not before. */
export function startMonitoring(config: ClientConfig): void {
  if (!config.monitoring.active) return;
  whenQuiet(() => {
    import("./rum").then(({ start }) => start(config)).catch((error: unknown) => report("monitoring: not started", error));
  });
}
