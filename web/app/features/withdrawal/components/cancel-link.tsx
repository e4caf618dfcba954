import { useState } from "react";
import { ButtonLink } from "~/components/ui/button";
import { FormResult } from "~/components/ui/form-result";
import { TextLink } from "~/components/ui/link";
import { LinkForm } from "~/features/session/components/link-form";
import { useNavigate } from "~/lib/navigation";
import { paths } from "~/lib/paths";
import { cancelByLink } from "../cancel";

/** Cancels a withdrawal by the link of an email. */
export function CancelByLink() {
  const navigate = useNavigate();
  const [step, setStep] = useState<"form" | "done">("form");
  const [over, setOver] = useState("");
  const advice = (
    <>
      <p className="mt-8 text-bone-muted">
        If it was not you who asked for it, somebody else is signed in to your account. Choose a new password: that signs everybody out.
      </p>
      <p className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-3">
        <ButtonLink to={paths.forgotPassword}>Choose a new password</ButtonLink>
        <TextLink to={paths.money} className="inline-flex min-h-11 items-center">
          To your money
        </TextLink>
      </p>
    </>
  );
  if (step === "done") {
    return (
      <>
        <FormResult title="It is cancelled">What was not sent before stays in the wallet.</FormResult>
        {advice}
      </>
    );
  }
  if (over) {
    return (
      <>
        <FormResult title="It cannot be cancelled" tone="bad">
          {over}
        </FormResult>
        {advice}
      </>
    );
  }
  return (
    <>
      <LinkForm
        action="Cancel the withdrawal"
        act={async (token) => {
          await cancelByLink(token);
          setStep("done");
          await navigate(".", { replace: true }); // the token is used up
        }}
        onRefused={setOver}
        refusals={[404, 409]}
      />
      <p className="mt-6 text-bone-muted">You need not sign in. If you want it to be sent, leave this page: nothing changes.</p>
    </>
  );
}
