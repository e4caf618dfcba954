import { useState } from "react";
import { ButtonLink } from "~/components/ui/button";
import { Field } from "~/components/ui/field";
import { Form } from "~/components/ui/form";
import { linkLook } from "~/components/ui/link";
import { PasswordField } from "~/components/ui/password-field";
import { Skeleton } from "~/components/ui/states";
import { notifyAnywhere } from "~/components/ui/toasts";
import { SessionProblem } from "~/features/session/components/session-problem";
import { forgetEverything } from "~/features/session/session";
import { session } from "~/features/session/store";
import { ApiError, messageOf } from "~/lib/api/problem";
import { useNavigate } from "~/lib/navigation";
import { paths } from "~/lib/paths";
import { codeTime } from "~/lib/rules";
import { useStore } from "~/lib/store";
import { codeProblem } from "~/lib/validate";
import { deleteAccount, sendCode } from "../deletion";
import { Username } from "./profile-forms";
import { SignInAgain } from "./sign-in-again";
import { Step } from "./step";

/** The state that the goodbye page finds in its history entry. */
export interface AccountDeletedState {
  gone: true;
}

/** Deletes the account, shows the goodbye page, and clears everything in this browser. */
function useDelete() {
  const navigate = useNavigate();
  return async (proof: Parameters<typeof deleteAccount>[0]) => {
    await deleteAccount(proof);
    // First leave pages that need a player: they would redirect to the login.
    const went = await navigate(paths.deleteAccount, { replace: true, state: { gone: true } satisfies AccountDeletedState });
    forgetEverything();
    if (!went) notifyAnywhere("success", "Your account is deleted");
  };
}

/**
 * Deletes the account, by the password or by an emailed code. Visitors are sent to the login, which leads back; a
 * placeholder is shown while the session is loading, and a message while the server is unavailable.
 */
export function DeleteAccount() {
  const { isLoading, isAuthenticated, profile, problem } = useStore(session, (s) => s);
  if (isAuthenticated && profile) {
    const { TitleInfo, PrivateInfo } = profile.AccountInfo;
    return (
      <>
        <p className="mb-5">
          The account of <strong className="font-bold">{TitleInfo.DisplayName}</strong>
          {PrivateInfo.Email && <span className="text-bone-muted">, {PrivateInfo.Email}</span>}
        </p>
        <Proof email={PrivateInfo.Email} />
      </>
    );
  }
  if (isLoading) return <Skeleton className="h-64" />;
  if (problem) return <SessionProblem />;
  return (
    <div>
      <p className="text-bone-muted">To delete your account, sign in to it first. You come back here.</p>
      <ButtonLink to={paths.login(paths.deleteAccount)} kind="quiet" className="mt-6">
        Sign in to delete your account
      </ButtonLink>
    </div>
  );
}

function Proof({ email }: { email: string }) {
  /** The player's choice of proof; undefined at first. */
  const [chosen, setChosen] = useState<"password" | "code">();
  if (!email) return <WithoutEmail />;
  if (chosen === "code") return <ByCode email={email} onPassword={() => setChosen("password")} />;
  const byPassword = <ByPassword onCode={() => setChosen("code")} />;
  return chosen ? <Step>{byPassword}</Step> : byPassword;
}

const action = "Delete my account for good";

function ByPassword({ onCode }: { onCode: () => void }) {
  const remove = useDelete();
  return (
    <div className="grid gap-5">
      <Form rules={{ password: (v) => (v ? undefined : "Enter your password.") }} action={action} kind="quiet" onSubmit={remove}>
        {(errors) => (
          <>
            <Username />
            <PasswordField label="Password" name="password" autoComplete="current-password" hint="It proves that it is you." error={errors.password} />
          </>
        )}
      </Form>
      <p className="text-bone-muted">
        You do not know it, or have none?{" "}
        <button type="button" className={`${linkLook} min-h-11`} onClick={onCode}>
          Use a code by mail
        </button>
      </p>
    </div>
  );
}

function ByCode({ email, onPassword }: { email: string; onPassword: () => void }) {
  const remove = useDelete();
  const [sent, setSent] = useState(false);
  return (
    <Step key={sent ? "code" : "mail"}>
      {sent ? (
        <Form rules={{ code: codeProblem }} action={action} kind="quiet" onSubmit={({ code }) => remove({ code: code.replace(/\s/g, "") })}>
          {(errors) => (
            <Field
              label="Code"
              name="code"
              inputMode="numeric"
              autoComplete="one-time-code"
              hint={`8 digits, sent to ${email}. Good for ${codeTime}.`}
              error={errors.code}
              className="figures"
            />
          )}
        </Form>
      ) : (
        <Form
          rules={{}}
          action={`Send a code to ${email}`}
          kind="quiet"
          onSubmit={async () => {
            await sendCode();
            setSent(true);
          }}
        >
          {() => null}
        </Form>
      )}
      <p className="flex flex-wrap gap-x-6 gap-y-2 text-bone-muted">
        {sent && (
          <button type="button" className={linkLook} onClick={() => setSent(false)}>
            Send another code
          </button>
        )}
        <button type="button" className={linkLook} onClick={onPassword}>
          Use my password
        </button>
      </p>
    </Step>
  );
}

/** A player from another site without an email proves it by a recent sign-in. */
function WithoutEmail() {
  const remove = useDelete();
  const [stale, setStale] = useState("");
  return (
    <div className="grid gap-5">
      <Form
        rules={{}}
        action={action}
        kind="quiet"
        onSubmit={async () => {
          try {
            await remove({});
          } catch (error) {
            if (!(error instanceof ApiError) || error.reason !== "stale") throw error;
            setStale(messageOf(error));
          }
        }}
      >
        {() => (
          <p className="text-bone-muted">Your account has no e-mail address and no password. Having signed in within the last ten minutes is proof enough.</p>
        )}
      </Form>
      <SignInAgain message={stale} from={paths.deleteAccount} />
    </div>
  );
}
