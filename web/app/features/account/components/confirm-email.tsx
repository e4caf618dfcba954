import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { Field } from "~/components/ui/field";
import { Form } from "~/components/ui/form";
import { linkLook } from "~/components/ui/link";
import { useApproval } from "~/features/approval/use-approval";
import { useConfigured } from "~/features/config/use-configured";
import { CodeForm } from "~/features/session/components/proof-forms";
import { session } from "~/features/session/store";
import { ApiError, messageOf } from "~/lib/api/problem";
import { useStore } from "~/lib/store";
import { emailProblem } from "~/lib/validate";
import { type AskedCode, keepAskedCode, keptAskedCode } from "../asked-code";
import { confirmEmail, sendEmailCode } from "../emails";
import { SignInAgain } from "./sign-in-again";
import { Step } from "./step";

/** The address for which a code was requested, and when, in milliseconds since 1970; 0 for before this page. */
type Asked = Pick<AskedCode, "email" | "at">;

interface ConfirmEmailProps {
  /** Called once the address is confirmed, to retry what needed it. */
  onConfirmed?: (() => void) | undefined;
}

/**
 * Confirms the player's email address by an emailed code, after adding or changing the address if needed, which the
 * player approves. A panel without a frame, for the settings and wherever the server requires a confirmed address
 * (reason "email").
 */
export function ConfirmEmail({ onConfirmed }: ConfirmEmailProps) {
  const profile = useStore(session, (s) => s.profile);
  /** Where the game platform keeps passwords, it keeps the addresses too. */
  const { on: elsewhere } = useConfigured("passwordByMail");
  const [kept, setAsked] = useState<Asked | undefined>(() => keptAskedCode("confirm"));
  /** Whether the player is entering another address. */
  const [other, setOther] = useState(false);
  /** Whether one form has replaced another: then it takes the focus. */
  const [moved, setMoved] = useState(false);
  const [done, setDone] = useState(false);
  if (!profile) return null;
  const own = profile.AccountInfo.PrivateInfo.Email;
  const asked = profile.emailConfirmed && kept?.email === own ? undefined : kept; // confirmed in another tab: no code is needed
  const note = (now: Asked | undefined) => {
    setAsked(now);
    keepAskedCode(now && { to: "confirm", ...now });
  };
  const move = (toOther: boolean) => {
    setOther(toOther);
    setMoved(true);
  };
  if (profile.emailConfirmed && !asked && !other)
    return <Confirmed email={own} now={done || moved} onOther={own && !elsewhere ? () => move(true) : undefined} />;
  const current = asked ?? (own && !profile.emailConfirmed ? { email: own, at: 0 } : undefined);
  const isAddress = other || !current;
  const form = isAddress ? (
    <AddressForm
      own={own}
      onAsked={(now) => {
        note(now);
        move(false);
      }}
      back={current ? "Back to the code" : `Keep ${own}`}
      onBack={current || own ? () => move(false) : undefined}
    />
  ) : (
    <ByCode
      asked={current}
      onAsked={note}
      onOther={() => move(true)}
      onConfirmed={() => {
        note(undefined);
        setDone(true);
        onConfirmed?.();
      }}
    />
  );
  return moved ? <Step key={isAddress ? "address" : "code"}>{form}</Step> : form;
}

/** Takes the focus when it replaces the form. */
function Confirmed({ email, now, onOther }: { email: string; now: boolean; onOther: (() => void) | undefined }) {
  const line = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (now) line.current?.focus();
  }, [now]);
  return (
    <>
      <p ref={line} tabIndex={-1} role="status" className="break-words text-good outline-none">
        {email ? `${email} is confirmed.` : "Your account in the game has no email address. You need not confirm one."}
      </p>
      {onOther && (
        <button type="button" className={`${linkLook} mt-2 min-h-11`} onClick={onOther}>
          Use another
        </button>
      )}
    </>
  );
}

interface AddressFormProps {
  /** The player's current address; "" for none. */
  own: string;
  onAsked: (asked: Asked) => void;
  /** The label of the button that returns. */
  back: string;
  /** Returns to the code, or to the confirmed address; absent if there is neither. */
  onBack: (() => void) | undefined;
}

function AddressForm({ own, onAsked, back, onBack }: AddressFormProps) {
  const { pathname } = useLocation();
  const [stale, setStale] = useState("");
  const approval = useApproval();
  const ask = async (email: string) => {
    setStale("");
    try {
      if (await approval.run(() => sendEmailCode({ email }))) onAsked({ email, at: Date.now() });
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== "stale") throw error;
      setStale(messageOf(error));
    }
  };
  return (
    <div className="grid gap-5">
      <Form rules={{ email: emailProblem }} action="Send me a code" kind="quiet" onSubmit={({ email }) => ask(email.trim())}>
        {(errors) => (
          <Field
            label="E-mail"
            name="email"
            type="email"
            autoComplete="email"
            inputMode="email"
            hint={own ? `You will sign in with it instead of ${own}.` : "We write to it, and you can sign in with it."}
            error={errors.email}
          />
        )}
      </Form>
      {approval.form}
      <SignInAgain message={stale} from={pathname} />
      {onBack && (
        <p>
          <button type="button" className={`${linkLook} min-h-11`} onClick={onBack}>
            {back}
          </button>
        </p>
      )}
    </div>
  );
}

interface ByCodeProps {
  asked: Asked;
  onAsked: (asked: Asked) => void;
  onOther: () => void;
  onConfirmed: () => void;
}

function ByCode({ asked, onAsked, onOther, onConfirmed }: ByCodeProps) {
  const approval = useApproval();
  const { email, at } = asked;
  const confirm = async (code: string) => {
    await confirmEmail(code);
    onConfirmed();
  };
  const send = async () => {
    const sent = await approval.run(() => sendEmailCode({ email })); // an approval is good for ten minutes
    if (sent) onAsked({ email, at: Date.now() });
    return sent;
  };
  return (
    <div className="grid gap-5">
      <CodeForm
        label="Confirmation code"
        action="Confirm"
        kind="quiet"
        onCode={confirm}
        resend={{ at, action: at ? "Send it again" : "Send me a new code", send }}
      >
        <strong className="break-words font-normal text-bone">{email}</strong> is not confirmed yet.{" "}
        {at ? "A code is on its way to it." : "Enter the code from our mail, or ask for a new one."}
      </CodeForm>
      {approval.form}
      <p className="text-bone-muted">
        Wrong address?{" "}
        <button type="button" className={`${linkLook} min-h-11`} onClick={onOther}>
          Use another
        </button>
      </p>
    </div>
  );
}
