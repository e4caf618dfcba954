import { act, cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { renderToString } from "react-dom/server";
import { createMemoryRouter, MemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { legal } from "#brand/legal";
import { flags } from "~/features/flags/store";
import { paths } from "~/lib/paths";
import { keys } from "~/lib/storage";
import { useStore } from "~/lib/store";
import { clientConfig, jwt, profile, signedIn } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { troubles } from "../../../test/trouble";
import { LoginForm, RegisterForm } from "./components/auth-forms";
import { RequireSession } from "./components/require-session";
import { session } from "./store";
import { useSignOut } from "./use-sign-out";

const nobody = { isLoading: false, isAuthenticated: false, profile: null, problem: "" };

function open(path: string, element: React.ReactNode) {
  const router = createMemoryRouter(
    [
      { path: path.split("?")[0] ?? path, element },
      { path: "*", element: <p>elsewhere</p> },
    ],
    { initialEntries: [path] },
  );
  render(<RouterProvider router={router} />);
  return () => router.state.location.pathname + router.state.location.search;
}

/** A page that learns with the flags that visitors may not see it. */
function ClosedOnceKnown() {
  return (
    <RequireSession loader="loading" visitors={useStore(flags, (f) => f.isFetched) ? undefined : null}>
      <p>secret</p>
    </RequireSession>
  );
}

beforeEach(() => session.set(nobody));

describe("a page that needs a player", () => {
  const page = (
    <RequireSession loader="loading">
      <p>secret</p>
    </RequireSession>
  );
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

  // Spec: PAGE-12, SESSION-7
  it("redirects unauthenticated users to login after 1 s, and the login knows the way back", async () => {
    const where = open("/portal/my-inventory?tab=arks", page);
    await pass(999);
    expect(where()).toBe("/portal/my-inventory?tab=arks");
    expect(screen.queryByText("secret")).toBeNull();
    await pass(1);
    expect(where()).toBe("/login?from=%2Fportal%2Fmy-inventory%3Ftab%3Darks");
  });

  // Spec: PAGE-6, SESSION-7, LIVE-4
  it("leads to the marketplace's timeout page when the marketplace was used last", async () => {
    localStorage.setItem(keys.marketplaceTheme, "true");
    const where = open("/kod-marketplace", page);
    await pass(1000);
    expect(where()).toBe("/kod-marketplace/timeout");
  });

  it("shows visitors what is meant for them, and players itself", async () => {
    const where = open(
      "/kod-marketplace",
      <RequireSession loader="loading" visitors={<p>for visitors</p>}>
        <p>secret</p>
      </RequireSession>,
    );
    await pass(5000);
    expect(where()).toBe("/kod-marketplace");
    expect(screen.getByText("for visitors")).toBeInTheDocument();
    act(() => void signedIn());
    expect(screen.getByText("secret")).toBeInTheDocument();
    act(() => session.set(nobody));
    expect(screen.queryByText("for visitors")).toBeNull();
    await pass(1000);
    expect(where()).toBe("/login?from=%2Fkod-marketplace");
  });

  it("redirects at once if it learns after 1 s that it is closed to visitors", async () => {
    flags.set(flags.initial);
    const where = open("/kod-marketplace", <ClosedOnceKnown />);
    await pass(1500);
    expect(where()).toBe("/kod-marketplace");
    expect(screen.getByText("loading")).toBeInTheDocument();
    act(() => flags.set({ isFetched: true }));
    expect(where()).toBe("/login?from=%2Fkod-marketplace");
  });

  // Spec: PAGE-11
  it("waits while it is not known who is there, then shows itself", async () => {
    session.set({ ...nobody, isLoading: true });
    const where = open("/portal/my-inventory", page);
    await pass(5000);
    expect(where()).toBe("/portal/my-inventory");
    expect(screen.getByText("loading")).toBeInTheDocument();
    act(() => void signedIn());
    expect(screen.getByText("secret")).toBeInTheDocument();
  });

  // Spec: SESSION-2
  it("stays while the server cannot tell who is there, says why, and tries again when asked", async () => {
    localStorage.setItem(keys.token, "a");
    session.set({ ...nobody, problem: "We cannot reach our database just now." });
    const where = open("/portal/my-inventory", page);
    await pass(5000);
    expect(where()).toBe("/portal/my-inventory");
    expect(screen.getByRole("alert")).toHaveTextContent("We cannot reach our database just now.");
    vi.useRealTimers();
    server.use(http.get("*/api/auth/profile", () => HttpResponse.json(profile())));
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("secret")).toBeInTheDocument();
  });

  // Spec: SESSION-7
  it("stays when the player signs in within the second", async () => {
    const where = open("/portal/my-inventory", page);
    await pass(500);
    act(() => void signedIn());
    await pass(5000);
    expect(where()).toBe("/portal/my-inventory");
  });
});

describe("a form that the page can't send yet", () => {
  it("can't be sent by the browser either, which would write the password into the address", () => {
    const html = renderToString(
      <MemoryRouter>
        <LoginForm />
      </MemoryRouter>,
    );
    const page = new DOMParser().parseFromString(html, "text/html");
    expect(page.querySelector("form")?.method).toBe("post");
    expect(page.querySelector<HTMLButtonElement>("button[type=submit]")?.disabled).toBe(true);
  });
});

describe("the login form", () => {
  const submit = () => userEvent.click(screen.getByRole("button", { name: "Sign in" }));

  // Spec: ACCOUNT-27
  it("says what is missing at each field, and puts the focus there", async () => {
    open("/login", <LoginForm />);
    await userEvent.type(screen.getByLabelText("E-mail"), "nobody");
    await submit();
    const email = screen.getByLabelText("E-mail");
    expect(email).toHaveAccessibleDescription("This does not look like an e-mail address.");
    expect(email).toBeInvalid();
    expect(email).toHaveFocus();
    expect(screen.getByLabelText("Password")).toHaveAccessibleDescription("Enter your password.");
  });

  // Spec: ACCOUNT-27
  it("shows the server's refusal", async () => {
    server.use(http.post("*/api/auth/login", () => problem(401, "Invalid email or password")));
    open("/login", <LoginForm />);
    await userEvent.type(screen.getByLabelText("E-mail"), "a@b.example");
    await userEvent.type(screen.getByLabelText("Password"), "wrong");
    await submit();
    expect(await screen.findByText("Invalid email or password")).toHaveAttribute("role", "alert");
  });

  // Spec: ACCOUNT-27
  it.each(troubles)("keeps what was typed and says what is the matter when the server %s", async (_, answer, text) => {
    server.use(http.post("*/api/auth/login", answer));
    open("/login", <LoginForm />);
    await userEvent.type(screen.getByLabelText("E-mail"), "a@b.example");
    await userEvent.type(screen.getByLabelText("Password"), "secret12");
    await submit();
    expect(await screen.findByText(text)).toHaveRole("alert");
    expect(screen.getByLabelText("E-mail")).toHaveValue("a@b.example");
    expect(screen.getByLabelText("Password")).toHaveValue("secret12");
    expect(session.get().isAuthenticated).toBe(false);
  });

  // Spec: ACCOUNT-5
  it("takes an answer without sense for no login", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    server.use(http.post("*/api/auth/login", () => new HttpResponse("<html>")));
    open("/login", <LoginForm />);
    await userEvent.type(screen.getByLabelText("E-mail"), "a@b.example");
    await userEvent.type(screen.getByLabelText("Password"), "secret12");
    await submit();
    expect(await screen.findByText("The server could not do this. Try again in a moment.")).toHaveRole("alert");
    expect(screen.getByLabelText("E-mail")).toHaveValue("a@b.example");
    expect(session.get().isAuthenticated).toBe(false);
    expect(localStorage.getItem(keys.token)).toBeNull();
  });

  it("says so when the server has taken the password but cannot tell whose it is, and goes on when it can", async () => {
    server.use(
      http.post("*/api/auth/login", () => HttpResponse.json({ success: true, token: jwt({ exp: Date.now() / 1000 + 3600 }) })),
      http.get("*/api/auth/profile", () => problem(503, "We cannot reach our database just now.")),
    );
    const where = open("/login", <LoginForm />);
    await userEvent.type(screen.getByLabelText("E-mail"), "a@b.example");
    await userEvent.type(screen.getByLabelText("Password"), "secret12");
    await submit();
    expect(await screen.findByText("We cannot reach our database just now.")).toBeInTheDocument();
    expect(screen.getByLabelText("E-mail")).toHaveValue("a@b.example");
    server.use(http.get("*/api/auth/profile", () => HttpResponse.json(profile())));
    await submit();
    await screen.findByText("elsewhere");
    expect(where()).toBe("/kod-marketplace");
  });

  // Spec: PAGE-12, SESSION-13, ACCOUNT-5
  it("signs in and leads back, but never off the site", async () => {
    const token = jwt({ exp: Date.now() / 1000 + 3600 });
    server.use(
      http.post("*/api/auth/login", () => HttpResponse.json({ success: true, token, sessionAuthorization: "Bearer secret" })),
      http.get("*/api/auth/profile", ({ request }) =>
        request.headers.get("Authorization") === token ? HttpResponse.json(profile()) : problem(401, "no"),
      ),
    );
    const where = open("/login?from=%2F%2Fevil.example", <LoginForm />);
    await userEvent.type(screen.getByLabelText("E-mail"), "a@b.example");
    await userEvent.type(screen.getByLabelText("Password"), "secret12");
    await submit();
    await screen.findByText("elsewhere");
    expect(where()).toBe("/kod-marketplace");
    expect(localStorage.getItem(keys.token)).toBe(token);
    expect(localStorage.getItem(keys.sessionAuthorization)).toBe("Bearer secret");
  });
});

describe("an account that is frozen", () => {
  const why = "This account is frozen: a chargeback. Please write to our support.";
  const login = <LoginForm />;
  const frozen = (status: number) => () => problem(status, why, { reason: "frozen" });

  // Spec: SAFE-5
  it("is left at the first call that says so, for the login, which tells why, also where the marketplace was used last", async () => {
    server.use(http.get("*/api/auth/profile", frozen(401)));
    localStorage.setItem(keys.token, jwt({ exp: Date.now() / 1000 + 3600 }));
    localStorage.setItem(keys.marketplaceTheme, "true");
    signedIn();
    const { start } = await import("./session");
    const where = open("/kod-marketplace", <RequireSession loader="loading">secret</RequireSession>);
    await act(() => start(null));
    expect(session.get().isAuthenticated).toBe(false);
    expect(localStorage.getItem(keys.token)).toBeNull();
    await vi.waitFor(() => expect(where()).toBe("/login?from=%2Fkod-marketplace"), 3_000);
    cleanup();
    open("/login", login);
    expect(screen.getByText(why, { exact: false })).toHaveRole("alert");
    expect(screen.getByRole("link", { name: "To the support" })).toHaveAttribute("href", "/king-of-destiny/support");
  });

  it("is explained at the login to whoever knows the password", async () => {
    server.use(http.post("*/api/auth/login", frozen(403)));
    open("/login", login);
    expect(screen.queryByRole("alert")).toBeEmptyDOMElement();
    await userEvent.type(screen.getByLabelText("E-mail"), "a@b.example");
    await userEvent.type(screen.getByLabelText("Password"), "secret12");
    await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
    expect(await screen.findByText(why)).toHaveRole("alert");
    expect(session.get().isAuthenticated).toBe(false);
  });

  it("is told once, and its reason breaks wherever it must, however long", async () => {
    const long = `This account is frozen: ${"chargeback".repeat(20)}. Please write to our support.`;
    sessionStorage.setItem(keys.frozen, long);
    server.use(http.post("*/api/auth/login", () => problem(403, long, { reason: "frozen" })));
    open("/login", login);
    expect(screen.getByText(long, { exact: false })).toHaveClass("wrap-anywhere");
    await userEvent.type(screen.getByLabelText("E-mail"), "a@b.example");
    await userEvent.type(screen.getByLabelText("Password"), "secret12");
    await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
    expect(await screen.findByText(long)).toHaveClass("wrap-anywhere");
    expect(screen.getAllByText(long, { exact: false })).toHaveLength(1);
  });

  it("is no longer spoken of once somebody is signed in", async () => {
    sessionStorage.setItem(keys.frozen, why);
    const token = jwt({ exp: Date.now() / 1000 + 3600 });
    server.use(
      http.post("*/api/auth/login", () => HttpResponse.json({ success: true, token })),
      http.get("*/api/auth/profile", () => HttpResponse.json(profile())),
    );
    open("/login", login);
    expect(screen.getByText(why, { exact: false })).toBeInTheDocument();
    await userEvent.type(screen.getByLabelText("E-mail"), "a@b.example");
    await userEvent.type(screen.getByLabelText("Password"), "secret12");
    await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
    await screen.findByText("elsewhere");
    expect(sessionStorage.getItem(keys.frozen)).toBeNull();
  });
});

describe("a session that the server ended", () => {
  const ended = /You have been signed out: this session ended, or it was ended on another device\./;

  // Spec: SESSION-18
  it("is spoken of at the login and on the timeout page", async () => {
    const { default: Timeout } = await import("~/routes/marketplace/timeout");
    localStorage.setItem(keys.ended, "true");
    open("/login", <LoginForm />);
    expect(screen.getByText(ended)).toHaveRole("alert");
    cleanup();
    open("/kod-marketplace/timeout", <Timeout />);
    expect(screen.getByText(ended)).toBeInTheDocument();
    expect(screen.queryByText(/connection was lost/)).toBeNull();
  });

  it("is not blamed for what a lost connection did", async () => {
    const { default: Timeout } = await import("~/routes/marketplace/timeout");
    open("/kod-marketplace/timeout", <Timeout />);
    expect(screen.getByText(/You were away for a while, or the connection was lost for too long\./)).toBeInTheDocument();
    expect(screen.queryByText(ended)).toBeNull();
  });
});

describe("a session that was signed out in another tab", () => {
  const text = /You signed out in another tab of this browser\./;

  it("is mentioned at the login and on the timeout page, which does not call it an absence", async () => {
    const { default: Timeout } = await import("~/routes/marketplace/timeout");
    session.set({ ...nobody, signedOutElsewhere: true });
    open("/login", <LoginForm />);
    expect(screen.getByText(text)).toHaveRole("alert");
    cleanup();
    open("/kod-marketplace/timeout", <Timeout />);
    expect(screen.getByText(text)).toBeInTheDocument();
    expect(screen.queryByText(/You were away/)).toBeNull();
  });

  // Spec: PAGE-6
  it("leads back to where the player was, once signed in again in any tab", async () => {
    const { default: Timeout } = await import("~/routes/marketplace/timeout");
    localStorage.setItem(keys.marketplaceTheme, "true");
    const page = (
      <RequireSession loader="loading">
        <p>secret</p>
      </RequireSession>
    );
    const router = createMemoryRouter(
      [
        { path: "/kod-marketplace", element: page },
        { path: "/kod-marketplace/timeout", element: <Timeout /> },
      ],
      { initialEntries: ["/kod-marketplace?rarity=rare"] },
    );
    render(<RouterProvider router={router} />);
    expect(await screen.findByRole("link", { name: "Sign in again" })).toHaveAttribute(
      "href",
      "/login?from=%2Fkod-marketplace%3Frarity%3Drare",
    );
    act(() => void signedIn());
    expect(await screen.findByText("secret")).toBeInTheDocument();
    expect(router.state.location.pathname + router.state.location.search).toBe("/kod-marketplace?rarity=rare");
  });
});

describe("the portal's own login", () => {
  // Spec: PAGE-5
  it("is the same login under the portal's heading, with the way to a new password", async () => {
    server.use(http.get("*/api/config", () => HttpResponse.json(clientConfig())));
    const { default: PortalLogin } = await import("~/routes/auth/portal-login");
    open("/portal/login", <PortalLogin />);
    expect(screen.getByRole("heading", { level: 1, name: "Sign in to your portal" })).toBeInTheDocument();
    expect(await screen.findByLabelText("E-mail")).toHaveAttribute("autocomplete", "username webauthn");
    expect(screen.getByLabelText("Password")).toHaveAttribute("autocomplete", "current-password");
    expect(screen.getByRole("button", { name: "Sign in" })).toBeEnabled();
    expect(screen.getByRole("link", { name: "Forgot your password?" })).toHaveAttribute("href", "/forgot-password");
  });
});

function Leave() {
  const leave = useSignOut();
  return (
    <button type="button" onClick={leave}>
      Leave
    </button>
  );
}

describe("signing out", () => {
  // Spec: SESSION-6
  it("leads to the first page, and says there if the server could not be told: the browser has forgotten the player", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    server.use(http.get("*/api/auth/logout", () => HttpResponse.error()));
    localStorage.setItem(keys.token, "a");
    signedIn();
    const where = open("/portal/edit", <Leave />);
    await userEvent.click(screen.getByRole("button", { name: "Leave" }));
    expect(await screen.findByText("Failed to logout")).toBeInTheDocument();
    expect(where()).toBe("/");
    expect(session.get().isAuthenticated).toBe(false);
    expect(localStorage.getItem(keys.token)).toBeNull();
  });
});

describe("the registration form", () => {
  // Spec: ACCOUNT-28
  it("names the terms, the privacy policy and the age", () => {
    open("/register", <RegisterForm />);
    expect(screen.getByText(/By creating an account/)).toHaveTextContent(`at least ${legal.minimumAge} years old`);
    expect(screen.getByRole("link", { name: "terms of use" })).toHaveAttribute("href", paths.terms);
    expect(screen.getByRole("link", { name: "privacy policy" })).toHaveAttribute("href", paths.privacy);
  });

  const labels = ["Name", "E-mail", "Password"];
  const typed = ["Ianthe", "a@b.example", "secret12"];
  async function send() {
    open("/register", <RegisterForm />);
    for (const [i, label] of labels.entries()) await userEvent.type(screen.getByLabelText(label), typed[i] ?? "");
    await userEvent.click(screen.getByRole("button", { name: "Create account" }));
  }
  const values = () => labels.map((label) => screen.getByLabelText<HTMLInputElement>(label).value);

  // Spec: ACCOUNT-27
  it.each(troubles)("keeps what was typed and says what is the matter when the server %s", async (_, answer, text) => {
    server.use(http.post("*/api/auth/register", answer));
    await send();
    expect(await screen.findByText(text)).toHaveRole("alert");
    expect(values()).toEqual(typed);
    expect(session.get().isAuthenticated).toBe(false);
  });

  // Spec: ACCOUNT-27
  it("shows at each field what the server misses there", async () => {
    server.use(
      http.post("*/api/auth/register", () =>
        problem(400, "Please check what you entered.", {
          errors: ["displayName", "email", "password"].map((name) => ({ location: `body.${name}`, message: `The ${name} is missing.` })),
        }),
      ),
    );
    await send();
    await vi.waitFor(() => expect(screen.getByLabelText("Name")).toHaveAccessibleDescription("The displayName is missing."));
    expect(screen.getByLabelText("E-mail")).toHaveAccessibleDescription("The email is missing.");
    expect(screen.getByLabelText("Password")).toHaveAccessibleDescription("The password is missing.");
    expect(values()).toEqual(typed);
  });

  it("estimates how hard a new password is to guess, also for who knows the player", async () => {
    open("/register", <RegisterForm />);
    await userEvent.type(screen.getByLabelText("Name"), "Ianthe of Naxos");
    await userEvent.type(screen.getByLabelText("E-mail"), "a@b.example");
    const says = async (password: string, estimate: RegExp) => {
      await userEvent.clear(screen.getByLabelText("Password"));
      await userEvent.type(screen.getByLabelText("Password"), password);
      expect(await screen.findByText(estimate, undefined, { timeout: 20_000 })).toBeInTheDocument();
    };
    await says("password", /^Very easy to guess$/);
    await says("three odd herons", /^(Hard|Very hard) to guess$/);
    await says("ianthe of naxos", /^(Very easy|Easy) to guess$/);
    await userEvent.clear(screen.getByLabelText("Password"));
    await vi.waitFor(() => expect(screen.queryByText(/to guess$/)).toBeNull());
  }, 30_000);

  // Spec: ACCOUNT-27
  it("shows what the server found wrong at its field", async () => {
    server.use(
      http.post("*/api/auth/register", () =>
        problem(409, "Please check what you entered.", { errors: [{ location: "body.email", message: "This e-mail is taken." }] }),
      ),
    );
    open("/register", <RegisterForm />);
    await userEvent.type(screen.getByLabelText("Name"), "Ianthe");
    await userEvent.type(screen.getByLabelText("E-mail"), "a@b.example");
    await userEvent.type(screen.getByLabelText("Password"), "secret12");
    await userEvent.click(screen.getByRole("button", { name: "Create account" }));
    await vi.waitFor(() => expect(screen.getByLabelText("E-mail")).toHaveAccessibleDescription("This e-mail is taken."));
  });
});
