import type { ReactNode } from "react";
import { cn } from "~/lib/cn";

/** A placeholder with the geometry of what is loading. It appears after 150 ms. */
export function Skeleton({ className, children }: { className?: string; children?: ReactNode }) {
  return (
    <div aria-hidden="true" className={cn("animate-fade rounded bg-night-1 [animation-delay:150ms]", className)}>
      {children}
    </div>
  );
}
