/** A random UUID (RFC 9562, version 4). The browser's own `randomUUID` is there on https alone. */
function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const fixed = bytes.map((byte, i) => (i === 6 ? (byte & 0x0f) | 0x40 : i === 8 ? (byte & 0x3f) | 0x80 : byte));
  const hex = Array.from(fixed, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Names what this page does until the monitoring is there. */
export const pageVisit = uuid();

let named: () => string | undefined = () => undefined;

/** The visit as the monitoring names it. Every call carries it, so that what the browser and the server saw can be put together. */
export const visit = (): string => named() ?? pageVisit;

/** Lets the monitoring name the visit; it answers undefined while there is none, as after a long pause. */
export function nameVisit(by: () => string | undefined): void {
  named = by;
}
