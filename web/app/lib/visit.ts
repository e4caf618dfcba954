import { keys, read, write } from "./storage";

/** How long a visit lasts without activity, and at most (milliseconds): as long as the monitoring's session. */
const inactivity = 15 * 60_000;
const longest = 4 * 3_600_000;

/** A random UUID (RFC 9562, version 4). The browser's own `randomUUID` requires https. */
export function uuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const fixed = bytes.map((byte, i) => (i === 6 ? (byte & 0x0f) | 0x40 : i === 8 ? (byte & 0x3f) | 0x80 : byte));
  const hex = Array.from(fixed, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

let monitored: (() => string | undefined) | undefined;
let last = "";

/** The stored visit, unless it is over. */
function stored(now: number): URLSearchParams | undefined {
  const fields = new URLSearchParams(read(keys.visit) ?? "");
  const until = Math.min(Number(fields.get("expire")), Number(fields.get("created")) + longest);
  return fields.get("id") && now < until ? fields : undefined;
}

/**
 * The visit's id, which every call sends, so that reports of the browser and the server can be correlated. It is the
 * id of the monitoring's session: until the monitoring has started, the session is begun here, in the monitoring's own
 * form. A visit that is over keeps its name until the next one begins.
 */
export function visit(): string {
  if (monitored) {
    last = monitored() ?? last;
    return last;
  }
  const now = Date.now();
  const fields = stored(now) ?? new URLSearchParams({ id: uuid(), created: String(now) });
  fields.set("expire", String(now + inactivity));
  write(keys.visit, String(fields));
  last = fields.get("id") ?? last;
  return last;
}

/** Sets the source of the visit's id once the monitoring has started; it returns undefined while there is no visit. */
export function nameVisit(by: (() => string | undefined) | undefined): void {
  if (!last) visit();
  monitored = by;
}
