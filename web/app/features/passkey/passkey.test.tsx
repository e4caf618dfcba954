import { createHash } from "node:crypto";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { session } from "~/features/session/store";
import { queryClient } from "~/lib/query";
import { expectFocus } from "../../../test/focus";
import { clientConfig, jwt, profile } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import PasskeyButton from "./components/passkey-button";
import { Passkeys } from "./components/passkeys";

const device = vi.hoisted(() => ({
  create: vi.fn<(o: { optionsJSON: unknown }) => Promise<unknown>>(),
  get: vi.fn<(o: { optionsJSON: unknown; useBrowserAutofill?: boolean }) => Promise<unknown>>(),
  cancel: vi.fn(),
  autofill: false,
}));

vi.mock("@simplewebauthn/browser", () => ({
  startRegistration: device.create,
  startAuthentication: device.get,
  browserSupportsWebAuthnAutofill: () => Promise.resolve(device.autofill),
  WebAuthnAbortService: { cancelCeremony: device.cancel },
}));

const phone = {
  id: "K1",
  name: "Phone",
  createdAt: "2026-11-30T10:00:00Z",
  usedAt: "2026-12-01T10:00:00Z",
  approvesFrom: "2026-11-30T12:00:00Z",
  synced: false,
};
const laptop = { id: "K2", name: "Laptop", createdAt: "2026-11-30T11:00:00Z", approvesFrom: "2100-01-01T00:00:00Z", synced: true };
const named = (name: string) => Object.assign(new Error(name), { name });

function open(what: React.ReactNode) {
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>{what}</MemoryRouter>
    </QueryClientProvider>,
  );
}

beforeEach(() => {
  vi.stubGlobal("PublicKeyCredential", class {});
  device.autofill = false;
  device.create.mockReset();
  device.get.mockReset();
  server.use(http.get("*/api/config", () => HttpResponse.json(clientConfig())));
});

afterEach(() => {
  cleanup();
  session.set({ isAuthenticated: false, profile: null });
  localStorage.clear();
  queryClient.clear();
  vi.unstubAllGlobals();
});

// Spec: ACCOUNT-29
describe("the passkeys of an account", () => {
  let list = [phone, laptop];
  beforeEach(() => {
    list = [phone, laptop];
    server.use(http.get("*/api/auth/passkeys", () => HttpResponse.json({ items: list })));
  });

  it("are added once that is approved", async () => {
    list = [];
    let approved = false;
    const got: unknown[] = [];
    const commitments: string[] = [];
    device.create.mockResolvedValue({ id: "made" });
    server.use(
      http.post("*/api/auth/passkeys/options", async ({ request }) => {
        commitments.push(((await request.json()) as { commitment: string }).commitment);
        return approved
          ? HttpResponse.json({ options: { challenge: "c" } })
          : problem(409, "Please enter the code that we have sent to z•••@olympus.example.", {
              reason: "approval-needed",
              details: {
                approvalId: "R",
                kind: "passkey-add",
                way: "code",
                sentTo: "z•••@olympus.example",
                expiresAt: "2026-12-01T12:00:00Z",
              },
            });
      }),
      http.post("*/api/auth/approvals/R/confirm", () => {
        approved = true;
        return HttpResponse.json({ success: true, message: "" });
      }),
      http.post("*/api/auth/passkeys", async ({ request }) => {
        got.push(await request.json());
        list = [phone];
        return HttpResponse.json(phone, { status: 201 });
      }),
    );
    open(<Passkeys />);
    await userEvent.type(await screen.findByLabelText("Name of the new passkey"), "Phone");
    await userEvent.click(screen.getByRole("button", { name: "Add a passkey" }));
    await userEvent.type(await screen.findByLabelText("Code"), "12345678");
    await userEvent.click(screen.getByRole("button", { name: "Confirm" }));
    await screen.findByText("The passkey is added. You can sign in with it now.");
    expect(device.create).toHaveBeenCalledExactlyOnceWith({ optionsJSON: { challenge: "c" } });
    expect(got).toMatchObject([{ name: "Phone", response: { id: "made" } }]);
    const [{ secret }] = got as [{ secret: string }];
    const commitment = createHash("sha256").update(secret).digest("base64url");
    expect(commitments).toEqual([commitment, commitment]);
    await screen.findByText(/last used/);
  });

  it("are not added by a device that has one, or when the player closes its dialog", async () => {
    server.use(http.post("*/api/auth/passkeys/options", () => HttpResponse.json({ options: {} })));
    open(<Passkeys />);
    const add = await screen.findByRole("button", { name: "Add a passkey" });
    device.create.mockRejectedValueOnce(named("InvalidStateError"));
    await userEvent.click(add);
    await screen.findByText("This device has a passkey of your account already.");
    device.create.mockRejectedValueOnce(named("NotAllowedError"));
    await userEvent.click(add);
    await screen.findByText("Your device did not confirm it. Please try again.");
    device.create.mockRejectedValueOnce(named("SecurityError"));
    await userEvent.click(add);
    await screen.findByText("Passkeys do not work in this browser, or not on this device.");
  });

  it("are renamed", async () => {
    server.use(
      http.patch("*/api/auth/passkeys/K1", async ({ request }) => {
        const { name } = (await request.json()) as { name: string };
        list = [{ ...phone, name }, laptop];
        return HttpResponse.json({ success: true, message: "" });
      }),
    );
    open(<Passkeys />);
    expect(await screen.findAllByText(/confirms what you do from/)).toHaveLength(1);
    await userEvent.click(await screen.findByRole("button", { name: "Rename Phone" }));
    const field = screen.getByLabelText("New name");
    expect(field).toHaveValue("Phone");
    await userEvent.clear(field);
    await userEvent.type(field, "x".repeat(41));
    await userEvent.click(screen.getByRole("button", { name: "Save the name" }));
    expect(screen.getByText("Please choose a name of at most 40 characters.")).toBeVisible();
    await userEvent.clear(field);
    await userEvent.type(field, "Old phone");
    await userEvent.click(screen.getByRole("button", { name: "Save the name" }));
    await screen.findByText("Old phone");
    expect(screen.queryByLabelText("New name")).toBeNull();
  });

  // Spec: SAFE-15
  it("are removed by the approval of one of them, or by a code without it", async () => {
    const confirmed: unknown[] = [];
    device.get.mockRejectedValueOnce(named("NotAllowedError")).mockResolvedValueOnce({ id: "answered" });
    server.use(
      http.delete("*/api/auth/passkeys/:id", ({ params }) => {
        if (confirmed.length) {
          list = [laptop];
          return HttpResponse.json({ success: true, message: "" });
        }
        return problem(409, "Please confirm this with your passkey.", {
          reason: "approval-needed",
          details: { approvalId: `R${String(params.id)}`, kind: "passkey-remove", way: "passkey", expiresAt: "2026-12-01T12:00:00Z" },
        });
      }),
      http.get("*/api/auth/passkeys/challenge", () => HttpResponse.json({ options: { challenge: "c" } })),
      http.post("*/api/auth/approvals/RK1/code", () =>
        HttpResponse.json({
          approvalId: "R2",
          kind: "passkey-remove",
          way: "code",
          sentTo: "z•••@olympus.example",
          expiresAt: "2026-12-01T12:00:00Z",
        }),
      ),
      http.post("*/api/auth/approvals/:id/confirm", async ({ request, params }) => {
        confirmed.push([params.id, await request.json()]);
        return HttpResponse.json({ success: true, message: "" });
      }),
    );
    open(<Passkeys />);
    await userEvent.click(await screen.findByRole("button", { name: "Remove Phone" }));
    await userEvent.click(await screen.findByRole("button", { name: "Use your passkey" }));
    await screen.findByText("Your device did not confirm it. Please try again.");
    await userEvent.click(screen.getByRole("button", { name: "I do not have it here" }));
    await expectFocus(screen.findByLabelText("Code"));
    await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
    await userEvent.click(screen.getByRole("button", { name: "Remove Phone" }));
    await userEvent.click(await screen.findByRole("button", { name: "Use your passkey" }));
    await screen.findByText("“Phone” is removed. You can delete it on your device too.");
    expect(confirmed).toEqual([["RK1", { passkey: { id: "answered" } }]]);
    expect(screen.queryByText("Phone")).toBeNull();
  });

  it("cannot be added at another address or in a browser without them", async () => {
    vi.stubGlobal("PublicKeyCredential", undefined);
    open(<Passkeys />);
    await screen.findByText("Passkeys do not work in this browser, or not at this address.");
    expect(screen.queryByRole("button", { name: "Add a passkey" })).toBeNull();
    expect(screen.getByRole("button", { name: "Remove Phone" })).toBeEnabled();
  });
});

// Spec: ACCOUNT-30
describe("signing in by a passkey", () => {
  beforeEach(() => {
    server.use(http.get("*/api/auth/login/passkey", () => HttpResponse.json({ options: { challenge: "c" } })));
  });

  it("is refused in words, and then works", async () => {
    device.get.mockResolvedValue({ id: "answered" });
    const got: unknown[] = [];
    server.use(
      http.post("*/api/auth/login/passkey", async ({ request }) => {
        got.push(await request.json());
        if (got.length === 1) return problem(403, "We do not know this passkey.", { reason: "unknown-passkey" });
        return HttpResponse.json({ success: true, token: jwt({ exp: Date.now() / 1000 + 86_400 }), sessionAuthorization: "Bearer s" });
      }),
      http.get("*/api/auth/profile", () => HttpResponse.json(profile())),
    );
    open(<PasskeyButton />);
    const button = await screen.findByRole("button", { name: "Sign in with a passkey" });
    await userEvent.click(button);
    await screen.findByText("We do not know this passkey.");
    await userEvent.click(button);
    await waitFor(() => expect(session.get().isAuthenticated).toBe(true));
    expect(got).toEqual([{ response: { id: "answered" } }, { response: { id: "answered" } }]);
  });

  it("is offered in the list of the e-mail field, and not again once it was refused", async () => {
    device.autofill = true;
    device.get.mockResolvedValue({ id: "answered" });
    server.use(http.post("*/api/auth/login/passkey", () => problem(403, "We do not know this passkey.", { reason: "unknown-passkey" })));
    open(<PasskeyButton />);
    await screen.findByText("We do not know this passkey.");
    expect(device.get).toHaveBeenCalledTimes(1);
    expect(device.get).toHaveBeenLastCalledWith({ optionsJSON: { challenge: "c" }, useBrowserAutofill: true });
  });

  it("is offered anew while the page is open, since a challenge is good for five minutes, and not once it was left", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    device.autofill = true;
    device.get.mockReturnValue(new Promise(() => {}));
    open(<PasskeyButton />);
    await waitFor(() => expect(device.get).toHaveBeenCalledTimes(1));
    await vi.advanceTimersByTimeAsync(240_000);
    await waitFor(() => expect(device.get).toHaveBeenCalledTimes(2));
    cleanup();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(device.get).toHaveBeenCalledTimes(2);
    expect(device.cancel).toHaveBeenCalled();
    vi.useRealTimers();
  });

  it("of a device that answers after the page was left signs nobody in", async () => {
    let answer = (_: unknown) => {};
    device.get.mockReturnValue(
      new Promise((resolve) => {
        answer = resolve;
      }),
    );
    const got: unknown[] = [];
    server.use(http.post("*/api/auth/login/passkey", ({ request }) => HttpResponse.json({ got: got.push(request) })));
    open(<PasskeyButton />);
    await userEvent.click(await screen.findByRole("button", { name: "Sign in with a passkey" }));
    await waitFor(() => expect(device.get).toHaveBeenCalledTimes(1));
    cleanup();
    answer({ id: "answered" });
    await new Promise((resolve) => setTimeout(resolve));
    expect(got).toEqual([]);
  });

  it("is not offered where the site has none, or at another address", async () => {
    server.use(http.get("*/api/config", () => HttpResponse.json(clientConfig({ passkeyDomain: "play.example" }))));
    const { passkeysWork } = await import("~/lib/passkey");
    expect([passkeysWork(""), passkeysWork("play.example"), passkeysWork("host"), passkeysWork("localhost")]).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });
});
