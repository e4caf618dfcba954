import type { ClientConfig } from "~/features/config/schema";
import { report } from "~/lib/report";

/** When the monitoring starts on a page without interaction, in milliseconds. */
const settleTime = 8_000;
/** The delay in browsers without idle callbacks or that are never idle, in milliseconds. */
const quietAfter = 2_000;

const touches = ["pointerdown", "keydown", "scroll"] as const;

/**
 * Runs something once when the browser is idle after the page has loaded: after the first interaction, or after a
 * while. Starting the monitoring takes a phone a quarter of a second, which must not delay the page itself.
 */
function whenQuiet(run: () => void): void {
  let timer: ReturnType<typeof setTimeout>;
  const settled = () => {
    clearTimeout(timer);
    for (const touch of touches) removeEventListener(touch, settled);
    // Safari has no idle callbacks.
    if ("requestIdleCallback" in window) requestIdleCallback(run, { timeout: quietAfter });
    else setTimeout(run, quietAfter);
  };
  const complete = () => {
    timer = setTimeout(settled, settleTime);
    for (const touch of touches) addEventListener(touch, settled, { passive: true });
  };
  if (document.readyState === "complete") complete();
  else addEventListener("load", complete, { once: true });
}

/**
 * Starts the monitoring when the browser is idle, if reports are used. Its code is loaded then and not before; a visit
 * that ends earlier is reported without it.
 */
export function startMonitoring(config: ClientConfig): void {
  if (!config.monitoring.active) return;
  let stop: (() => void) | undefined;
  let hasBegun = false;
  const failed = (error: unknown) => report("monitoring: not started", error);
  import("./short-visit").then(({ reportShortVisit }) => {
    if (!hasBegun) stop = reportShortVisit(config);
  }, failed);
  const begin = ({ start }: typeof import("./rum")) => {
    hasBegun = true;
    stop?.();
    start(config);
  };
  whenQuiet(() => {
    import("./rum").then(begin).catch(failed);
  });
}
