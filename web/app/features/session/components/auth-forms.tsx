import { useEffect, useState } from "react";
import { legal } from "#brand/legal";
import { Field } from "~/components/ui/field";
import { Form } from "~/components/ui/form";
import { TextLink } from "~/components/ui/link";
import { NewPasswordField, PasswordField } from "~/components/ui/password-field";
import { ApiError } from "~/lib/api/problem";
import { useNavigate, useSearchParams } from "~/lib/navigation";
import { paths, safeReturn } from "~/lib/paths";
import { useStore } from "~/lib/store";
import { currentPasswordProblem, displayNameProblem, emailProblem, passwordProblem } from "~/lib/validate";
import { session } from "../store";
import { LoginNotice } from "./login-notice";

/** Redirects to where the player came from as soon as a session exists. */
function useReturn() {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const signedIn = useStore(session, (s) => s.isAuthenticated);
  const from = query.get("from");
  useEffect(() => {
    if (signedIn) void navigate(safeReturn(from, paths.market), { replace: true });
  }, [signedIn, from, navigate]);
  return from ?? undefined;
}

/** Signs a player in by email and password, and says why they were sent here. */
export function LoginForm() {
  const from = useReturn();
  const [isFrozen, setIsFrozen] = useState(false);
  const signIn = async (body: { email: string; password: string }) => {
    try {
      await (await import("../auth")).login(body);
    } catch (error) {
      setIsFrozen(error instanceof ApiError && error.reason === "frozen"); // the form shows it
      throw error;
    }
  };
  return (
    <>
      {!isFrozen && <LoginNotice />}
      <Form
        rules={{ email: emailProblem, password: currentPasswordProblem }}
        action="Sign in"
        onSubmit={({ email, password }) => signIn({ email: email.trim(), password })}
      >
        {(errors) => (
          <>
            <Field label="E-mail" name="email" type="email" autoComplete="username webauthn" inputMode="email" error={errors.email} />
            <PasswordField label="Password" name="password" autoComplete="current-password" error={errors.password} />
          </>
        )}
      </Form>
      <p className="mt-6 grid justify-items-start gap-2 text-bone-muted">
        <TextLink to={paths.forgotPassword} className="inline-flex min-h-11 items-center">
          Forgot your password?
        </TextLink>
        <span>
          New here? <TextLink to={paths.register(from)}>Create a free account</TextLink>
        </span>
      </p>
    </>
  );
}

/** Creates an account and signs it in. */
export function RegisterForm() {
  const from = useReturn();
  return (
    <>
      <Form
        rules={{ displayName: displayNameProblem, email: emailProblem, password: passwordProblem }}
        action="Create account"
        onSubmit={async (values) => (await import("../auth")).register({ ...values, email: values.email.trim() })}
      >
        {(errors) => (
          <>
            <Field
              label="Name"
              name="displayName"
              autoComplete="nickname"
              hint="What other players see. 3 to 20 characters."
              error={errors.displayName}
            />
            <Field label="E-mail" name="email" type="email" autoComplete="username" inputMode="email" error={errors.email} />
            <NewPasswordField label="Password" hint="At least 8 characters. Three unrelated words are good." error={errors.password} />
          </>
        )}
      </Form>
      <p className="mt-4 text-sm text-bone-muted">
        By creating an account, here or with X, you agree to the <TextLink to={paths.terms}>terms of use</TextLink> and confirm that you are
        at least {legal.minimumAge} years old. The <TextLink to={paths.privacy}>privacy policy</TextLink> says what we keep and why.
      </p>
      <p className="mt-6 text-bone-muted">
        Been here before? <TextLink to={paths.login(from)}>Sign in</TextLink>
      </p>
    </>
  );
}
