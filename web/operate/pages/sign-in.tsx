import { useEffect, useState } from "react";
import { Button } from "~/components/ui/button";
import { messageOf } from "~/lib/api/problem";
import { focusMain } from "~/lib/focus";
import { forget, signIn } from "../session";
import { Alone } from "../shell";
import { useTitle } from "../ui/page";

/** The sign-in, in place of any page: its address stays. */
export function SignIn({ ended }: { ended: boolean }) {
  useTitle("Sign in");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  // What was read is not kept without a session.
  useEffect(forget, []);
  useEffect(() => {
    if (ended) focusMain(); // what had the focus is gone
  }, [ended]);
  async function press() {
    setBusy(true);
    setProblem("");
    try {
      await signIn();
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  }
  return (
    <Alone heading="Sign in">
      {ended && <p role="status">Your session has ended. Sign in again.</p>}
      <p role="alert" className="text-bad empty:hidden">
        {problem}
      </p>
      <Button busy={busy} onClick={() => void press()}>
        Sign in with your passkey
      </Button>
      <p className="text-sm text-bone-muted">
        This console is for operators. To get access, ask an owner for an invitation: its link adds a passkey to your device.
      </p>
    </Alone>
  );
}
