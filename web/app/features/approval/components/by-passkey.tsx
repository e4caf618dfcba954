import { useEffect, useRef, useState } from "react";
import { Button } from "~/components/ui/button";
import { messageOf } from "~/lib/api/problem";
import { stopPasskey } from "~/lib/passkey";
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
  /** The last press; what an earlier one began is over. */
  const turn = useRef(0);
  useEffect(
    () => () => {
      turn.current++;
      stopPasskey(); // an answer to a question that was left confirms nothing
    },
    [],
  );
  async function act(which: "with" | "without", what: (isOver: () => boolean) => Promise<unknown>) {
    if (busy === which || busy === "without") return;
    const mine = ++turn.current;
    setBusy(which);
    setProblem("");
    try {
      await what(() => turn.current !== mine);
    } catch (error) {
      if (turn.current === mine) setProblem(messageOf(error));
    } finally {
      if (turn.current === mine) setBusy("");
    }
  }
  const use = async (isOver: () => boolean) => {
    const answer = await proveByPasskey(isOver);
    if (answer) await onAnswer(answer);
  };
  const without = () => {
    stopPasskey();
    return onWithout();
  };
  return (
    <div className="grid justify-items-start gap-5">
      <p className="text-bone-muted">Confirm with your passkey: your fingerprint, your face, or the lock of your device.</p>
      <Button busy={busy === "with"} onClick={() => void act("with", use)}>
        Use your passkey
      </Button>
      <p role="alert" className="text-bad empty:hidden">
        {problem}
      </p>
      <Button kind="quiet" size="small" busy={busy === "without"} onClick={() => void act("without", without)}>
        I do not have it here
      </Button>
    </div>
  );
}
