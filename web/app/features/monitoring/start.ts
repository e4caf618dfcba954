import type { ClientConfig } from "~/features/config/schema";
import { report } from "~/lib/report";

/** How long a page that nobody touches is left to itself, in milliseconds. */
const settleTime = 8_000;
/** How long to wait for a quiet moment in browsers that do not tell of one, in milliseconds. */
const quietAfter = 2_000;

const touches = ["pointerdown", "keydown", "scroll"] as const;

/**
 * Runs something once, in a quiet moment after the page is complete: when somebody has begun to use it, or after a while.
 * To start the monitoring takes a phone a quarter of a second, which must not fall into the page's own beginning.
 */
function whenQuiet(run: () => void): void {
  let timer: ReturnType<typeof setTimeout>;
  const settled = () => {
    clearTimeout(timer);
    for (const touch of touches) removeEventListener(touch, settled);
    // Safari has no idle callbacks.
    if ("requestIdleCallback" in window) requestIdleCallback(run);
    else setTimeout(run, quietAfter);
  };
  const complete = () => {
    timer = setTimeout(settled, settleTime);
    for (const touch of touches) addEventListener(touch, settled, { passive: true });
  };
  if (document.readyState === "complete") complete();
  else addEventListener("load", complete, { once: true });
}

/** Starts the monitoring in a quiet moment, where anybody looks at its reports. Its code is loaded then and not before. */
export function startMonitoring(config: ClientConfig): void {
  if (!config.monitoring.active) return;
  whenQuiet(() => {
    import("./rum").then(({ start }) => start(config)).catch((error: unknown) => report("monitoring: not started", error));
  });
}
