import { type ReactNode, useEffect, useRef } from "react";
import { cn } from "~/lib/cn";

interface FormResultProps {
  title: string;
  children: ReactNode;
  /** "bad" for a permanent failure. */
  tone?: "good" | "bad";
}

/** Replaces a submitted form, and takes its focus. */
export function FormResult({ title, children, tone = "good" }: FormResultProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div
      ref={box}
      tabIndex={-1}
      role="status"
      className={cn("border-l py-1 pl-6 outline-none", tone === "good" ? "border-good" : "border-bad")}
    >
      <p className="display text-3xl">{title}</p>
      <p className="mt-2 text-bone-muted">{children}</p>
    </div>
  );
}
