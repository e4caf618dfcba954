import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, it, vi } from "vitest";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { troubles } from "../../../test/trouble";
import { NotMeForm } from "./components/not-me";

const path = "/portal/not-me";

function open(search = "?token=mine") {
  const router = createMemoryRouter([{ path, element: <NotMeForm /> }], { initialEntries: [path + search] });
  render(<RouterProvider router={router} />);
  return router;
}

const button = () => screen.getByRole("button", { name: "This was not me: freeze the account" });
const frozen = { success: true, byOperator: false, emailRestored: false, message: "The account is frozen, and everybody is signed out." };

// Spec: PAGE-18
it("freezes on a press, not on opening; the token leaves the address at once", async () => {
  const sent = vi.fn();
  server.use(
    http.post("*/api/auth/not-me", async ({ request }) => {
      sent(await request.json());
      return HttpResponse.json(frozen);
    }),
  );
  const router = open();
  await waitFor(() => expect(router.state.location).toMatchObject({ pathname: path, search: "", state: { token: "mine" } }));
  expect(sent).not.toHaveBeenCalled();
  await userEvent.click(button());
  expect((await screen.findByText("The account is frozen")).closest("[role=status]")).toHaveFocus();
  expect(sent).toHaveBeenCalledExactlyOnceWith({ token: "mine" });
  expect(screen.getByRole("link", { name: "Choose a new password" })).toHaveAttribute("href", "/forgot-password");
  expect(screen.queryByText(/is the account's email again/)).not.toBeInTheDocument();
});

it("says that the old address is the account's again", async () => {
  server.use(http.post("*/api/auth/not-me", () => HttpResponse.json({ ...frozen, emailRestored: true })));
  open();
  await userEvent.click(button());
  expect(await screen.findByText(/is the account's email again/)).toBeInTheDocument();
});

it("leads to the support where the operator has frozen the account", async () => {
  server.use(
    http.post("*/api/auth/not-me", () => HttpResponse.json({ ...frozen, byOperator: true, message: "We have frozen the account before." })),
  );
  open();
  await userEvent.click(button());
  expect(await screen.findByText("We have frozen the account before.")).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "To the support" })).toBeInTheDocument();
  expect(screen.queryByRole("link", { name: "Choose a new password" })).not.toBeInTheDocument();
});

it("says what to do where the link has expired", async () => {
  server.use(http.post("*/api/auth/not-me", () => problem(404, "This link has expired.")));
  open();
  await userEvent.click(button());
  expect(await screen.findByText("This link has expired.")).toBeInTheDocument();
  expect(screen.getByRole("link", { name: "Choose a new password" })).toHaveAttribute("href", "/forgot-password");
});

it("says that a link without a token is incomplete", async () => {
  open("");
  await userEvent.click(button());
  expect(await screen.findByText(/The link is incomplete/)).toBeInTheDocument();
});

it.each(troubles.filter(([name]) => !name.startsWith("refuses")))("can be tried again when the server %s", async (_, answer, text) => {
  server.use(http.post("*/api/auth/not-me", answer));
  open();
  await userEvent.click(button());
  expect(await screen.findByText(text)).toHaveRole("alert");
  expect(button()).toBeEnabled();
});
