import { useEffect, useRef, useState } from "react";
import { Button } from "~/components/ui/button";
import { loadConfig } from "~/features/config/load";
import { messageOf } from "~/lib/api/problem";
import { passkeysWork, stopPasskey } from "~/lib/passkey";
import { offerSignIn, signInByPasskey } from "../passkeys";

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
    if (works && !busy) return offerSignIn((error) => setProblem(messageOf(error)));
  }, [works, busy]);
  /** Whether the page was left. */
  const left = useRef(false);
  useEffect(() => {
    left.current = false;
    return () => {
      left.current = true;
      stopPasskey();
    };
  }, []);
  async function press() {
    setBusy(true);
    setProblem("");
    try {
      await signInByPasskey(() => left.current);
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
