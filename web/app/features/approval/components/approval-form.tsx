import { useState } from "react";
import { CodeForm, ProvingPasswordForm } from "~/features/session/components/proof-forms";
import { useFocusFirst } from "~/lib/focus-first";
import { type Approval, confirmApproval, sendApprovalCode } from "../approvals";
import { ByPasskey } from "./by-passkey";

interface ApprovalFormProps {
  approval: Approval;
  /** The button's label. */
  action: string;
  /** Called when the player has approved it: what needed the approval is done again within ten minutes. */
  onApproved: () => void;
}

/** Asks for the proof of an approval: a passkey, the emailed code, or the password. */
export function ApprovalForm({ approval, action, onApproved }: ApprovalFormProps) {
  const [{ approvalId, way, sentTo }, setAsked] = useState(approval);
  const [at, setAt] = useState(() => Date.now());
  const confirm = (proof: Parameters<typeof confirmApproval>[1]) => confirmApproval(approvalId, proof).then(onApproved);
  const box = useFocusFirst<HTMLDivElement>(way);
  const send = async () => {
    const asked = await sendApprovalCode(approvalId); // without the passkey it is another approval
    if (asked.way === "sign-in") return onApproved();
    setAsked(asked);
    setAt(Date.now());
  };
  if (way === "passkey") return <ByPasskey onAnswer={(passkey) => confirm({ passkey })} onWithout={send} />;
  if (way === "password") {
    return (
      <div ref={box}>
        <ProvingPasswordForm action={action} onPassword={(password) => confirm({ password })} />
      </div>
    );
  }
  return (
    <div ref={box} className="grid gap-5">
      <CodeForm action={action} onCode={(code) => confirm({ code })} resend={{ at, action: "Send it again", send }}>
        We sent a code to <strong className="break-words font-normal text-bone">{sentTo}</strong>. It is good for this and nothing else.
      </CodeForm>
    </div>
  );
}
