import { type ReactNode, useEffect, useRef } from "react";

/** Moves the focus to its first control when it replaces the focused element. */
export function Step({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector<HTMLElement>("input:not([hidden]), button")?.focus(), []);
  return (
    <div ref={box} className="grid gap-5">
      {children}
    </div>
  );
}
