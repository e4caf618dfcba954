import { type ComponentProps, useId } from "react";
import { cn } from "~/lib/cn";
import { inputLook } from "./field";

interface TextAreaProps extends ComponentProps<"textarea"> {
  label: string;
  /** What helps before anything is typed. */
  hint?: string | undefined;
  /** What is wrong with the text; shown in place of the hint. */
  error?: string | undefined;
}

/** A labelled field for a longer text. Hint and error are tied to it, so that screen readers read them with it. */
export function TextArea({ label, hint, error, className, ...props }: TextAreaProps) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className={cn("grid gap-1.5", className)}>
      <label htmlFor={id} className="caption text-bone-muted">
        {label}
      </label>
      <textarea
        rows={8}
        {...props}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={note ? `${id}-note` : undefined}
        className={cn(inputLook, "py-3")}
      />
      {note && (
        <p id={`${id}-note`} className={cn("text-sm", error ? "text-bad" : "text-bone-muted")}>
          {note}
        </p>
      )}
    </div>
  );
}
