import { QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Toaster } from "~/components/ui/toasts";
import { LoginForm } from "~/features/session/components/auth-forms";
import { resendAfter } from "~/features/session/components/resend";
import { forgetEverything } from "~/features/session/session";
import { session } from "~/features/session/store";
import { context } from "~/lib/api/context";
import { paths } from "~/lib/paths";
import { queryClient } from "~/lib/query";
import { keys } from "~/lib/storage";
import { tabKeys } from "~/lib/tab-keys";
import { delayed } from "../../../test/delayed";
import { clientConfig, jwt, profile, signedIn } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { troubles } from "../../../test/trouble";
import { DeleteAccount } from "./components/delete-account";
import { NameForm, PasswordForm } from "./components/profile-forms";
import { ForgotPasswordForm, MailSent, NewPasswordForm } from "./components/recovery";
import { Sessions } from "./components/sessions";

const nobody = { isLoading: false, isAuthenticated: false, profile: null, problem: "" };

function open(path: string, pages: Record<string, React.ReactNode>, state?: unknown) {
  const routes = [...Object.entries(pages).map(([at, element]) => ({ path: at, element })), { path: "*", element: <p>elsewhere</p> }];
  const [pathname = "", search] = path.split("?");
  const router = createMemoryRouter(routes, { initialEntries: [{ pathname, search: search ? `?${search}` : "", state }] });
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

beforeEach(() => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  session.set(nobody);
});

describe("a forgotten password", () => {
  const pages = { [paths.forgotPassword]: <ForgotPasswordForm />, [paths.resetPassword]: <MailSent /> };

  // Spec: ACCOUNT-13, ACCOUNT-27
  it("is asked about by e-mail, which leads to the page that says what comes next", async () => {
    const sent = vi.fn();
    server.use(
      http.post("*/api/auth/forgot-password", async ({ request }) => {
        sent(await request.json());
        return HttpResponse.json({ success: true });
      }),
    );
    const router = open(paths.forgotPassword, pages);
    expect(screen.getByLabelText("E-mail")).toHaveAttribute("autocomplete", "username");
    await press("Send me a link");
    expect(screen.getByLabelText("E-mail")).toHaveAccessibleDescription("Enter your e-mail address.");
    await fill("E-mail", " ianthe@example.com ");
    await press("Send me a link");
    expect(await screen.findByText("ianthe@example.com")).toBeInTheDocument();
    expect(sent).toHaveBeenCalledExactlyOnceWith({ email: "ianthe@example.com" });
    expect(router.state.location).toMatchObject({ pathname: paths.resetPassword, search: "" });
  });

  it("leaves the player where they are when the answer comes later, and says that the link is on its way", async () => {
    const slow = delayed(() => HttpResponse.json({ success: true }));
    server.use(http.post("*/api/auth/forgot-password", slow.resolver));
    render(<Toaster />);
    const router = open(paths.forgotPassword, pages);
    await fill("E-mail", "ianthe@example.com");
    await press("Send me a link");
    await slow.arrived();
    await act(() => router.navigate("/kod-marketplace/checkout"));
    await act(async () => slow.letGo());
    expect(await screen.findByText("A link is on its way")).toBeInTheDocument();
    expect(router.state.location.pathname).toBe("/kod-marketplace/checkout");
  });

  it("is told where a development server shows its emails", async () => {
    server.use(
      http.post("*/api/auth/forgot-password", () => HttpResponse.json({ success: true })),
      http.get("*/api/config", () => HttpResponse.json(clientConfig({ mailbox: true }))),
    );
    open(paths.forgotPassword, pages);
    await fill("E-mail", "ianthe@example.com");
    await press("Send me a link");
    expect(await screen.findByRole("link", { name: "/dev/mail" })).toHaveAttribute("href", "/dev/mail");
  });

  // Spec: ACCOUNT-27
  it.each(troubles)("keeps what was typed and says what is the matter when the server %s", async (_, answer, text) => {
    server.use(http.post("*/api/auth/forgot-password", answer));
    open(paths.forgotPassword, pages);
    await fill("E-mail", "ianthe@example.com");
    await press("Send me a link");
    expect(await screen.findByText(text)).toHaveRole("alert");
    expect(screen.getByLabelText("E-mail")).toHaveValue("ianthe@example.com");
  });

  describe("whose mail does not come", () => {
    beforeEach(() => vi.useFakeTimers({ shouldAdvanceTime: true }));
    afterEach(() => vi.useRealTimers());

    // Spec: ACCOUNT-13
    it("can be asked about again after a minute", async () => {
      expect(resendAfter).toBe(60_000);
      const sent = vi.fn(() => HttpResponse.json({ success: true }));
      server.use(http.post("*/api/auth/forgot-password", sent));
      open(paths.resetPassword, pages, { email: "ianthe@example.com", at: Date.now() });
      const again = screen.getByRole("button", { name: /^Send it again in \d+ s$/ });
      expect(again).toHaveAttribute("aria-disabled", "true");
      again.click();
      expect(sent).not.toHaveBeenCalled();
      await act(() => vi.advanceTimersByTimeAsync(61_000));
      act(() => screen.getByRole("button", { name: "Send it again" }).click());
      expect(await screen.findByText("Another mail is on its way.")).toHaveRole("status");
      expect(sent).toHaveBeenCalledOnce();
      expect(await screen.findByRole("button", { name: /^Send it again in \d+ s$/ })).toBeInTheDocument();
    });
  });

  it("that nobody has asked about in this window is asked about first", () => {
    open(paths.resetPassword, pages);
    expect(screen.getByRole("link", { name: "Ask for a link" })).toHaveAttribute("href", paths.forgotPassword);
  });
});

describe("the link of the mail", () => {
  const pages = { [paths.newPassword]: <NewPasswordForm /> };
  const at = `${paths.newPassword}?token=once`;

  // Spec: PAGE-18, ACCOUNT-14
  it("sets the new password; its token leaves the address at once, and history when it is used", async () => {
    const sent = vi.fn();
    server.use(
      http.post("*/api/auth/reset-password", async ({ request }) => {
        sent(await request.json());
        return HttpResponse.json({ success: true });
      }),
    );
    const router = open(at, pages);
    await waitFor(() => expect(router.state.location.search).toBe(""));
    expect(screen.getByLabelText("New password")).toHaveAttribute("autocomplete", "new-password");
    await fill("New password", "three odd herons");
    await press("Set the password");
    expect(await screen.findByText("Your password is changed")).toBeInTheDocument();
    expect(sent).toHaveBeenCalledExactlyOnceWith({ token: "once", password: "three odd herons" });
    expect(router.state.location.state).toBeNull();
    expect(screen.getByRole("link", { name: "Sign in" })).toHaveAttribute("href", paths.login());
  });

  // Spec: ACCOUNT-14
  it("that is no longer good leads to another", async () => {
    server.use(
      http.post("*/api/auth/reset-password", () => problem(400, "This link has expired or was used before. Please ask for a new one.")),
    );
    open(at, pages);
    await fill("New password", "three odd herons");
    await press("Set the password");
    expect(await screen.findByText("This link no longer works")).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Ask for a new link" })).toHaveAttribute("href", paths.forgotPassword);
  });

  it("says at the field what is wrong with the password, and stays good", async () => {
    server.use(
      http.post("*/api/auth/reset-password", () =>
        problem(400, "Please check what you entered.", { errors: [{ location: "body.password", message: "Easy to guess." }] }),
      ),
    );
    open(at, pages);
    await fill("New password", "qwerty123");
    await press("Set the password");
    await waitFor(() => expect(screen.getByLabelText("New password")).toHaveAccessibleDescription("Easy to guess."));
    expect(screen.getByLabelText("New password")).toHaveFocus();
    expect(screen.getByLabelText("New password")).toHaveValue("qwerty123");
  });

  it("without which somebody comes is asked for", async () => {
    open(paths.newPassword, pages);
    await fill("New password", "three odd herons");
    await press("Set the password");
    expect(await screen.findByText("This link no longer works")).toBeInTheDocument();
  });
});

describe("the settings", () => {
  // Spec: ACCOUNT-15
  it("change the name, everywhere at once", async () => {
    signedIn();
    const named = { ...profile().AccountInfo, TitleInfo: { DisplayName: "Kleio" } };
    server.use(http.patch("*/api/auth/profile", () => HttpResponse.json(profile({ AccountInfo: named }))));
    open("/", { "/": <NameForm /> });
    expect(screen.getByLabelText("Name")).toHaveValue("Ianthe");
    await fill("Name", "Kleio");
    await press("Save the name");
    expect(await screen.findByText("You are Kleio now.")).toHaveRole("status");
    expect(session.get().profile?.AccountInfo.TitleInfo.DisplayName).toBe("Kleio");
  });

  it("do not bring a player back who has signed out meanwhile", async () => {
    signedIn();
    localStorage.setItem(keys.token, jwt({}));
    server.use(
      http.patch("*/api/auth/profile", async () => {
        forgetEverything();
        return HttpResponse.json(profile());
      }),
    );
    open("/", { "/": <NameForm /> });
    await fill("Name", "Kleio");
    await press("Save the name");
    await waitFor(() => expect(screen.getByRole("button", { name: "Save the name" })).toBeEnabled());
    expect(session.get()).toMatchObject({ isAuthenticated: false, profile: null });
  });

  it("say at its field that a name is taken, and keep what was typed", async () => {
    signedIn();
    server.use(
      http.patch("*/api/auth/profile", () =>
        problem(409, "Taken.", { errors: [{ location: "body.displayName", message: "Somebody has this name." }] }),
      ),
    );
    open("/", { "/": <NameForm /> });
    await fill("Name", "Zeus");
    await press("Save the name");
    await waitFor(() => expect(screen.getByLabelText("Name")).toHaveAccessibleDescription("Somebody has this name."));
    expect(screen.getByLabelText("Name")).toHaveValue("Zeus");
    expect(session.get().profile?.AccountInfo.TitleInfo.DisplayName).toBe("Ianthe");
  });

  // Spec: ACCOUNT-16
  it("change the password by the present one, and say what is wrong at its field", async () => {
    signedIn();
    server.use(
      http.post("*/api/auth/password", async ({ request }) => {
        const { current } = (await request.json()) as { current: string };
        return current === "right one"
          ? HttpResponse.json({ success: true, changed: true, message: "Your password is changed." })
          : problem(400, "Wrong.", { errors: [{ location: "body.current", message: "This is not your present password." }] });
      }),
    );
    queryClient.setQueryData(["config"], clientConfig());
    open("/", { "/": <PasswordForm email="ianthe@example.com" /> });
    expect(screen.getByLabelText("Present password")).toHaveAttribute("autocomplete", "current-password");
    expect(screen.getByLabelText("New password")).toHaveAttribute("autocomplete", "new-password");
    await fill("Present password", "wrong one");
    await fill("New password", "three odd herons");
    await press("Change the password");
    await waitFor(() =>
      expect(screen.getByLabelText("Present password")).toHaveAccessibleDescription("This is not your present password."),
    );
    expect(screen.getByLabelText("Present password")).toHaveFocus();
    expect(screen.getByLabelText("New password")).toHaveValue("three odd herons");
    await fill("Present password", "right one");
    await press("Change the password");
    expect(await screen.findByText("Your password is changed. Everywhere else you are signed out.")).toHaveRole("status");
    expect(screen.getByLabelText("New password")).toHaveValue("");
  });

  it("send a link where that is the only way to a new password, and ask for none", async () => {
    signedIn();
    queryClient.setQueryData(["config"], clientConfig({ passwordByMail: true }));
    const sent = vi.fn();
    server.use(
      http.post("*/api/auth/forgot-password", async ({ request }) => {
        sent(await request.json());
        return HttpResponse.json({ success: true });
      }),
    );
    open("/", { "/": <PasswordForm email="ianthe@example.com" /> });
    expect(screen.queryByLabelText(/password/i)).toBeNull();
    await press("Send me a link");
    expect(await screen.findByText("The link is on its way. Check your email.")).toHaveRole("status");
    expect(sent).toHaveBeenCalledExactlyOnceWith({ email: "ianthe@example.com" });
  });

  it("are there also while the site does not say which way is its own", async () => {
    signedIn();
    server.use(http.get("*/api/config", () => problem(400, "Away.")));
    open("/", { "/": <PasswordForm email="ianthe@example.com" /> });
    expect(await screen.findByLabelText("Present password")).toBeInTheDocument();
  });
});

describe("the sessions", () => {
  const here = {
    id: "a",
    browser: "Firefox on Linux",
    createdAt: "2026-11-20T10:00:00Z",
    lastUsedAt: "2026-11-20T11:00:00Z",
    expiresAt: "2026-11-21T10:00:00Z",
    current: true,
  };
  const there = { ...here, id: "b", browser: "", current: false };
  let items = [here, there];
  beforeEach(() => {
    items = [here, there];
    signedIn();
    server.use(http.get("*/api/auth/sessions", () => HttpResponse.json({ items })));
  });

  it("are listed with browser and times, and one by one signed out", async () => {
    server.use(
      http.delete("*/api/auth/sessions/b", () => {
        items = [here];
        return HttpResponse.json({ success: true });
      }),
    );
    open("/", { "/": <Sessions /> });
    expect(await screen.findByText("Firefox on Linux")).toHaveTextContent("This one");
    await press(/^Sign out A browser we do not know, since Nov/);
    const outcome = await screen.findByText("A browser we do not know is signed out.");
    expect(outcome).toHaveRole("status");
    expect(outcome).toHaveFocus();
    expect(screen.queryByRole("button", { name: "Sign out elsewhere" })).toBeNull();
  });

  // Spec: ACCOUNT-18
  it("elsewhere are signed out together", async () => {
    server.use(
      http.post("*/api/auth/sessions/end-others", () => {
        items = [here];
        return HttpResponse.json({ success: true, ended: 1 });
      }),
    );
    open("/", { "/": <Sessions /> });
    await screen.findByText("Firefox on Linux");
    await press("Sign out elsewhere");
    expect(await screen.findByText("You are signed out elsewhere: 1 session ended.")).toBeInTheDocument();
    expect(screen.queryByText("A browser we do not know")).toBeNull();
  });

  it("show an error if they do not load or do not end", async () => {
    server.use(http.get("*/api/auth/sessions", () => problem(400, "No."), { once: true }));
    open("/", { "/": <Sessions /> });
    expect(await screen.findByText("Your sessions did not load")).toBeInTheDocument();
    await press("Try again");
    await screen.findByText("Firefox on Linux");
    server.use(http.post("*/api/auth/sessions/end-others", () => problem(503, "Away.")));
    await press("Sign out elsewhere");
    expect(await screen.findByText("Away.")).toHaveRole("alert");
    expect(screen.getByText("A browser we do not know")).toBeInTheDocument();
  });
});

describe("leaving for good", () => {
  const page = { "/": <DeleteAccount /> };

  // Spec: SAFE-9
  it("needs somebody who is signed in, and knows the way back", () => {
    open("/", page);
    expect(screen.getByRole("link", { name: "Sign in to delete your account" })).toHaveAttribute("href", paths.login(paths.deleteAccount));
  });

  // Spec: UI-12, API-2
  it("says that it did not load while the server cannot tell who is there, and tries again", async () => {
    localStorage.setItem(keys.token, jwt({}));
    session.set({ ...nobody, problem: "We cannot reach our database just now." });
    open("/", page);
    expect(screen.getByRole("alert")).toHaveTextContent("We cannot reach our database just now.");
    expect(screen.queryByRole("link")).toBeNull();
    server.use(http.get("*/api/auth/profile", () => HttpResponse.json(profile())));
    await press("Try again");
    expect(await screen.findByLabelText("Password")).toBeInTheDocument();
  });

  // Spec: SAFE-9
  it("takes the password, says farewell and forgets everything", async () => {
    signedIn();
    localStorage.setItem(keys.token, jwt({}));
    localStorage.setItem(keys.marketplaceTheme, "true");
    server.use(
      http.post("*/api/auth/delete-account", async ({ request }) => {
        const { password } = (await request.json()) as { password: string };
        return password === "right one"
          ? HttpResponse.json({ success: true })
          : problem(400, "Wrong.", { errors: [{ location: "body.password", message: "This is not your password." }] });
      }),
    );
    const router = open("/", page);
    await fill("Password", "wrong one");
    await press("Delete my account for good");
    await waitFor(() => expect(screen.getByLabelText("Password")).toHaveAccessibleDescription("This is not your password."));
    expect(session.get().isAuthenticated).toBe(true);
    await fill("Password", "right one");
    await press("Delete my account for good");
    await waitFor(() => expect(session.get()).toMatchObject({ isAuthenticated: false, profile: null }));
    expect(router.state.location).toMatchObject({ pathname: paths.deleteAccount, state: { gone: true } });
    expect(localStorage).toHaveLength(0);
  });

  it("says farewell too where the session is refused before the answer arrives, and heeds the refusal if nothing is deleted", async () => {
    signedIn();
    localStorage.setItem(keys.token, jwt({}));
    const before = context.onUnauthorized;
    const refused = vi.fn();
    context.onUnauthorized = refused;
    let answer = () => problem(503, "Not just now.");
    server.use(
      http.post("*/api/auth/delete-account", () => {
        context.onUnauthorized();
        return answer();
      }),
    );
    const router = open("/", page);
    await fill("Password", "right one");
    await press("Delete my account for good");
    expect(await screen.findByText("Not just now.")).toBeInTheDocument();
    expect(refused).toHaveBeenCalledTimes(1);
    answer = () => HttpResponse.json({ success: true }) as never;
    await press("Delete my account for good");
    await waitFor(() => expect(session.get()).toMatchObject({ isAuthenticated: false, profile: null }));
    expect(router.state.location).toMatchObject({ pathname: paths.deleteAccount, state: { gone: true } });
    expect(refused).toHaveBeenCalledTimes(1);
    context.onUnauthorized = before;
  });

  // Spec: SAFE-9
  it("takes a mailed code instead", async () => {
    signedIn();
    const sent = vi.fn();
    server.use(
      http.post("*/api/auth/delete-account/code", () => HttpResponse.json({ success: true })),
      http.post("*/api/auth/delete-account", async ({ request }) => {
        sent(await request.json());
        return HttpResponse.json({ success: true });
      }),
    );
    open("/", page);
    await press("Use a code by mail");
    await press("Send me a code");
    const code = await screen.findByLabelText("Code");
    expect(code).toHaveFocus();
    expect(code).toHaveAttribute("autocomplete", "one-time-code");
    await press("Use my password");
    expect(screen.getByLabelText("Password")).toHaveFocus();
    await press("Use a code by mail");
    await screen.findByLabelText("Code");
    await press("Send another code");
    await press("Send me a code");
    await screen.findByLabelText("Code");
    await userEvent.type(screen.getByLabelText("Code"), "1234567{Enter}");
    expect(screen.getByLabelText("Code")).toHaveAccessibleDescription("The code has 8 digits.");
    await fill("Code", "1234 5678");
    await press("Delete my account for good");
    await waitFor(() => expect(sent).toHaveBeenCalledExactlyOnceWith({ code: "12345678" }));
  });

  it("asks for the mailed code after a reload too, until it is too old or another player's", async () => {
    signedIn();
    server.use(http.post("*/api/auth/delete-account/code", () => HttpResponse.json({ success: true })));
    open("/", page);
    await press("Use a code by mail");
    await press("Send me a code");
    await screen.findByLabelText("Code");
    cleanup();
    open("/", page);
    expect(screen.getByLabelText("Code")).toBeInTheDocument();
    cleanup();
    const kept = JSON.parse(sessionStorage.getItem(tabKeys.code) ?? "");
    sessionStorage.setItem(tabKeys.code, JSON.stringify({ ...kept, player: "SOMEBODYELSE" }));
    open("/", page);
    expect(screen.queryByLabelText("Code")).toBeNull();
    cleanup();
    sessionStorage.setItem(tabKeys.code, JSON.stringify({ ...kept, at: Date.now() - 15 * 60_000 }));
    open("/", page);
    expect(screen.queryByLabelText("Code")).toBeNull();
  });

  it("takes a new sign-in of a player whose address is too new to prove anything", async () => {
    signedIn();
    const sent = vi.fn();
    server.use(
      http.post("*/api/auth/delete-account/code", () =>
        problem(409, "Your account has no email that can be used for this yet.", { reason: "no-email" }),
      ),
      http.post("*/api/auth/delete-account", async ({ request }) => {
        sent(await request.json());
        return HttpResponse.json({ success: true });
      }),
    );
    open("/", page);
    await press("Use a code by mail");
    await press("Send me a code");
    expect(await screen.findByText(/^Your e-mail address is too new to prove that it is you\./)).toBeInTheDocument();
    await press("Delete my account for good");
    await waitFor(() => expect(sent).toHaveBeenCalledExactlyOnceWith({}));
  });

  // Spec: SAFE-10
  it("names what is left, and gives it up only where that is typed", async () => {
    signedIn();
    const sent = vi.fn();
    let deletesAt: string | undefined;
    server.use(
      http.get("*/api/auth/profile", () => HttpResponse.json(profile(deletesAt ? { deletesAt } : {}))),
      http.post("*/api/auth/delete-account", async ({ request }) => {
        const body = (await request.json()) as { giveUp?: string };
        sent(body);
        if (!body.giveUp)
          return problem(409, "There is still something.", {
            reason: "not-empty",
            details: { money: "480 USDC", items: "3", listings: "1" },
          });
        deletesAt = "2026-12-04T12:00:00Z";
        return HttpResponse.json({ success: true, message: "", deletesAt });
      }),
      http.post("*/api/auth/delete-account/cancel", () => {
        deletesAt = undefined;
        return HttpResponse.json({ success: true });
      }),
    );
    localStorage.setItem(keys.token, jwt({}));
    open("/", page);
    await fill("Password", "right one");
    await press("Delete my account for good");
    expect(await screen.findByText("480 USDC")).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Withdraw everything" })).toHaveAttribute("href", paths.money);
    expect(screen.getByRole("link", { name: "End your listings" })).toHaveAttribute("href", paths.listings);
    expect(screen.getByLabelText("Password")).toHaveValue("right one");
    await fill("To give it up, type: I give all this up", "i give up");
    await press("Delete my account for good");
    expect(screen.getByLabelText(/^To give it up/)).toHaveAccessibleDescription("Please type it exactly: I give all this up");
    await fill("To give it up, type: I give all this up", "I give all this up");
    await press("Delete my account for good");
    expect(await screen.findByText(/Your account will be deleted on Dec 4, 2026/)).toBeInTheDocument();
    expect(sent).toHaveBeenLastCalledWith({ password: "right one", giveUp: "I give all this up" });
    expect(session.get().isAuthenticated).toBe(true);
    await press("Keep my account");
    expect(await screen.findByLabelText("Password")).toBeInTheDocument();
  });

  it("waits for a payment that is under way", async () => {
    signedIn();
    server.use(http.post("*/api/auth/delete-account", () => problem(409, "A payment is under way.", { reason: "under-way" })));
    open("/", page);
    await fill("Password", "right one");
    await press("Delete my account for good");
    expect(await screen.findByText("A payment is under way.")).toHaveRole("alert");
    expect(session.get().isAuthenticated).toBe(true);
  });

  it("asks those without an e-mail to have just signed in", async () => {
    signedIn({ AccountInfo: { ...profile().AccountInfo, PrivateInfo: { Email: "" } } });
    server.use(http.post("*/api/auth/delete-account", () => problem(403, "Please sign in once more.", { reason: "stale" })));
    server.use(http.get("*/api/auth/logout", () => HttpResponse.json({ success: true })));
    const router = open("/", { ...page, "/login": <LoginForm /> });
    await press("Delete my account for good");
    expect(await screen.findByText(/Please sign in once more\./)).toHaveRole("alert");
    await press("Sign in again");
    expect(await screen.findByRole("button", { name: "Sign in" })).toBeInTheDocument();
    expect(router.state.location.pathname + router.state.location.search).toBe(paths.login(paths.deleteAccount));
  });
});
