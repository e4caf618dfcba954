import { act, render, screen } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import { useClosing, useReopening } from "./maintenance";
import { flags } from "./store";

function Market() {
  useClosing();
  return <p>the market</p>;
}

function Maintenance() {
  useReopening();
  return <p>closed for repairs</p>;
}

function open(path: string) {
  const router = createMemoryRouter(
    [
      { path: "/kod-marketplace", element: <Market /> },
      { path: "/kod-marketplace/marketplace/checkout", element: <Market /> },
      { path: "/kod-marketplace/maintenance", element: <Maintenance /> },
      { path: "/", element: <p>home</p> },
    ],
    { initialEntries: ["/", path] },
  );
  render(<RouterProvider router={router} />);
  return router;
}

const say = (enabled: boolean) => act(async () => flags.set({ flags: { maintenance_mode: { enabled } }, loading: false, isFetched: true }));

beforeEach(() => flags.set(flags.initial));

describe("maintenance_mode", () => {
  // Spec: PAGE-7, FLAG-4
  it("sends players on the marketplace to the maintenance page, and back to where they were when it ends", async () => {
    const router = open("/kod-marketplace/marketplace/checkout?order=1");
    expect(screen.getByText("the market")).toBeVisible();
    await say(true);
    expect(router.state.location.pathname).toBe("/kod-marketplace/maintenance");
    expect(screen.getByText("closed for repairs")).toBeVisible();
    await say(false);
    expect(router.state.location.pathname + router.state.location.search).toBe("/kod-marketplace/marketplace/checkout?order=1");
    await say(true);
    await act(async () => router.navigate(-1));
    expect(screen.getByText("home")).toBeVisible(); // the redirects left no history entries
  });

  it("leads from the maintenance page, opened by itself, to the market once it is known to be open", async () => {
    const router = open("/kod-marketplace/maintenance");
    await act(async () => flags.set({ loading: false })); // unknown
    expect(router.state.location.pathname).toBe("/kod-marketplace/maintenance");
    await say(false);
    expect(router.state.location.pathname).toBe("/kod-marketplace");
  });

  it("lets players in while it is off or not known", async () => {
    const router = open("/kod-marketplace");
    await say(false);
    expect(router.state.location.pathname).toBe("/kod-marketplace");
  });
});
