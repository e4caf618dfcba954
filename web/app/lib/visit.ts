/** Names what this page does until the monitoring is there; "" where the browser makes no ids (outside https). */
export const pageVisit = globalThis.crypto?.randomUUID?.() ?? "";

let named: () => string | undefined = () => undefined;

/** The visit as the monitoring names it. Every call carries it, so that what the browser and the server saw can be put together. */
export const visit = (): string => named() ?? pageVisit;

/** Lets the monitoring name the visit; it answers undefined while there is none, as after a long pause. */
export function nameVisit(by: () => string | undefined): void {
  named = by;
}
