import type { ComponentProps, ReactNode } from "react";
import { Field, type LabelledProps } from "~/components/ui/field";
import { Form } from "~/components/ui/form";
import { PasswordField } from "~/components/ui/password-field";
import { codeTime } from "~/lib/rules";
import { codeOf, codeProblem, currentPasswordProblem } from "~/lib/validate";
import { DevelopmentMailbox } from "./development-mailbox";
import { Resend } from "./resend";
import { Username } from "./username";

/** The field "code" of a form, for an emailed code. */
export function CodeField({
  label = "Code",
  hint = `8 digits, good for ${codeTime}.`,
  error,
}: Omit<LabelledProps, "label"> & { label?: string | undefined }) {
  return <Field label={label} name="code" inputMode="numeric" autoComplete="one-time-code" hint={hint} error={error} className="figures" />;
}

interface CodeFormProps extends Pick<ComponentProps<typeof Form>, "action" | "kind"> {
  /** What was sent, and where to. */
  children: ReactNode;
  /** The label of the code's field. */
  label?: string;
  /** Submits the code. */
  onCode: (code: string) => Promise<unknown>;
  /** How another code is sent. */
  resend: ComponentProps<typeof Resend>;
}

/** Asks for an emailed code, and sends another one. */
export function CodeForm({ children, label, onCode, resend, ...form }: CodeFormProps) {
  return (
    <>
      <p className="text-bone-muted">
        {children} <DevelopmentMailbox />
      </p>
      <Form rules={{ code: codeProblem }} {...form} onSubmit={({ code }) => onCode(codeOf(code))}>
        {({ code }) => <CodeField label={label} error={code} />}
      </Form>
      <Resend {...resend} />
    </>
  );
}

/** The field "password" of a form in which a player proves who they are. */
export function ProvingPasswordField({ error }: { error: string | undefined }) {
  return (
    <>
      <Username />
      <PasswordField label="Password" name="password" autoComplete="current-password" hint="It proves that it is you." error={error} />
    </>
  );
}

/** Asks for the player's password. */
export function ProvingPasswordForm({ action, onPassword }: { action: string; onPassword: (password: string) => Promise<unknown> }) {
  return (
    <Form rules={{ password: currentPasswordProblem }} action={action} onSubmit={({ password }) => onPassword(password)}>
      {({ password }) => <ProvingPasswordField error={password} />}
    </Form>
  );
}
