import { plural } from "~/lib/format";
import { isTimeout } from "~/lib/timeout";

/** One broken rule of a refused request: its location ("body.email") and what is wrong, for the player. */
export interface FieldProblem {
  location?: string | undefined;
  message?: string | undefined;
}

/** A failed call: the server's problem details (RFC 9457), or no response at all. */
export class ApiError extends Error {
  override name = "ApiError";

  constructor(
    /** The message for the player. */
    message: string,
    /** The HTTP status; 0 without a response. */
    readonly status: number,
    readonly fields: FieldProblem[] = [],
    /** The machine-readable cause, such as "held", if the server gives one. */
    readonly reason?: string,
    /** Details of the reason, by name, if the server gives any. */
    readonly details: Record<string, string | undefined> = {},
  ) {
    super(message);
  }

  /** The message for one field of the request body. */
  field(name: string): string | undefined {
    return this.fields.find((f) => f.location === `body.${name}`)?.message;
  }
}

const offline = "The server does not answer. Check your connection and try again.";
const slow = "The server takes too long to answer. Try again in a moment.";
const unclear = "The server could not do this. Try again in a moment.";

/** The message for a response without one. `wait` is its Retry-After in seconds (RFC 9110, section 10.2.3), if any. */
function inWords(status: number, wait: number): string {
  if (status !== 429) return unclear;
  if (!(wait > 0)) return "That was a bit fast. Wait a moment and try again.";
  return `That was a bit fast. Try again in ${wait > 90 ? plural(Math.ceil(wait / 60), "minute") : plural(wait, "second")}.`;
}

/** Converts an error response to an ApiError, whatever its body. */
export function toApiError({ status, headers }: Response, body: unknown): ApiError {
  const { message, detail, errors, reason, details } = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  const said = [message, detail].find((t): t is string => typeof t === "string" && t !== "");
  const text = said ?? inWords(status, Number(headers.get("Retry-After")));
  // What failed on the server's side is in its log under this name.
  const id = status === 500 && headers.get("X-Request-Id");
  return new ApiError(
    id ? `${text} Reference: ${id}` : text,
    status,
    Array.isArray(errors) ? (errors as FieldProblem[]) : [],
    typeof reason === "string" ? reason : undefined,
    typeof details === "object" && details !== null ? (details as Record<string, string>) : {},
  );
}

/** The message for the player for a thrown value. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  if (isTimeout(error)) return slow;
  return error instanceof TypeError ? offline : unclear;
}
