import { context } from "~/lib/api/context";

/** A trace ends after this time if the page does not show how the purchase ended. */
const longest = 60_000;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Makes all calls of this page part of one trace (W3C Trace Context), from a click to what it changed. */
export function beginTrace(): void {
  clearTimeout(timer);
  timer = setTimeout(endTrace, longest);
  context.headers = { traceparent: `00-${hex(16)}-${hex(8)}-01` };
}

/** Ends the trace: later calls are of none. */
export function endTrace(): void {
  clearTimeout(timer);
  context.headers = {};
}

function hex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
