import type { ReactNode } from "react";
import { cn } from "~/lib/cn";

interface MenuProps {
  /** What opens the menu. */
  label: ReactNode;
  labelClassName?: string;
  className?: string;
  children: ReactNode;
}

/**
 * A disclosure: its content appears below the label. It works without scripts; with them Escape and leaving it close it.
 * Of all menus of a page one is open at a time.
 */
export function Menu({ label, labelClassName, className, children }: MenuProps) {
  return (
    <details
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
