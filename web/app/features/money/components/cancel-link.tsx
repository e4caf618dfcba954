import { useState } from "react";
import { ButtonLink } from "~/components/ui/button";
import { Form } from "~/components/ui/form";
import { FormResult } from "~/components/ui/form-result";
import { TextLink } from "~/components/ui/link";
import { ApiError, messageOf } from "~/lib/api/problem";
import { useLinkToken } from "~/lib/link-token";
import { useNavigate } from "~/lib/navigation";
import { paths } from "~/lib/paths";
import { cancelByLink } from "../cancel";

/**
 * Cancels a withdrawal by the link of an email, whoever is signed in. It takes a press: programs that read mail open links
 * too.
 */
export function CancelByLink() {
  const navigate = useNavigate();
  const token = useLinkToken();
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
      <Form
        rules={{}}
        action="Cancel the withdrawal"
        onSubmit={async () => {
          if (!token) return setOver("The link is incomplete. Open it from our email again.");
          try {
            await cancelByLink(token);
          } catch (error) {
            if (!(error instanceof ApiError) || (error.status !== 404 && error.status !== 409)) throw error;
            return setOver(messageOf(error));
          }
          setStep("done");
          await navigate(".", { replace: true }); // the token is used up
        }}
      >
        {() => null}
      </Form>
      <p className="mt-6 text-bone-muted">You need not sign in. If you want it to be sent, leave this page: nothing changes.</p>
    </>
  );
}
