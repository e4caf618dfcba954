import workerUrl from "virtual:monitoring-worker";
import { datadogRum, type RumBeforeSend, type RumInitConfiguration } from "@datadog/browser-rum";
import type { ClientConfig } from "~/features/config/schema";
import { attach, type Incident } from "~/lib/report";
import { nameVisit, visit } from "~/lib/visit";
import { scrubAll } from "./scrub";
import { noApplication } from "./short-visit";

/** The SDK requires a token. The server adds the real one where reports are forwarded: the browser never has it. */
const noToken = "kept-by-our-own-server";

/** The size of a context in bytes from which a warning is logged: it is sent with every event. */
export const contextLimit = 3 * 1024;

/** Removes sensitive data from an event: URLs occur in many of its fields. */
export const scrub: RumBeforeSend = (event) => {
  scrubAll(event as unknown as Record<string, unknown>);
  return true;
};

/**
 * The SDK's settings. What is not set is the SDK's default, which is also what the product requires: 50 messages or
 * 16 KiB per report, 30 s between reports, 500 calls and errors queued until it has started, at most 220 KiB of
 * anything serialised, and a session that ends after 15 minutes without activity.
 */
export function settings({ environment, monitoring }: ClientConfig): RumInitConfiguration {
  return {
    applicationId: monitoring.applicationId ?? noApplication,
    clientToken: noToken,
    proxy: "/api/monitoring",
    service: "portal",
    env: environment,
    sessionSampleRate: 100,
    sessionReplaySampleRate: 20,
    // Recordings mask all texts and images of a page: input, names, balances.
    defaultPrivacyLevel: "mask",
    enablePrivacyForActionName: true,
    sessionPersistence: "local-storage",
    trackAnonymousUser: false,
    telemetrySampleRate: 0,
    beforeSend: scrub,
    ...(workerUrl && { workerUrl }),
  };
}

/** Sets a property of the visit that is sent with each event. */
export function setContext(name: string, value: string): void {
  const size = JSON.stringify({ ...datadogRum.getGlobalContext(), [name]: value }).length;
  if (size > contextLimit) console.warn(`monitoring: the context has ${size} bytes, more than ${contextLimit}`);
  datadogRum.setGlobalContextProperty(name, value);
}

function addIncident({ what, error, at }: Incident): void {
  const cause = error instanceof Error ? error : new Error(error === undefined ? what : `${what}: ${String(error)}`);
  datadogRum.addError(cause, { what, at });
}

/** Starts the monitoring: it provides the visit's id from now on, and receives the reported incidents. */
export function start(config: ClientConfig): void {
  datadogRum.init(settings(config));
  setContext("visit", visit());
  nameVisit(() => datadogRum.getInternalContext()?.session_id);
  attach(addIncident);
}
