import { useEffect, useState } from "react";
import { Button } from "~/components/ui/button";
import { messageOf } from "~/lib/api/problem";

/** The minimum time between two emails, in milliseconds: delivery takes a while. */
export const resendAfter = 60_000;

interface ResendProps {
  /** When the last email was requested, in milliseconds since 1970; 0 for never. */
  at: number;
  /** The button's label. */
  action: string;
  /** Resolves to false if nothing was sent, as the player has cancelled it. */
  send: () => Promise<unknown>;
}

/** Requests the email again, at the earliest a minute after the last one. */
export function Resend({ at, action, send }: ResendProps) {
  const left = useSecondsUntil(at + resendAfter);
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState({ problem: "", done: "" });
  const ask = async () => {
    setBusy(true);
    try {
      const sent = await send();
      setSaid({ problem: "", done: sent === false ? "" : "Another mail is on its way." });
    } catch (error) {
      setSaid({ problem: messageOf(error), done: "" });
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="grid justify-items-start gap-4">
      {/* While disabled it stays in the tab order, and keeps the focus after a press. */}
      <Button
        kind="quiet"
        busy={busy}
        aria-disabled={left > 0 || undefined}
        className="figures aria-disabled:opacity-60"
        onClick={left > 0 ? undefined : ask}
      >
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

/** Seconds until a time of this browser's clock, rounded up; updated every second. */
function useSecondsUntil(until: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil((until - now) / 1000));
}
