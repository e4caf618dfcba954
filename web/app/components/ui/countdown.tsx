import { useNow } from "~/lib/clock";
import { cn } from "~/lib/cn";
import { clock, spokenClock } from "~/lib/format";

/** The end of a countdown, in milliseconds, during which it has the accent colour. */
const urgent = 60_000;

interface CountdownProps {
  /** When it is over, in milliseconds since 1970. */
  until: number;
  /** The label for screen readers: "Held for". */
  label: string;
  className?: string | undefined;
}

/** The time left, updated every second. Screen readers read it on request, not every second. */
export function Countdown({ until, label, className }: CountdownProps) {
  const now = useNow();
  const left = until - now;
  return (
    <span role="timer" aria-live="off" className={cn("figures", now > 0 && left < urgent && "text-ember-bright", className)}>
      <span className="sr-only">
        {label} {now ? spokenClock(left) : ""}
      </span>
      <span aria-hidden="true">{now ? clock(left) : "–:––"}</span>
    </span>
  );
}
