import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { renderToString } from "react-dom/server";
import { createMemoryRouter, MemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { keys } from "~/lib/storage";
import { tabKeys } from "~/lib/tab-keys";
import Twitter from "~/routes/auth/twitter";
import { clientConfig, jwt, profile } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { LoginNotice } from "./components/login-notice";
import { SignInWithX } from "./components/sign-in-with-x";
import { session } from "./store";
// Modules that pages load lazily: preloaded, so that loading does not delay a test.
import "~/features/config/load";
import "./components/x-button";
import "./x";

const assign = vi.fn();
let sent: unknown;

beforeEach(() => {
  sent = undefined;
  assign.mockClear();
  sessionStorage.clear();
  session.set(session.initial);
  vi.stubGlobal("location", { ...location, assign, origin: location.origin });
  server.use(
    http.get("*/api/config", () => HttpResponse.json(clientConfig({ signInWithX: true }))),
    http.get("*/api/auth/profile", () => HttpResponse.json(profile())),
    http.get("*/api/auth/twitter/authorize", () => HttpResponse.json({ url: "https://x.example/authorize?state=s", binding: "mine" })),
    http.post("*/api/auth/twitter/callback", async ({ request }) => {
      sent = await request.json();
      return HttpResponse.json({ success: true, token: jwt({ exp: Date.now() / 1000 + 60 }), sessionAuthorization: "Bearer secret" });
    }),
  );
});
afterEach(() => vi.unstubAllGlobals());

function open(path: string) {
  const router = createMemoryRouter(
    [
      { path: "/login", element: <SignInWithX /> },
      { path: "/auth/callback/twitter", element: <Twitter /> },
      { path: "*", element: <p>elsewhere</p> },
    ],
    { initialEntries: [path] },
  );
  render(<RouterProvider router={router} />);
  return () => router.state.location.pathname + router.state.location.search;
}

const button = () => screen.findByRole("button", { name: "Continue with X" });

describe("the button for X", () => {
  // Spec: ACCOUNT-11
  it("is absent where the site has no app at X", async () => {
    server.use(http.get("*/api/config", () => HttpResponse.json(clientConfig())));
    const asked = vi.fn();
    server.events.on("response:mocked", asked);
    open("/login");
    await waitFor(() => expect(asked).toHaveBeenCalled());
    expect(screen.queryByRole("button")).toBeNull();
  });

  // Spec: ACCOUNT-11
  it("leads to X, and the tab remembers what proves that it left, and where to", async () => {
    open("/login?from=%2Fportal%2Fmy-inventory");
    await userEvent.click(await button());
    await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith("https://x.example/authorize?state=s"));
    expect(JSON.parse(sessionStorage.getItem(tabKeys.attempt) ?? "")).toEqual({ binding: "mine", from: "/portal/my-inventory" });
  });

  it("can be pressed again by a player who comes back to the page as it was left", async () => {
    open("/login");
    await userEvent.click(await button());
    await waitFor(() => expect(assign).toHaveBeenCalled());
    expect(screen.getByRole("button")).toHaveAttribute("aria-busy", "true");
    act(() => void dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
    expect(await button()).not.toHaveAttribute("aria-busy");
  });

  it("stays here, and says why, where the browser stores nothing", async () => {
    const set = vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("", "QuotaExceededError");
    });
    open("/login");
    await userEvent.click(await button());
    expect(
      await screen.findByText(/^Your browser does not let this site store anything, which a sign-in with X needs\./),
    ).toBeInTheDocument();
    expect(assign).not.toHaveBeenCalled();
    set.mockRestore();
  });

  it("says that it is not known whether there is one, and asks again", async () => {
    server.use(http.get("*/api/config", () => problem(400, "Away."), { once: true }));
    open("/login");
    await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
    expect(await button()).toBeEnabled();
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("leads nowhere off this site afterwards", async () => {
    open("/login?from=%2F%2Fevil.example");
    await userEvent.click(await button());
    await waitFor(() => expect(assign).toHaveBeenCalled());
    expect(JSON.parse(sessionStorage.getItem(tabKeys.attempt) ?? "")).toEqual({ binding: "mine", from: "/kod-marketplace" });
  });

  it("says so when it cannot begin, and can be pressed again", async () => {
    server.use(http.get("*/api/auth/twitter/authorize", () => problem(429, "A bit fast.")));
    open("/login");
    await userEvent.click(await button());
    expect(await screen.findByText("A bit fast.")).toBeInTheDocument();
    expect(await button()).toBeEnabled();
  });
});

describe("coming back from X", () => {
  const left = () => sessionStorage.setItem(tabKeys.attempt, JSON.stringify({ binding: "mine", from: "/portal/my-inventory" }));

  // Spec: ACCOUNT-11
  it("signs in once, with what the tab remembers, and goes where the player wanted to go", async () => {
    left();
    const where = open("/auth/callback/twitter?code=c&state=s");
    expect(screen.getByRole("heading", { name: "Signing you in" })).toBeInTheDocument();
    await waitFor(() => expect(where()).toBe("/portal/my-inventory"));
    expect(sent).toEqual({ code: "c", state: "s", binding: "mine" });
    expect(session.get().isAuthenticated).toBe(true);
    expect(localStorage.getItem(keys.sessionAuthorization)).toBe("Bearer secret");
    expect(sessionStorage.getItem(tabKeys.attempt)).toBeNull();
  });

  // Spec: ACCOUNT-11
  it.each([
    ["a player who said no", "?error=access_denied&state=s", "You said no at X, so nobody was signed in."],
    ["an address without a code", "", /begin and end in the same window/],
  ])("of %s signs nobody in, and says so", async (_, query, text) => {
    left();
    const where = open(`/auth/callback/twitter${query}`);
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(sent).toBeUndefined();
    expect(where()).toBe("/auth/callback/twitter?from=%2Fportal%2Fmy-inventory"); // the code is removed from the address
  });

  it("to a window that never left signs nobody in", async () => {
    open("/auth/callback/twitter?code=c&state=s");
    expect(await screen.findByText(/begin and end in the same window/)).toBeInTheDocument();
    expect(sent).toBeUndefined();
  });

  it("with what the server refuses says why, and another try leads where the first would have", async () => {
    left();
    server.use(http.post("*/api/auth/twitter/callback", () => problem(401, "This took too long.")));
    open("/auth/callback/twitter?code=c&state=s");
    expect(await screen.findByText("This took too long.")).toBeInTheDocument();
    expect(screen.getByRole("heading", { name: "Not signed in" })).toBeInTheDocument();
    const byMail = screen.getByRole("link", { name: "Sign in by e-mail" });
    await waitFor(() => expect(byMail).toHaveAttribute("href", "/login?from=%2Fportal%2Fmy-inventory"));
    await userEvent.click(await button());
    await waitFor(() => expect(assign).toHaveBeenCalled());
    expect(JSON.parse(sessionStorage.getItem(tabKeys.attempt) ?? "")).toEqual({ binding: "mine", from: "/portal/my-inventory" });
  });
});

describe("the login after a link from the game that was not good", () => {
  const at = (address: string) => (
    <MemoryRouter initialEntries={[address]}>
      <LoginNotice />
    </MemoryRouter>
  );
  it("says why the player is there", () => {
    render(at("/login?failed=link"));
    expect(screen.getByRole("alert")).toHaveTextContent("The link from the game did not sign you in");
  });
  it("says nothing else, whatever the address has", () => {
    for (const failed of ["", "x", "__proto__", "constructor", "toString"]) {
      const { container } = render(at(`/login?failed=${failed}`));
      expect(container).toBeEmptyDOMElement();
    }
  });
  it("is not known to the page as it is built", () => expect(renderToString(at("/login?failed=link"))).toBe(""));
});
