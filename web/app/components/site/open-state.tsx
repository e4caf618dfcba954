import { cn } from "~/lib/cn";

interface OpenStateProps {
  /** Whether it can be used today. */
  open: boolean;
  className?: string;
}

/** States whether a part of the site is open today or opens later: by text, shape and colour. */
export function OpenState({ open, className }: OpenStateProps) {
  return (
    <span className={cn("caption inline-flex items-center gap-2", open ? "text-good" : "text-bronze", className)}>
      <svg width="12" height="12" viewBox="0 0 12 12" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
        {open ? <path d="M6 1 11 6 6 11 1 6Z" fill="currentColor" /> : <path d="M6 1 11 6 6 11 1 6Z" />}
      </svg>
      {open ? "Open today" : "Opens later"}
    </span>
  );
}
