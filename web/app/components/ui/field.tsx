import { type ComponentProps, useId } from "react";
import { cn } from "~/lib/cn";

/** The look of everything that is typed into; its height is the caller's. */
export const inputLook =
  "w-full rounded border border-line-strong bg-night-1 px-3.5 text-bone placeholder:text-bone-muted/70 hover:border-bronze aria-invalid:border-bad";

interface FieldProps extends ComponentProps<"input"> {
  label: string;
  /** What helps before anything is typed. */
  hint?: string | undefined;
  /** What is wrong with the value; shown in place of the hint. */
  error?: string | undefined;
}

/** A labelled text input. Hint and error are tied to the input, so that screen readers read them with it. */
export function Field({ label, hint, error, className, ...props }: FieldProps) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className={cn("grid gap-1.5", className)}>
      <label htmlFor={id} className="caption text-bone-muted">
        {label}
      </label>
      <input {...props} id={id} aria-invalid={error ? true : undefined} aria-describedby={note ? `${id}-note` : undefined} className={cn(inputLook, "h-12")} />
      {note && (
        <p id={`${id}-note`} className={cn("text-sm", error ? "text-bad" : "text-bone-muted")}>
          {note}
        </p>
      )}
    </div>
  );
}
