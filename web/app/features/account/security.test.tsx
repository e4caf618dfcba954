import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { afterEach, describe, expect, it } from "vitest";
import { queryClient } from "~/lib/query";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { Security } from "./components/security";
import { eventText } from "./security";

function open() {
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <Security />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

afterEach(() => {
  cleanup();
  queryClient.clear();
});

// Spec: PLAYER-9
describe("what concerned the security of an account", () => {
  it("is listed in words, page by page", async () => {
    const first = {
      id: "2",
      at: "2026-12-01T10:00:00Z",
      event: "operation.signed",
      by: "player",
      detail: "end listing 7",
      thisSession: true,
    };
    const second = { id: "1", at: "2026-11-30T10:00:00Z", event: "password.refused", by: "visitor", thisSession: false };
    server.use(
      http.get("*/api/auth/security-events", ({ request }) =>
        HttpResponse.json(new URL(request.url).searchParams.get("cursor") ? { items: [second] } : { items: [first], nextCursor: "next" }),
      ),
    );
    open();
    await screen.findByText("Your wallet signed");
    screen.getByText("end listing 7");
    screen.getByText("This session");
    await userEvent.click(screen.getByRole("button", { name: "Show more" }));
    await screen.findByText("Sign-in with a wrong password");
    expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
  });

  it("that does not load can be asked for again", async () => {
    server.use(
      http.get("*/api/auth/security-events", () => problem(403, "Not now."), { once: true }),
      http.get("*/api/auth/security-events", () => HttpResponse.json({ items: [] })),
    );
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
    await screen.findByText("Nothing yet.");
  });

  it("has a text for events that this version does not know", () => {
    expect(eventText({ event: "withdrawal.cancelled", by: "player" })).toBe("Withdrawal cancelled");
    expect(eventText({ event: "season.begun", by: "player" })).toBe("season begun");
  });
});
