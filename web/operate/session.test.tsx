import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { HttpResponse, http, problem, server } from "../test/server";
import { forgetToken } from "./pages/join";
import { queryClient } from "./query";
import { axeFaults, open, session } from "./testing";

const device = vi.hoisted(() => ({
  create: vi.fn<(o: { optionsJSON: unknown }) => Promise<unknown>>(),
  get: vi.fn<(o: { optionsJSON: unknown }) => Promise<unknown>>(),
}));

vi.mock("@simplewebauthn/browser", () => ({
  startRegistration: device.create,
  startAuthentication: device.get,
  browserSupportsWebAuthnAutofill: () => Promise.resolve(false),
  WebAuthnAbortService: { cancelCeremony: () => {} },
}));

const noSession = () => problem(401, "Sign in.");

beforeEach(() => {
  device.create.mockReset();
  device.get.mockReset();
});

describe("the session", () => {
  it("begins with a passkey, on the page that was asked for", async () => {
    const router = open("/players/P1", { session: noSession() });
    await screen.findByRole("heading", { name: "Sign in" });
    expect(document.title).toBe("Sign in · Operate");
    expect(screen.queryByText(/Your session has ended/)).toBeNull();
    expect(screen.getByText(/ask an owner for an invitation/)).toBeVisible();
    expect(await axeFaults()).toEqual([]);
    const got: unknown[] = [];
    server.use(
      http.get("*/api/operate/sign-in", () => HttpResponse.json({ options: { challenge: "c" } })),
      http.post("*/api/operate/sign-in", async ({ request }) => {
        got.push(await request.json());
        return got.length > 1
          ? HttpResponse.json(session())
          : problem(403, "This passkey is not known here.", { reason: "unknown-passkey" });
      }),
    );
    device.get.mockResolvedValue({ id: "K1" });
    await userEvent.click(screen.getByRole("button", { name: "Sign in with your passkey" }));
    await screen.findByText("This passkey is not known here.");
    await userEvent.click(screen.getByRole("button", { name: "Sign in with your passkey" }));
    await screen.findByText("perseus@olympus.example");
    expect(device.get).toHaveBeenCalledWith({ optionsJSON: { challenge: "c" } });
    expect(got).toEqual([{ response: { id: "K1" } }, { response: { id: "K1" } }]);
    expect(router.state.location.pathname).toBe("/players/P1");
  });

  it("ends in place: the sign-in is shown, the address stays, what was read is forgotten", async () => {
    const router = open("/log?kind=operator");
    await screen.findByText("Reason: Chargeback");
    server.use(http.get("*/api/operate/log", noSession));
    await queryClient.refetchQueries({ queryKey: ["log?kind=operator"] });
    await screen.findByText("Your session has ended. Sign in again.");
    expect(screen.queryByText("Reason: Chargeback")).toBeNull();
    expect(document.getElementById("main")).toHaveFocus();
    expect(router.state.location.search).toBe("?kind=operator");
    await waitFor(() => expect(queryClient.getQueryCache().findAll({ queryKey: ["log?kind=operator"] })).toEqual([]));
  });

  it("ends during an act", async () => {
    open("/players/P1");
    server.use(http.post("*/api/operate/players/P1/freeze", noSession));
    await userEvent.click(await screen.findByRole("button", { name: "Freeze" }));
    await userEvent.type(await screen.findByLabelText("Reason"), "Chargeback{Enter}");
    await screen.findByText("Your session has ended. Sign in again.");
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("ends by signing out", async () => {
    open("/account");
    server.use(http.post("*/api/operate/sign-out", () => HttpResponse.json({ success: true })));
    await userEvent.click(await screen.findByRole("button", { name: "Sign out" }));
    await screen.findByRole("heading", { name: "Sign in" });
    expect(screen.queryByText(/Your session has ended/)).toBeNull();
  });

  it("is impossible where the console is not set up", async () => {
    open("/", { session: problem(409, "This address cannot have passkeys: set OPERATE_URL.", { reason: "not-set-up" }) });
    await screen.findByText("This address cannot have passkeys: set OPERATE_URL.");
    expect(screen.getByRole("heading", { name: "Not set up" })).toBeVisible();
    expect(await axeFaults()).toEqual([]);
  });

  it("can be tried again", async () => {
    open("/", { session: problem(503, "The database does not answer.") });
    await screen.findByText("The console did not load");
    server.use(http.get("*/api/operate/session", () => HttpResponse.json(session())));
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    await screen.findByRole("heading", { name: "Home" });
  });
});

describe("an invitation", () => {
  beforeEach(() => {
    vi.stubGlobal("PublicKeyCredential", class {});
    forgetToken();
    history.replaceState({ kept: true }, "", "/operate/join#TOKEN");
  });

  const invited = (answer: () => Response) => {
    const got: unknown[] = [];
    server.use(
      http.post("*/api/operate/join/options", async ({ request }) => {
        got.push(await request.json());
        return answer();
      }),
    );
    return got;
  };

  it("makes a passkey and signs in; its token leaves the address at once", async () => {
    const asked = invited(() => HttpResponse.json({ name: "Grace", role: "support", options: { challenge: "c" } }));
    const router = open("/join", { session: noSession() });
    expect(location.hash).toBe("");
    expect(history.state).toEqual({ kept: true });
    await screen.findByRole("heading", { name: "Welcome, Grace" });
    expect(screen.getByText("support")).toBeVisible();
    expect(asked).toEqual([{ token: "TOKEN" }]);
    expect(await axeFaults()).toEqual([]);
    await userEvent.click(screen.getByRole("button", { name: "Create passkey" }));
    expect(screen.getByText("Give the passkey a name.")).toBeVisible();
    const got: unknown[] = [];
    server.use(
      http.post("*/api/operate/join", async ({ request }) => {
        got.push(await request.json());
        return HttpResponse.json(session({ name: "Grace" }));
      }),
    );
    device.create.mockResolvedValue({ id: "K1" });
    await userEvent.type(screen.getByLabelText("Name of the passkey"), " Phone ");
    await userEvent.click(screen.getByRole("button", { name: "Create passkey" }));
    await screen.findByRole("heading", { name: "Home" });
    expect(device.create).toHaveBeenCalledExactlyOnceWith({ optionsJSON: { challenge: "c" } });
    expect(got).toEqual([{ token: "TOKEN", passkeyName: "Phone", response: { id: "K1" } }]);
    expect(router.state.location.pathname).toBe("/");
    expect(sessionStorage).toHaveLength(0);
  });

  it("that is of no use is refused in words", async () => {
    invited(() => problem(404, "This invitation was used, replaced or has expired.", { reason: "invitation" }));
    open("/join", { session: noSession() });
    await screen.findByText("This invitation was used, replaced or has expired.");
    expect(screen.getByText("Ask an owner for a new link.")).toBeVisible();
    expect(await axeFaults()).toEqual([]);
  });

  it("that is used meanwhile is refused when the passkey is made", async () => {
    let calls = 0;
    invited(() => (calls++ ? problem(404, "Used.") : HttpResponse.json({ name: "Grace", role: "support", options: {} })));
    open("/join", { session: noSession() });
    await userEvent.type(await screen.findByLabelText("Name of the passkey"), "Phone{Enter}");
    await screen.findByText("Used.");
    expect(device.create).not.toHaveBeenCalled();
  });

  it("can be looked up again, and needs a token", async () => {
    invited(() => problem(503, "Not now."));
    open("/join", { session: noSession() });
    await screen.findByText("The invitation did not load");
  });

  it("needs its whole link", async () => {
    history.replaceState(null, "", "/operate/join");
    open("/join", { session: noSession() });
    await screen.findByText(/This page needs the whole link of an invitation/);
  });
});
