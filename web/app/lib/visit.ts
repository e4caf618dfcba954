/** A random UUID (RFC 9562, version 4). The browser's own `randomUUID` requires https. */
function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const fixed = bytes.map((byte, i) => (i === 6 ? (byte & 0x0f) | 0x40 : i === 8 ? (byte & 0x3f) | 0x80 : byte));
  const hex = Array.from(fixed, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** The id of this page's visit until the monitoring is ready. */
export const pageVisit = uuid();

let named: () => string | undefined = () => undefined;

/**
 * The visit's id, the monitoring's if it is ready. Every call sends it, so that reports of the browser and the server
 * can be correlated.
 */
export const visit = (): string => named() ?? pageVisit;

/** Sets the source of the visit's id; it returns undefined while there is no visit, as after a long pause. */
export function nameVisit(by: () => string | undefined): void {
  named = by;
}
