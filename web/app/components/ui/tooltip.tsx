import { type ReactNode, useId } from "react";

/**
 * A short explanation that appears on hover and on keyboard focus, above what it explains and never
 * wider than the page. It is part of the element's accessible description at all times.
 */
export function Tooltip({ text, children }: { text: string; children: (describedBy: string) => ReactNode }) {
  const id = useId();
  return (
    <span className="group/tip relative inline-flex">
      {children(id)}
      <span
        role="tooltip"
        id={id}
        className="pointer-events-none absolute bottom-full right-0 z-30 mb-2 hidden w-max max-w-56 animate-fade rounded border border-line-strong bg-night-3 px-2.5 py-1.5 text-sm group-focus-within/tip:block group-hover/tip:block"
      >
        {text}
      </span>
    </span>
  );
}
