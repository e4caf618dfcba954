import type { ClientConfig } from "~/features/config/schema";
import { type Incident, waiting } from "~/lib/report";
import { uuid, visit } from "~/lib/visit";
import { scrubAll } from "./scrub";

/** Stands for the application where none is configured: the SDK and the intake require one. */
export const noApplication = "00000000-0000-4000-8000-000000000000";

/** Where the SDK's proxy option posts events. The server adds the token. */
function address(): string {
  const query = {
    ddsource: "browser",
    "dd-evp-origin": "browser",
    "dd-request-id": uuid(),
    batch_time: String(Date.now()),
    "_dd.api": "beacon",
  };
  return `/api/monitoring?${new URLSearchParams({ ddforward: `/api/v2/rum?${new URLSearchParams(query)}` })}`;
}

function errorOf({ what, error, at }: Incident) {
  const { message, stack } =
    error instanceof Error ? error : { message: error === undefined ? what : `${what}: ${String(error)}`, stack: undefined };
  return { type: "error", date: at, error: { id: uuid(), message, stack, source: "custom", handling: "handled" }, context: { what } };
}

/**
 * Reports a visit that ends before the monitoring has started: its view, and the errors so far, when the page is
 * hidden, which is the last that a browser tells of it. The events are those of the SDK, which sends its own from its
 * start on. Returns a function that ends this.
 */
export function reportShortVisit({ environment, monitoring }: ClientConfig): () => void {
  const view = uuid();
  let version = 0;
  let isHidden = false;
  const hide = () => {
    if (isHidden) return;
    isHidden = true;
    const errors = waiting.splice(0).map(errorOf);
    const common = {
      application: { id: monitoring.applicationId ?? noApplication },
      service: "portal",
      ddtags: `env:${environment},service:portal`,
      source: "browser",
      session: { id: visit(), type: "user" },
      view: { id: view, url: location.href, referrer: document.referrer },
      _dd: { format_version: 2 },
    };
    const events = [
      {
        ...common,
        type: "view",
        date: Math.round(performance.timeOrigin),
        view: { ...common.view, is_active: false, time_spent: Math.round(performance.now() * 1e6), error: { count: errors.length } },
        _dd: { format_version: 2, document_version: ++version },
      },
      ...errors.map((error) => ({ ...common, ...error })),
    ];
    for (const event of events) scrubAll(event);
    navigator.sendBeacon(address(), events.map((event) => JSON.stringify(event)).join("\n"));
  };
  const follow = () => {
    if (document.visibilityState === "hidden") hide();
    else isHidden = false;
  };
  document.addEventListener("visibilitychange", follow);
  addEventListener("pagehide", hide);
  return () => {
    document.removeEventListener("visibilitychange", follow);
    removeEventListener("pagehide", hide);
  };
}
