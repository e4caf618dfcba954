import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Button } from "~/components/ui/button";
import { focusMain } from "~/lib/focus";
import { isFocusLost } from "~/lib/focus-lost";
import { type Approval, neededApproval } from "./approvals";
import { ApprovalForm } from "./components/approval-form";

interface Waiting {
  approval: Approval;
  again: () => Promise<void>;
  cancel: () => void;
}

/**
 * Runs calls that may need the player's approval. If one does, `form` asks for it, and the call is repeated once it is
 * given; what the page has chosen stays as it is. `run` resolves to whether the call was made: false if the player
 * cancelled. It throws what the first call throws for other reasons; later errors are shown in the form.
 */
export function useApproval(): { form: ReactNode; run: (call: () => Promise<void>) => Promise<boolean> } {
  const [waiting, setWaiting] = useState<Waiting>();
  const asked = useRef<Waiting>(undefined);
  /** What had the focus before the form took it. */
  const before = useRef<Element>(null);
  useEffect(() => {
    if (waiting || !before.current) return;
    if (isFocusLost()) {
      if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus();
      else focusMain();
    }
    before.current = null;
  }, [waiting]);

  const run = useCallback(async (call: () => Promise<void>): Promise<boolean> => {
    try {
      await call();
      return true;
    } catch (error) {
      const approval = neededApproval(error);
      if (!approval) throw error;
      return new Promise<boolean>((resolve) => {
        let cancelled = false;
        const finish = (made: boolean) => {
          if (asked.current === mine) {
            asked.current = undefined;
            setWaiting(undefined);
          }
          resolve(made);
        };
        const mine: Waiting = {
          approval,
          again: async () => {
            if (cancelled) return; // while the proof was on its way
            await call();
            finish(true);
          },
          cancel: () => {
            cancelled = true;
            finish(false);
          },
        };
        before.current ??= document.activeElement;
        asked.current?.cancel(); // one question at a time
        asked.current = mine;
        setWaiting(mine);
      });
    }
  }, []);

  return { form: waiting && <Asked key={waiting.approval.approvalId} {...waiting} />, run };
}

/** The form within a page. It takes the focus when it appears. */
function Asked({ approval, again, cancel }: Waiting) {
  const box = useRef<HTMLFieldSetElement>(null);
  useLayoutEffect(() => box.current?.querySelector<HTMLElement>("input:not([hidden]), button")?.focus(), []);
  return (
    <fieldset ref={box} className="grid max-w-md gap-5">
      <legend className="mb-4">Is this you?</legend>
      <ApprovalForm approval={approval} action="Confirm" onApproved={again} />
      <div>
        <Button kind="quiet" size="small" onClick={cancel}>
          Cancel
        </Button>
      </div>
    </fieldset>
  );
}
