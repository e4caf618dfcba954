import { useQuery } from "@tanstack/react-query";
import { Field } from "~/components/ui/field";
import { Form } from "~/components/ui/form";
import { NewPasswordField, PasswordField } from "~/components/ui/password-field";
import { Skeleton } from "~/components/ui/states";
import { configQuery } from "~/features/config/config";
import { Username } from "~/features/session/components/username";
import { session } from "~/features/session/store";
import { useStore } from "~/lib/store";
import { displayNameProblem, passwordProblem } from "~/lib/validate";
import { askForLink } from "../recovery";
import { changePassword, rename } from "../settings";

/** Changes the display name. */
export function NameForm() {
  const name = useStore(session, (s) => s.profile?.AccountInfo.TitleInfo.DisplayName);
  return (
    <Form
      rules={{ displayName: displayNameProblem }}
      action="Save the name"
      onSubmit={async ({ displayName }) => {
        await rename(displayName);
        return `You are ${session.get().profile?.AccountInfo.TitleInfo.DisplayName} now.`;
      }}
    >
      {(errors) => (
        <Field
          label="Name"
          name="displayName"
          autoComplete="nickname"
          spellCheck={false}
          defaultValue={name}
          hint="What other players see. 3 to 20 characters."
          error={errors.displayName}
        />
      )}
    </Form>
  );
}

/**
 * Changes the password of the player with the email address: using the current one, or by an emailed link if that is
 * the only way.
 */
export function PasswordForm({ email }: { email: string }) {
  const { data: config, error } = useQuery(configQuery);
  if (!config && !error) return <Skeleton className="h-72" />;
  return config?.passwordByMail ? <ByMail email={email} /> : <ByPresent />;
}

function ByMail({ email }: { email: string }) {
  return (
    <Form
      rules={{}}
      action="Send me a link"
      kind="quiet"
      onSubmit={async () => {
        await askForLink(email);
        return "The link is on its way. Check your email.";
      }}
    >
      {() => <p>We send a link to {email}. There you choose a new password.</p>}
    </Form>
  );
}

function ByPresent() {
  return (
    <Form
      rules={{ current: (v) => (v ? undefined : "Enter your present password."), password: passwordProblem }}
      action="Change the password"
      kind="quiet"
      clears
      onSubmit={({ current, password }) => changePassword({ current, password })}
    >
      {(errors) => (
        <>
          <Username />
          <PasswordField label="Present password" name="current" autoComplete="current-password" error={errors.current} />
          <NewPasswordField
            label="New password"
            hint="At least 8 characters. You stay signed in here, and nowhere else."
            error={errors.password}
          />
        </>
      )}
    </Form>
  );
}
