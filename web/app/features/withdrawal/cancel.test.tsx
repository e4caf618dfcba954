import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, it, vi } from "vitest";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { troubles } from "../../../test/trouble";
import { CancelByLink } from "./components/cancel-link";

const path = "/portal/withdrawals/cancel";

function open(search = "?token=once") {
  const router = createMemoryRouter([{ path, element: <CancelByLink /> }], { initialEntries: [path + search] });
  render(<RouterProvider router={router} />);
  return router;
}

const press = () => userEvent.click(screen.getByRole("button", { name: "Cancel the withdrawal" }));

// Spec: PAGE-18
it("cancels on a press, not on opening; the token leaves the address at once, and history when it is used", async () => {
  const sent = vi.fn();
  server.use(
    http.post("*/api/withdrawals/cancel", async ({ request }) => {
      sent(await request.json());
      return HttpResponse.json({ success: true });
    }),
  );
  const router = open();
  await waitFor(() => expect(router.state.location).toMatchObject({ pathname: path, search: "", state: { token: "once" } }));
  expect(sent).not.toHaveBeenCalled();
  await press();
  expect((await screen.findByText("It is cancelled")).closest("[role=status]")).toHaveFocus();
  expect(screen.getByText("What was not sent before stays in the wallet.")).toBeInTheDocument();
  expect(sent).toHaveBeenCalledExactlyOnceWith({ token: "once" });
  await waitFor(() => expect(router.state.location.state).toBeNull());
  expect(screen.getByRole("link", { name: "Choose a new password" })).toHaveAttribute("href", "/forgot-password");
});

it.each([
  [404, "This link is not valid any more."],
  [409, "This withdrawal is on its way and cannot be stopped."],
])("says that it is too late (%i)", async (status, text) => {
  server.use(http.post("*/api/withdrawals/cancel", () => problem(status, text)));
  open();
  await press();
  expect(await screen.findByText(text)).toBeInTheDocument();
  expect(screen.getByText("It cannot be cancelled")).toBeInTheDocument();
  expect(screen.queryByRole("button")).not.toBeInTheDocument();
});

it("says that a link without a token is incomplete", async () => {
  open("");
  await press();
  expect(await screen.findByText(/The link is incomplete/)).toBeInTheDocument();
});

it.each(troubles.filter(([name]) => !name.startsWith("refuses")))("can be tried again when the server %s", async (_, answer, text) => {
  server.use(http.post("*/api/withdrawals/cancel", answer));
  open();
  await press();
  expect(await screen.findByText(text)).toHaveRole("alert");
  expect(screen.getByRole("button", { name: "Cancel the withdrawal" })).toBeEnabled();
});
