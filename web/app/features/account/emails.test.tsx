import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { session } from "~/features/session/store";
import { paths } from "~/lib/paths";
import { queryClient } from "~/lib/query";
import { keys } from "~/lib/storage";
import { expectFocus } from "../../../test/focus";
import { clientConfig, jwt, profile, signedIn } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { troubles } from "../../../test/trouble";
import { ConfirmEmail } from "./components/confirm-email";

const email = "ianthe@example.com";
const without = { ...profile().AccountInfo, PrivateInfo: { Email: "" } };

function open(onConfirmed?: () => void) {
  localStorage.setItem(keys.token, jwt({ exp: Date.now() / 1000 + 3600 }));
  const router = createMemoryRouter(
    [
      { path: paths.settings, element: <ConfirmEmail onConfirmed={onConfirmed} /> },
      { path: "*", element: <p>elsewhere</p> },
    ],
    { initialEntries: [paths.settings] },
  );
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return router;
}

const press = (name: string | RegExp) => userEvent.click(screen.getByRole("button", { name }));
const fill = async (label: string, text: string) => {
  await userEvent.clear(screen.getByLabelText(label));
  await userEvent.type(screen.getByLabelText(label), text);
};

/** Records the emails requested from the server. */
function mails() {
  const sent = vi.fn();
  server.use(
    http.post("*/api/auth/email/add", async ({ request }) => {
      sent(await request.json());
      return HttpResponse.json({ success: true });
    }),
  );
  return sent;
}

/** A server at which another address needs an approval, which a code or a password gives. Records what is requested. */
function approves(way: "code" | "password", right: string) {
  const sent = vi.fn();
  let approved = false;
  const details = {
    approvalId: "R1",
    kind: "email-change",
    way,
    ...(way === "code" && { sentTo: "i•••@example.com" }),
    expiresAt: "2026-03-01T12:15:00Z",
  };
  server.use(
    http.post("*/api/auth/email/add", async ({ request }) => {
      sent(await request.json());
      return approved ? HttpResponse.json({ success: true }) : problem(409, "Please confirm this.", { reason: "approval-needed", details });
    }),
    http.post("*/api/auth/approvals/R1/confirm", async ({ request }) => {
      approved = ((await request.json()) as Record<string, string>)[way] === right;
      return approved
        ? HttpResponse.json({ success: true })
        : problem(400, "Wrong.", { reason: "wrong", errors: [{ location: `body.${way}`, message: `This ${way} is wrong.` }] });
    }),
  );
  return sent;
}

/** A server that accepts one code, and then reports the address as confirmed in the profile. */
function takes(right: string, address = email) {
  let confirmed = false;
  server.use(
    http.post("*/api/auth/email/confirm", async ({ request }) => {
      const { code } = (await request.json()) as { code: string };
      confirmed ||= code === right;
      return code === right
        ? HttpResponse.json({ success: true })
        : problem(400, "Wrong.", { reason: "wrong", errors: [{ location: "body.code", message: "This code is wrong or too old." }] });
    }),
    http.get("*/api/auth/profile", () =>
      HttpResponse.json(
        profile({ emailConfirmed: confirmed, AccountInfo: { ...without, PrivateInfo: { Email: confirmed ? address : "" } } }),
      ),
    ),
  );
}

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  server.use(http.get("*/api/config", () => HttpResponse.json(clientConfig())));
});

describe("an email that is confirmed", () => {
  it("is said to be", () => {
    signedIn();
    open();
    expect(screen.getByText("ianthe@example.com is confirmed.")).toHaveRole("status");
    expect(screen.queryByLabelText("Confirmation code")).toBeNull();
  });

  // Spec: ACCOUNT-20
  it("is replaced by codes to both, and keeps what was typed", async () => {
    signedIn();
    const sent = approves("code", "12345678");
    open();
    await press("Use another");
    await expectFocus(screen.findByLabelText("E-mail"));
    expect(screen.getByLabelText("E-mail")).toHaveAccessibleDescription("You will sign in with it instead of ianthe@example.com.");
    await fill("E-mail", " kleio@example.com ");
    await press("Send me a code");
    await expectFocus(screen.findByLabelText("Code"));
    expect(screen.getByText("i•••@example.com")).toBeInTheDocument();
    expect(screen.getByLabelText("E-mail")).toHaveValue("kleio@example.com");
    await fill("Code", "87654321");
    await press("Confirm");
    await waitFor(() => expect(screen.getByLabelText("Code")).toHaveAccessibleDescription("This code is wrong."));
    await press("Cancel");
    expect(screen.queryByLabelText("Code")).toBeNull();
    expect(screen.getByLabelText("E-mail")).toHaveValue("kleio@example.com");
    await press("Send me a code");
    await fill("Code", "12345678");
    await press("Confirm");
    await expectFocus(screen.findByLabelText("Confirmation code"));
    expect(screen.getByText("kleio@example.com")).toBeInTheDocument();
    expect(sent).toHaveBeenLastCalledWith({ email: "kleio@example.com" });
    takes("11111111", "kleio@example.com");
    await fill("Confirmation code", "11111111");
    await press("Confirm");
    await expectFocus(screen.findByText("kleio@example.com is confirmed."));
    expect(screen.getByRole("button", { name: "Use another" })).toBeInTheDocument();
  });

  it("stays when the player thinks better of another one, or cannot approve it yet", async () => {
    signedIn();
    server.use(http.post("*/api/auth/email/add", () => problem(409, "Your account has no email for it yet.", { reason: "no-approval" })));
    open();
    await press("Use another");
    await fill("E-mail", "kleio@example.com");
    await press("Send me a code");
    expect(await screen.findByText("Your account has no email for it yet.")).toHaveRole("alert");
    expect(screen.getByLabelText("E-mail")).toHaveValue("kleio@example.com");
    await press("Keep ianthe@example.com");
    await expectFocus(screen.findByText("ianthe@example.com is confirmed."));
  });

  it("is changed in the game where the game keeps the accounts", async () => {
    server.use(http.get("*/api/config", () => HttpResponse.json(clientConfig({ passwordByMail: true }))));
    signedIn();
    open();
    await waitFor(() => expect(screen.queryByRole("button")).toBeNull());
  });

  it("need not be there where the game keeps the accounts", () => {
    signedIn({ AccountInfo: without });
    open();
    expect(screen.getByText("Your account in the game has no email address. You need not confirm one.")).toBeInTheDocument();
  });
});

describe("an email that is not confirmed", () => {
  // Spec: ACCOUNT-21
  it("is confirmed by the code of the mail, and whoever asked for it is told", async () => {
    signedIn({ emailConfirmed: false });
    takes("12345678");
    const told = vi.fn();
    open(told);
    expect(screen.getByText(email)).toBeInTheDocument();
    expect(screen.getByLabelText("Confirmation code")).toHaveAttribute("autocomplete", "one-time-code");
    expect(screen.getByLabelText("Confirmation code")).toHaveAttribute("inputmode", "numeric");
    await press("Confirm");
    expect(screen.getByLabelText("Confirmation code")).toHaveAccessibleDescription("Enter the code from our mail.");
    await fill("Confirmation code", "1234");
    await press("Confirm");
    expect(screen.getByLabelText("Confirmation code")).toHaveAccessibleDescription("The code has 8 digits.");
    await fill("Confirmation code", "87654321");
    await press("Confirm");
    await waitFor(() => expect(screen.getByLabelText("Confirmation code")).toHaveAccessibleDescription("This code is wrong or too old."));
    expect(screen.getByLabelText("Confirmation code")).toHaveFocus();
    expect(screen.getByLabelText("Confirmation code")).toHaveValue("87654321");
    expect(told).not.toHaveBeenCalled();
    await fill("Confirmation code", "1234 5678");
    await press("Confirm");
    const outcome = await screen.findByText("ianthe@example.com is confirmed.");
    expect(outcome).toHaveFocus();
    expect(told).toHaveBeenCalledOnce();
    expect(session.get().profile?.emailConfirmed).toBe(true);
  });

  // Spec: ACCOUNT-21
  it("is confirmed by keyboard alone", async () => {
    signedIn({ emailConfirmed: false });
    takes("12345678");
    open();
    await userEvent.tab();
    expect(screen.getByLabelText("Confirmation code")).toHaveFocus();
    await userEvent.keyboard("12345678{Enter}");
    await expectFocus(screen.findByText("ianthe@example.com is confirmed."));
  });

  it.each(troubles)("says what is the matter and keeps the code when the server %s", async (_, answer, text) => {
    signedIn({ emailConfirmed: false });
    server.use(http.post("*/api/auth/email/confirm", answer));
    open();
    await fill("Confirmation code", "12345678");
    await press("Confirm");
    expect(await screen.findByText(text)).toHaveRole("alert");
    expect(screen.getByLabelText("Confirmation code")).toHaveValue("12345678");
  });

  it("says where a development server shows its mail", async () => {
    server.use(http.get("*/api/config", () => HttpResponse.json(clientConfig({ mailbox: true }))));
    signedIn({ emailConfirmed: false });
    open();
    expect(await screen.findByRole("link", { name: "/dev/mail" })).toHaveAttribute("href", "/dev/mail");
  });

  describe("whose mail does not come", () => {
    beforeEach(() => vi.useFakeTimers({ shouldAdvanceTime: true }));
    afterEach(() => vi.useRealTimers());

    // Spec: ACCOUNT-20
    it("is mailed another code, once a minute at the most", async () => {
      signedIn({ emailConfirmed: false });
      const sent = mails();
      open();
      act(() => screen.getByRole("button", { name: "Send me a new code" }).click());
      expect(await screen.findByText("Another mail is on its way.")).toHaveRole("status");
      expect(sent).toHaveBeenCalledExactlyOnceWith({ email });
      const again = screen.getByRole("button", { name: /^Send it again in \d+ s$/ });
      expect(again).toHaveAttribute("aria-disabled", "true");
      again.click();
      expect(sent).toHaveBeenCalledOnce();
      await act(() => vi.advanceTimersByTimeAsync(61_000));
      act(() => screen.getByRole("button", { name: "Send it again" }).click());
      expect(await screen.findByRole("button", { name: /^Send it again in \d+ s$/ })).toBeInTheDocument();
      expect(sent).toHaveBeenCalledTimes(2);
    });
  });

  it("says that enough was mailed, and when there is more", async () => {
    signedIn({ emailConfirmed: false });
    server.use(
      http.post("*/api/auth/email/add", () => problem(429, "We have written to you several times already. Try again in an hour.")),
    );
    open();
    await press("Send me a new code");
    expect(await screen.findByText("We have written to you several times already. Try again in an hour.")).toHaveRole("alert");
    expect(screen.getByRole("button", { name: "Send me a new code" })).toBeEnabled();
  });

  it("is replaced by another one with the password, which says what is wrong at its field", async () => {
    signedIn({ emailConfirmed: false });
    const sent = approves("password", "right one");
    open();
    await press("Use another");
    expect(screen.getByLabelText("E-mail")).toHaveFocus();
    await press("Send me a code");
    expect(screen.getByLabelText("E-mail")).toHaveAccessibleDescription("Enter your e-mail address.");
    await fill("E-mail", " kleio@example.com ");
    await press("Send me a code");
    await expectFocus(screen.findByLabelText("Password"));
    await fill("Password", "wrong one");
    await press("Confirm");
    await waitFor(() => expect(screen.getByLabelText("Password")).toHaveAccessibleDescription("This password is wrong."));
    expect(screen.getByLabelText("E-mail")).toHaveValue("kleio@example.com");
    await fill("Password", "right one");
    await press("Confirm");
    expect(await screen.findByText("kleio@example.com")).toBeInTheDocument();
    expect(sent).toHaveBeenLastCalledWith({ email: "kleio@example.com" });
    await expectFocus(screen.findByLabelText("Confirmation code"));
    takes("12345678", "kleio@example.com");
    await fill("Confirmation code", "12345678");
    await press("Confirm");
    await expectFocus(screen.findByText("kleio@example.com is confirmed."));
  });

  it("stays when the player thinks better of another one", async () => {
    signedIn({ emailConfirmed: false });
    open();
    await press("Use another");
    await press("Back to the code");
    expect(screen.getByText(email)).toBeInTheDocument();
    expect(screen.getByLabelText("Confirmation code")).toHaveFocus();
  });
});

describe("an account without an email", () => {
  beforeEach(() => void signedIn({ emailConfirmed: false, AccountInfo: without }));

  // Spec: ACCOUNT-20
  it("is given one, without a password", async () => {
    const sent = mails();
    takes("12345678");
    open();
    expect(screen.queryByLabelText("Password")).toBeNull();
    expect(screen.queryByRole("button", { name: "Back to the code" })).toBeNull();
    await fill("E-mail", email);
    await press("Send me a code");
    await expectFocus(screen.findByLabelText("Confirmation code"));
    expect(sent).toHaveBeenCalledExactlyOnceWith({ email });
    await fill("Confirmation code", "12345678");
    await press("Confirm");
    await expectFocus(screen.findByText("ianthe@example.com is confirmed."));
  });

  it("is asked for the code after a reload too, and can go back to the code from another address", async () => {
    mails();
    open();
    await fill("E-mail", email);
    await press("Send me a code");
    await screen.findByLabelText("Confirmation code");
    cleanup();
    open();
    expect(screen.getByLabelText("Confirmation code")).toBeInTheDocument();
    await press("Use another");
    await press("Back to the code");
    await expectFocus(screen.findByLabelText("Confirmation code"));
  });

  it("asks for a new sign-in where the last one is too long ago, and leads back", async () => {
    server.use(
      http.post("*/api/auth/email/add", () => problem(403, "Please sign in once more.", { reason: "stale" })),
      http.get("*/api/auth/logout", () => HttpResponse.json({ success: true })),
    );
    const router = open();
    await fill("E-mail", email);
    await press("Send me a code");
    await press("Sign in again");
    await waitFor(() => expect(router.state.location.pathname + router.state.location.search).toBe(paths.login(paths.settings)));
    expect(session.get().isAuthenticated).toBe(false);
  });

  it.each(troubles)("keeps what was typed and says what is the matter when the server %s", async (_, answer, text) => {
    server.use(http.post("*/api/auth/email/add", answer));
    open();
    await fill("E-mail", email);
    await press("Send me a code");
    expect(await screen.findByText(text)).toHaveRole("alert");
    expect(screen.getByLabelText("E-mail")).toHaveValue(email);
  });
});
