import workerUrl from "virtual:monitoring-worker";
import { datadogRum, type RumBeforeSend, type RumInitConfiguration } from "@datadog/browser-rum";
import type { ClientConfig } from "~/features/config/schema";
import { attach, type Incident } from "~/lib/report";
import { nameVisit, pageVisit } from "~/lib/visit";

/**
 * The SDK asks for an application and a token. Where reports stay on our server nobody reads them, and where they are
 * passed on the server puts its own token in: the browser never has it.
 */
const noApplication = "00000000-0000-4000-8000-000000000000";
const noToken = "kept-by-our-own-server";

/** From how many bytes on a context is warned of: it travels with every event. */
export const contextLimit = 3 * 1024;

/** A text whose addresses have lost their query and fragment, where tokens and wallets stand. */
const bare = (text: string) => text.replace(/(\bhttps?:\/\/[^\s?#"'<>]*|^\/[^\s?#]*)[?#][^\s"'<>)]*/g, "$1");

function scrubAll(fields: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string") fields[name] = bare(value);
    else if (typeof value === "object" && value !== null) scrubAll(value as Record<string, unknown>);
  }
}

/** Takes what does not concern the monitoring out of an event: addresses stand in many of its fields. */
export const scrub: RumBeforeSend = (event) => {
  scrubAll(event as unknown as Record<string, unknown>);
  return true;
};

/**
 * How visits are monitored. What is not set is the SDK's own default and what the product asks for: 50 messages or 16 KiB a
 * report, 30 s between reports, 500 calls and errors kept until it has started, at most 220 KiB of anything serialised,
 * and a visit that ends after 15 minutes without activity.
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
    // Recordings show pages with every letter and picture masked: what is typed, names, balances.
    defaultPrivacyLevel: "mask",
    enablePrivacyForActionName: true,
    sessionPersistence: "local-storage",
    trackAnonymousUser: false,
    telemetrySampleRate: 0,
    beforeSend: scrub,
    ...(workerUrl && { workerUrl }),
  };
}

/** Says something of the visit that each of its events carries. */
export function setContext(name: string, value: string): void {
  const size = JSON.stringify({ ...datadogRum.getGlobalContext(), [name]: value }).length;
  if (size > contextLimit) console.warn(`monitoring: the context has ${size} bytes, more than ${contextLimit}`);
  datadogRum.setGlobalContextProperty(name, value);
}

function addIncident({ what, error, at }: Incident): void {
  const cause = error instanceof Error ? error : new Error(error === undefined ? what : `${what}: ${String(error)}`);
  datadogRum.addError(cause, { what, at });
}

/** Starts the monitoring: it names the visit from now on, and takes what is reported. */
export function start(config: ClientConfig): void {
  datadogRum.init(settings(config));
  // Calls made before this moment carried an id of the page's own.
  setContext("pageVisit", pageVisit);
  nameVisit(() => datadogRum.getInternalContext()?.session_id);
  attach(addIncident);
}
