import { useState } from "react";
import { Button } from "~/components/ui/button";
import { notifyAnywhere } from "~/components/ui/toasts";
import { messageOf } from "~/lib/api/problem";
import { cn } from "~/lib/cn";
import { focusMain } from "~/lib/focus";
import { dateTime } from "~/lib/time";
import { keepAccount } from "../deletion";

/** Says when the account is deleted, and lets the player keep it. */
export function DeletionNotice({ at, className }: { at: string; className?: string }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const keep = async () => {
    setBusy(true);
    setProblem("");
    try {
      await keepAccount();
      notifyAnywhere("success", "You keep your account");
      focusMain(); // this notice goes
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section
      aria-label="Your account will be deleted"
      className={cn("flex flex-wrap items-center gap-x-8 gap-y-3 border-l-2 border-bad py-3 pl-4", className)}
    >
      <p className="max-w-xl">
        <strong className="font-bold">Your account will be deleted on {dateTime(at)}.</strong> Until then you can take out what you want.
        Nothing is bought or sold.
      </p>
      <Button kind="quiet" busy={busy} onClick={keep}>
        Keep my account
      </Button>
      {problem && (
        <p role="alert" className="text-bad">
          {problem}
        </p>
      )}
    </section>
  );
}
