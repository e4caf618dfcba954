import { useState } from "react";
import { useLocation } from "react-router";
import { ButtonLink } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { Form } from "~/components/ui/form";
import { FormResult } from "~/components/ui/form-result";
import { TextLink } from "~/components/ui/link";
import { NewPasswordField } from "~/components/ui/password-field";
import { notifyAnywhere } from "~/components/ui/toasts";
import { DevelopmentMailbox } from "~/features/session/components/development-mailbox";
import { Resend } from "~/features/session/components/resend";
import { ApiError } from "~/lib/api/problem";
import { useHydrated } from "~/lib/hydrated";
import { useLinkToken } from "~/lib/link-token";
import { useNavigate } from "~/lib/navigation";
import { paths } from "~/lib/paths";
import { linkTime } from "~/lib/rules";
import { keys, read } from "~/lib/storage";
import { emailProblem, passwordProblem } from "~/lib/validate";
import { type Asked, askedIn, askForLink, setPassword } from "../recovery";

/** The previous page's state, once hydrated: the prerendered page has none. */
function useAsked(): Asked | undefined {
  const { state } = useLocation();
  return useHydrated() ? askedIn(state) : undefined;
}

/** Requests an email with a password reset link, and opens the page with the next step. */
export function ForgotPasswordForm() {
  const navigate = useNavigate();
  const known = useAsked()?.email;
  return (
    <>
      <Form
        rules={{ email: emailProblem }}
        action="Send me a link"
        onSubmit={async (values) => {
          const email = values.email.trim();
          await askForLink(email);
          const went = await navigate(paths.resetPassword, { state: { email, at: Date.now() } satisfies Asked });
          if (!went) notifyAnywhere("success", "A link is on its way", "If the address has an account here, look in its mailbox.");
        }}
      >
        {(errors) => (
          <Field
            key={known}
            label="E-mail"
            name="email"
            type="email"
            autoComplete="username"
            inputMode="email"
            defaultValue={known}
            hint="The one your account has."
            error={errors.email}
          />
        )}
      </Form>
      <p className="mt-6 text-bone-muted">
        You remember it? <TextLink to={paths.login()}>Sign in</TextLink>
      </p>
    </>
  );
}

/** Says that the email was sent and where to look for it, and resends it after a pause. */
export function MailSent() {
  const asked = useAsked();
  const navigate = useNavigate();
  if (!asked) {
    return (
      <>
        <p className="text-lg">You have not asked for an email in this window. Enter your e-mail address first.</p>
        <ButtonLink to={paths.forgotPassword} className="mt-8">
          Ask for a link
        </ButtonLink>
      </>
    );
  }
  return (
    <>
      <p className="text-lg">
        If <strong className="break-words font-normal text-bone">{asked.email}</strong> has an account here, a link is on its way to it. It
        works once, for half an hour.
      </p>
      <ul className="mt-6 grid gap-2 border-l border-bronze-dim pl-6 text-bone-muted">
        <li className="empty:hidden">
          <DevelopmentMailbox />
        </li>
        <li>Mail may take a minute or two.</li>
        <li>Look in your spam folder.</li>
        <li>Nothing came? The address may be misspelt, or have no account.</li>
      </ul>
      <div className="mt-8">
        <Resend
          at={asked.at}
          action="Send it again"
          send={async () => {
            await askForLink(asked.email);
            await navigate(".", { replace: true, state: { ...asked, at: Date.now() } satisfies Asked, preventScrollReset: true });
          }}
        />
      </div>
      <p className="mt-6 text-bone-muted">
        Wrong address?{" "}
        <TextLink to={paths.forgotPassword} state={asked}>
          Change it
        </TextLink>
      </p>
    </>
  );
}

/** Sets a new password using the token of an emailed link. */
export function NewPasswordForm() {
  const navigate = useNavigate();
  const token = useLinkToken();
  const [step, setStep] = useState<"form" | "expired" | "done">("form");
  if (step === "done") {
    return (
      <>
        <FormResult title="Your password is changed">
          You are signed out everywhere, and passkeys are removed. Sign in with the new password.
        </FormResult>
        <ButtonLink to={paths.login()} replace className="mt-8">
          Sign in
        </ButtonLink>
      </>
    );
  }
  if (step === "expired") {
    return (
      <>
        <FormResult title="This link no longer works" tone="bad">
          A link works once, within {linkTime}. Ask for another; it takes a minute.
        </FormResult>
        <ButtonLink to={paths.forgotPassword} className="mt-8">
          Ask for a new link
        </ButtonLink>
      </>
    );
  }
  return (
    <>
      <Form
        rules={{ password: passwordProblem }}
        action="Set the password"
        onSubmit={async ({ password }) => {
          if (!token) return setStep("expired");
          try {
            await setPassword({ token, password });
          } catch (error) {
            if (!(error instanceof ApiError) || error.status !== 400 || error.field("password")) throw error;
            return setStep("expired");
          }
          setStep("done");
          await navigate(paths.newPassword, { replace: true }); // the token is used up
          // If this account is signed in here, its session has ended.
          if (read(keys.token)) await (await import("~/features/session/session")).loadProfile();
        }}
      >
        {(errors) => (
          <NewPasswordField
            label="New password"
            hint="8 to 100 characters. Three unrelated words are better than one with a special character."
            error={errors.password}
          />
        )}
      </Form>
      <p className="mt-6 text-bone-muted">
        No link? <TextLink to={paths.forgotPassword}>Ask for one</TextLink>
      </p>
    </>
  );
}
