import { HttpResponse, problem } from "./server";

/** Failing responses that change nothing, and a form's message for each. */
export const troubles: [string, () => Response, string][] = [
  ["does not answer", () => HttpResponse.error(), "The server does not answer. Check your connection and try again."],
  ["says what is the matter", () => problem(503, "We cannot do this just now."), "We cannot do this just now."],
  [
    "has enough of it for minutes",
    () => new HttpResponse("slow down", { status: 429, headers: { "Retry-After": "600" } }),
    "That was a bit fast. Try again in 10 minutes.",
  ],
  [
    "has enough of it for seconds",
    () => new HttpResponse("", { status: 429, headers: { "Retry-After": "7" } }),
    "That was a bit fast. Try again in 7 seconds.",
  ],
  ["is broken", () => new HttpResponse("", { status: 502 }), "The server could not do this. Try again in a moment."],
  ["refuses in no words", () => new HttpResponse("<html>", { status: 400 }), "The server could not do this. Try again in a moment."],
];
