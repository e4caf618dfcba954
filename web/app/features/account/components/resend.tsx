import { useEffect, useState } from "react";
import { Button } from "~/components/ui/button";
import { messageOf } from "~/lib/api/problem";
import { resendAfter } from "../recovery";

interface ResendProps {
  /** When the last mail was asked for, in milliseconds since 1970; 0 for never. */
  at: number;
  /** What the button says. */
  action: string;
  send: () => Promise<unknown>;
}

/** Asks for a mail once more, a minute after the last one at the earliest. */
export function Resend({ at, action, send }: ResendProps) {
  const left = useSecondsUntil(at + resendAfter);
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState({ problem: "", done: "" });
  const ask = async () => {
    setBusy(true);
    try {
      await send();
      setSaid({ problem: "", done: "Another mail is on its way." });
    } catch (error) {
      setSaid({ problem: messageOf(error), done: "" });
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="grid justify-items-start gap-4">
      {/* While it waits it keeps its place in the tab order, and the focus of whoever has just pressed it. */}
      <Button kind="quiet" busy={busy} aria-disabled={left > 0 || undefined} className="figures aria-disabled:opacity-60" onClick={left > 0 ? undefined : ask}>
        {left > 0 ? `${action} in ${left} s` : action}
      </Button>
      <p role="alert" className="text-bad empty:hidden">
        {said.problem}
      </p>
      <p role="status" className={said.done ? "text-good" : "sr-only"}>
        {said.done}
      </p>
    </div>
  );
}

/** How many seconds are left until a time of this browser's clock, rounded up; renewed every second. */
function useSecondsUntil(until: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil((until - now) / 1000));
}
