import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Field } from "~/components/ui/field";
import { Form } from "~/components/ui/form";
import { TextLink } from "~/components/ui/link";
import { PasswordField } from "~/components/ui/password-field";
import { configQuery } from "~/features/config/config";
import { Resend } from "~/features/session/components/resend";
import { Username } from "~/features/session/components/username";
import { codeTime } from "~/lib/rules";
import { codeProblem } from "~/lib/validate";
import { type Approval, confirmApproval, sendApprovalCode } from "../approvals";

interface ApprovalFormProps {
  approval: Approval;
  /** The button's label. */
  action: string;
  /** Called when the player has approved it: what needed the approval is done again within ten minutes. */
  onApproved: () => void;
}

function ByCode({ approval, action, onApproved }: ApprovalFormProps) {
  const { data: config } = useQuery(configQuery);
  const [at, setAt] = useState(() => Date.now());
  return (
    <div className="grid gap-5">
      <p className="text-bone-muted">
        We sent a code to <strong className="break-words font-normal text-bone">{approval.sentTo}</strong>. It is good for this and nothing else.{" "}
        {config?.mailbox && (
          <>
            This is a development server: its mail is shown at{" "}
            <TextLink to="/dev/mail" target="_blank">
              /dev/mail
            </TextLink>
            .
          </>
        )}
      </p>
      <Form
        rules={{ code: codeProblem }}
        action={action}
        onSubmit={({ code }) => confirmApproval(approval.approvalId, { code: code.replace(/\s/g, "") }).then(onApproved)}
      >
        {(errors) => (
          <Field
            label="Code"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            hint={`8 digits, good for ${codeTime}.`}
            error={errors.code}
            className="figures"
          />
        )}
      </Form>
      <Resend at={at} action="Send it again" send={() => sendApprovalCode(approval.approvalId).then(() => setAt(Date.now()))} />
    </div>
  );
}

function ByPassword({ approval, action, onApproved }: ApprovalFormProps) {
  return (
    <Form
      rules={{ password: (v) => (v ? undefined : "Enter your password.") }}
      action={action}
      onSubmit={({ password }) => confirmApproval(approval.approvalId, { password }).then(onApproved)}
    >
      {(errors) => (
        <>
          <Username />
          <PasswordField label="Password" name="password" autoComplete="current-password" hint="It proves that it is you." error={errors.password} />
        </>
      )}
    </Form>
  );
}

/** Asks for the proof of an approval: the emailed code, or the password. */
export function ApprovalForm(props: ApprovalFormProps) {
  return props.approval.way === "password" ? <ByPassword {...props} /> : <ByCode {...props} />;
}
