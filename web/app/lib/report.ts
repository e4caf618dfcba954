/** An error: what failed, and its cause. */
export interface Incident {
  what: string;
  error?: unknown;
  /** Its time, in milliseconds since 1970. */
  at: number;
}

/** How many incidents are queued until the monitoring is ready; later ones are dropped. */
export const waitingIncidents = 500;

/** The incidents that wait for the monitoring; whoever passes them on removes them. */
export const waiting: Incident[] = [];
let tell = (incident: Incident): void => {
  if (waiting.length < waitingIncidents) waiting.push(incident);
};
const tellOf = (what: string, error?: unknown) => tell({ what, error, at: Date.now() });

/**
 * Reports a handled error to the monitoring and the browser's console. Never pass secrets: tokens, passwords,
 * signatures.
 */
export function report(what: string, error?: unknown): void {
  console.warn(what, error instanceof Error ? error.message : (error ?? ""));
  tellOf(what, error);
}

/** Errors uncaught before the monitoring is ready; afterwards it catches them itself. */
const uncaught = (event: ErrorEvent) => tellOf("uncaught", event.error ?? event.message);
const unhandled = (event: PromiseRejectionEvent) => tellOf("unhandled rejection", event.reason);

/** Listens for uncaught errors until the monitoring does. */
export function watchErrors(): void {
  addEventListener("error", uncaught);
  addEventListener("unhandledrejection", unhandled);
}

/** Passes incidents to the monitoring: the queued ones, then each as it is reported. */
export function attach(monitoring: (incident: Incident) => void): void {
  removeEventListener("error", uncaught);
  removeEventListener("unhandledrejection", unhandled);
  tell = monitoring;
  for (const incident of waiting.splice(0)) monitoring(incident);
}
