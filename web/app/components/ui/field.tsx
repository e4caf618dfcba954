import { type ComponentProps, type ReactNode, useId } from "react";
import { cn } from "~/lib/cn";

/** The class of all text inputs; the caller sets the height. */
export const inputLook =
  "w-full rounded border border-line-strong bg-night-1 px-3.5 text-bone placeholder:text-bone-muted/70 " +
  "hover:border-bronze aria-invalid:border-bad";

/** The props of every labelled input besides its own attributes. */
export interface LabelledProps {
  label: string;
  /** Help before anything is entered. */
  hint?: string | undefined;
  /** The value's error; shown instead of the hint. */
  error?: string | undefined;
  className?: string | undefined;
}

/** The attributes that connect an input with its label and its note. */
interface Ties {
  id: string;
  "aria-invalid": true | undefined;
  "aria-describedby": string | undefined;
}

/** A label, an input and a note below it. The note is associated with the input, so that screen readers read it. */
export function Labelled({ label, hint, error, className, children }: LabelledProps & { children: (ties: Ties) => ReactNode }) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className={cn("grid gap-1.5", className)}>
      <label htmlFor={id} className="caption text-bone-muted">
        {label}
      </label>
      {children({ id, "aria-invalid": error ? true : undefined, "aria-describedby": note ? `${id}-note` : undefined })}
      {note && (
        <p id={`${id}-note`} className={cn("text-sm", error ? "text-bad" : "text-bone-muted")}>
          {note}
        </p>
      )}
    </div>
  );
}

/** A labelled text input. */
export function Field({ label, hint, error, className, ...props }: LabelledProps & Omit<ComponentProps<"input">, keyof LabelledProps>) {
  return (
    <Labelled label={label} hint={hint} error={error} className={className}>
      {(ties) => <input {...props} {...ties} className={cn(inputLook, "h-12")} />}
    </Labelled>
  );
}
