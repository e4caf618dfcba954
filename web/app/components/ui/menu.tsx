import { type ReactNode, useEffect, useRef } from "react";
import { cn } from "~/lib/cn";

interface MenuProps {
  /** The content of the button that opens the menu. */
  label: ReactNode;
  labelClassName?: string;
  className?: string;
  children: ReactNode;
}

/**
 * A disclosure: its content appears below the label. It works without scripts; with them Escape, losing the focus and
 * a press outside close it. Only one menu of a page is open at a time.
 */
export function Menu({ label, labelClassName, className, children }: MenuProps) {
  const root = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const press = (event: PointerEvent) => {
      if (root.current && !root.current.contains(event.target as Node)) root.current.open = false;
    };
    document.addEventListener("pointerdown", press);
    return () => document.removeEventListener("pointerdown", press);
  }, []);
  return (
    <details
      ref={root}
      name="menu"
      className={cn("group relative", className)}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) event.currentTarget.open = false;
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.currentTarget.open = false;
        event.currentTarget.querySelector("summary")?.focus();
      }}
    >
      <summary className={cn("cursor-pointer list-none [&::-webkit-details-marker]:hidden", labelClassName)}>{label}</summary>
      {children}
    </details>
  );
}
