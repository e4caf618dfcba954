import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";

/** The mock server of tests. A call that a test does not expect fails it. */
export const server = setupServer();

/** A problem response of the server (RFC 9457). */
export function problem(
  status: number,
  message: string,
  more: { reason?: string; errors?: { location: string; message: string }[]; details?: Record<string, string> } = {},
) {
  return HttpResponse.json(
    { type: "about:blank", title: "", status, detail: message, success: false, message, ...more },
    { status, headers: { "Content-Type": "application/problem+json" } },
  );
}

export { HttpResponse, http };
