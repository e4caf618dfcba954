import { render, screen } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { session } from "~/features/session/store";
import { keys } from "~/lib/storage";
import { signedIn } from "../../../test/make";
import { HttpResponse, http, server } from "../../../test/server";
import { Realtime } from "./realtime";

let lose: () => void;
vi.mock("./connection", () => ({
  connect: (_wallet: () => string, lost: () => void) => {
    lose = lost;
    return { stop: () => {} };
  },
}));

beforeEach(() => {
  lose = () => expect.fail("not connected");
  server.use(http.get("*/api/auth/logout", () => HttpResponse.json({ success: true })));
  signedIn({});
});
afterEach(() => session.set(session.initial));

/** A page that visitors may see. */
function show() {
  const router = createMemoryRouter(
    [
      { path: "/webstore", element: <Realtime /> },
      { path: "*", element: <p>Another page</p> },
    ],
    { initialEntries: ["/webstore?tab=packs"] },
  );
  render(<RouterProvider router={router} />);
  return router;
}

it.each([
  ["the login", null, "/login?from=%2Fwebstore%3Ftab%3Dpacks"],
  ["the marketplace's timeout page, if the player was there last", "true", "/kod-marketplace/timeout"],
])("a connection that is lost for good leads from a page for everybody to %s", async (_, theme, to) => {
  if (theme) localStorage.setItem(keys.marketplaceTheme, theme);
  const router = show();
  await vi.waitFor(() => lose());
  await screen.findByText("Another page");
  expect(router.state.location.pathname + router.state.location.search).toBe(to);
  expect(session.get().isAuthenticated).toBe(false);
  localStorage.clear();
});
