import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { session } from "~/features/session/store";
import { signedIn } from "../../../test/make";
import { HttpResponse, http, problem, server } from "../../../test/server";
import { PreRegisterForm } from "./components/pre-register-form";
import { SupportForm } from "./components/support-form";

/** Answers a call with success and returns what was sent. */
function accept(path: string) {
  const sent: unknown[] = [];
  server.use(
    http.post(`*${path}`, async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ success: true }, { status: 201 });
    }),
  );
  return sent;
}

beforeEach(() => session.set({ isLoading: false, isAuthenticated: false, profile: null }));

describe("the form for pre-registration", () => {
  const send = () => userEvent.click(screen.getByRole("button", { name: "Pre-register" }));

  // Spec: PLAYER-6
  it("leaves the address, then says so in its place", async () => {
    const sent = accept("/api/pre-register");
    render(<PreRegisterForm />);
    await userEvent.type(screen.getByLabelText("E-mail"), " ianthe@example.com ");
    await send();
    expect(await screen.findByRole("status")).toHaveTextContent("We will write to ianthe@example.com");
    expect(screen.getByRole("status")).toHaveFocus();
    expect(sent).toEqual([{ email: "ianthe@example.com" }]);
  });

  it("shows what the server finds wrong with the address", async () => {
    server.use(
      http.post("*/api/pre-register", () =>
        problem(400, "Please check what you entered.", { errors: [{ location: "body.email", message: "No such place." }] }),
      ),
    );
    render(<PreRegisterForm />);
    await userEvent.type(screen.getByLabelText("E-mail"), "ianthe@example.com");
    await send();
    expect(await screen.findByText("No such place.")).toBeInTheDocument();
    expect(screen.getByLabelText("E-mail")).toHaveFocus();
  });
});

describe("the support form", () => {
  const send = () => userEvent.click(screen.getByRole("button", { name: "Send the message" }));

  it("takes 4000 characters", () => {
    render(<SupportForm />);
    expect(screen.getByLabelText("What happened")).toHaveAttribute("maxlength", "4000");
  });

  // Spec: PAGE-20, PLAYER-7
  it("is sent with address, topic and text", async () => {
    const sent = accept("/api/support");
    render(<SupportForm />);
    await userEvent.type(screen.getByLabelText("E-mail"), "ianthe@example.com");
    await userEvent.selectOptions(screen.getByLabelText("What it is about"), "My wallet");
    await userEvent.type(screen.getByLabelText("What happened"), "It is gone, at eight.");
    await send();
    expect(await screen.findByText("We have your message")).toBeInTheDocument();
    expect(sent).toEqual([{ email: "ianthe@example.com", topic: "wallet", message: "It is gone, at eight." }]);
  });

  it("is not sent while something is missing, and says what", async () => {
    render(<SupportForm />);
    await userEvent.type(screen.getByLabelText("E-mail"), "ianthe@example.com");
    await userEvent.type(screen.getByLabelText("What happened"), "Help");
    await send();
    expect(screen.getByLabelText("What it is about")).toHaveAccessibleDescription("Choose what it is about.");
    expect(screen.getByLabelText("What it is about")).toHaveFocus();
    expect(screen.getByLabelText("What happened")).toHaveAccessibleDescription(/at least 10/);
  });

  it("knows the address of who is signed in", () => {
    signedIn();
    render(<SupportForm />);
    expect(screen.getByLabelText("E-mail")).toHaveValue("ianthe@example.com");
  });

  it("keeps what was written when there were too many", async () => {
    server.use(http.post("*/api/support", () => problem(429, "That was a bit fast. Please wait a minute and try again.")));
    signedIn();
    render(<SupportForm />);
    await userEvent.selectOptions(screen.getByLabelText("What it is about"), "other");
    await userEvent.type(screen.getByLabelText("What happened"), "It is gone, at eight.");
    await send();
    expect(await screen.findByText(/a bit fast/)).toHaveAttribute("role", "alert");
    expect(screen.getByLabelText("What happened")).toHaveValue("It is gone, at eight.");
  });
});
