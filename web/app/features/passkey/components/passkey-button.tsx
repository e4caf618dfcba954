import { useEffect, useState } from "react";
import { Button } from "~/components/ui/button";
import { loadConfig } from "~/features/config/load";
import { ApiError, messageOf } from "~/lib/api/problem";
import { passkeysWork, stopOffer } from "~/lib/passkey";
import { signInByAutofill, signInByPasskey } from "../passkeys";

/**
 * Signs in by a passkey, by a press or from the list of the e-mail field. There is no button where passkeys do not work. The form's
 * own page leads on once a session exists.
 */
export default function PasskeyButton() {
  const [works, setWorks] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    loadConfig().then(
      ({ passkeyDomain }) => setWorks(passkeysWork(passkeyDomain)),
      () => {}, // the other ways to sign in say so
    );
  }, []);
  useEffect(() => {
    if (!works) return;
    const offer = (): Promise<void> =>
      signInByAutofill().catch((error: unknown) => {
        setProblem(messageOf(error));
        if (error instanceof ApiError && error.reason === "over") return offer(); // the page was open for longer than a challenge is good
      });
    void offer();
    return () => void stopOffer();
  }, [works]);
  async function press() {
    setBusy(true);
    setProblem("");
    try {
      await signInByPasskey();
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  }
  return (
    <>
      {works && (
        <Button kind="quiet" busy={busy} onClick={() => void press()}>
          Sign in with a passkey
        </Button>
      )}
      {problem && (
        <p role="alert" className="text-bad">
          {problem}
        </p>
      )}
    </>
  );
}
