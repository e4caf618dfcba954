import { describe, expect, it } from "vitest";
import { toApiError } from "./problem";

const answer = (status: number, headers: Record<string, string> = {}) => new Response(null, { status, headers });

describe("the message of a failed call", () => {
  it("names the request where the server has failed, so that the support finds it in the log", () => {
    const body = { message: "Something went wrong on our side." };
    expect(toApiError(answer(500, { "X-Request-Id": "ABC123" }), body).message).toBe("Something went wrong on our side. Reference: ABC123");
  });

  it("is the server's own where it has refused the call, and has no reference without one", () => {
    expect(toApiError(answer(409, { "X-Request-Id": "ABC123" }), { message: "Sold out." }).message).toBe("Sold out.");
    expect(toApiError(answer(500), null).message).toBe("The server could not do this. Try again in a moment.");
  });
});
