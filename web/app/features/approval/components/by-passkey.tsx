import { useState } from "react";
import { Button } from "~/components/ui/button";
import { messageOf } from "~/lib/api/problem";
import { proveByPasskey } from "../passkey";

interface ByPasskeyProps {
  /** Sends the passkey's answer. */
  onAnswer: (passkey: unknown) => Promise<unknown>;
  /** Goes on without the passkey: by the next way to prove who the player is. */
  onWithout: () => Promise<unknown>;
}

/** Asks for one of the player's passkeys. */
export function ByPasskey({ onAnswer, onWithout }: ByPasskeyProps) {
  const [busy, setBusy] = useState<"with" | "without" | "">("");
  const [problem, setProblem] = useState("");
  async function act(which: "with" | "without", what: () => Promise<unknown>) {
    if (busy) return;
    setBusy(which);
    setProblem("");
    try {
      await what();
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy("");
    }
  }
  return (
    <div className="grid justify-items-start gap-5">
      <p className="text-bone-muted">Confirm with your passkey: your fingerprint, your face, or the lock of your device.</p>
      <Button busy={busy === "with"} onClick={() => void act("with", async () => onAnswer(await proveByPasskey()))}>
        Use your passkey
      </Button>
      <p role="alert" className="text-bad empty:hidden">
        {problem}
      </p>
      <Button kind="quiet" size="small" busy={busy === "without"} onClick={() => void act("without", onWithout)}>
        I do not have it here
      </Button>
    </div>
  );
}
