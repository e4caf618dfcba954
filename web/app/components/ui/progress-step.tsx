import type { ReactNode } from "react";
import { cn } from "~/lib/cn";

interface ProgressStepProps {
  title: string;
  /** Whether it is over; otherwise whether it is the one that is under way. */
  done: boolean;
  now: boolean;
  last: boolean;
  /** The distance to the next step. */
  className: string;
  /** When it was, or will be. */
  children?: ReactNode;
}

/** A step in an ordered list of what happens one after the other. */
export function ProgressStep({ title, done, now, last, className, children }: ProgressStepProps) {
  return (
    <li aria-current={now ? "step" : undefined} className={cn("relative flex gap-5 last:pb-0", className)}>
      {!last && (
        <span className={cn("absolute bottom-0 left-[9px] top-5 border-l border-dashed", done ? "border-bronze" : "border-line-strong")} />
      )}
      <span
        className={cn(
          "relative mt-1 grid size-5 shrink-0 rotate-45 place-items-center border",
          done ? "border-bronze bg-bronze" : now ? "border-ember bg-night" : "border-line-strong bg-night",
        )}
      >
        {now && <span className="size-2 animate-pulse bg-ember" />}
      </span>
      <span className={done || now ? "" : "text-bone-muted"}>
        <span className="display block text-2xl">{title}</span>
        {children}
      </span>
    </li>
  );
}
