import type { ReactNode } from "react";
import { Drawing } from "~/components/ui/icon";
import { cn } from "~/lib/cn";

interface LaterProps {
  /** What opens later, and what applies until then. */
  children: ReactNode;
  /** The text beside the hourglass, "Opens later" by default. */
  label?: string;
  className?: string;
}

/** States that something is not open yet. */
export function Later({ children, label = "Opens later", className }: LaterProps) {
  return (
    <div className={cn("border-l border-bronze-dim pl-6", className)}>
      <p className="display flex items-center gap-3 text-2xl">
        <span className="text-bronze">
          <Drawing size={22}>
            <path d="M6 3h12M6 21h12M7 3c0 5 10 7 10 12v6M17 3c0 5-10 7-10 12v6" />
          </Drawing>
        </span>
        {label}
      </p>
      <div className="mt-3 max-w-md text-bone-muted">{children}</div>
    </div>
  );
}
