/** Something that went wrong: what was tried, and what came of it. */
export interface Incident {
  what: string;
  error?: unknown;
  /** When, in milliseconds since 1970. */
  at: number;
}

/** How many incidents wait for the monitoring to be there; later ones are dropped. */
export const waitingIncidents = 500;

const waiting: Incident[] = [];
let tell = (incident: Incident): void => {
  if (waiting.length < waitingIncidents) waiting.push(incident);
};

/**
 * Tells the monitoring of something that went wrong and was dealt with; the browser's console has it too. Never pass
 * secrets: tokens, passwords, signatures.
 */
export function report(what: string, error?: unknown): void {
  console.warn(what, error instanceof Error ? error.message : (error ?? ""));
  tell({ what, error, at: Date.now() });
}

/** Errors that nobody caught before the monitoring was there; afterwards it catches them by itself. */
const uncaught = (event: ErrorEvent) => tell({ what: "uncaught", error: event.error ?? event.message, at: Date.now() });
const unhandled = (event: PromiseRejectionEvent) => tell({ what: "unhandled rejection", error: event.reason, at: Date.now() });

/** Looks out for errors that nobody catches, until the monitoring does. */
export function watchErrors(): void {
  addEventListener("error", uncaught);
  addEventListener("unhandledrejection", unhandled);
}

/** Hands incidents to the monitoring: those that wait, then each as it is reported. */
export function attach(monitoring: (incident: Incident) => void): void {
  removeEventListener("error", uncaught);
  removeEventListener("unhandledrejection", unhandled);
  tell = monitoring;
  for (const incident of waiting.splice(0)) monitoring(incident);
}
