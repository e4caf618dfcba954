import { type ComponentProps, useId } from "react";
import { cn } from "~/lib/cn";
import { inputLook } from "./field";

interface ChoiceProps extends ComponentProps<"select"> {
  label: string;
  /** What is wrong with the choice. */
  error?: string | undefined;
  options: { value: string; label: string }[];
}

/** A labelled choice of one among few. Its first entry chooses nothing yet. */
export function Choice({ label, error, options, className, ...props }: ChoiceProps) {
  const id = useId();
  return (
    <div className={cn("grid gap-1.5", className)}>
      <label htmlFor={id} className="caption text-bone-muted">
        {label}
      </label>
      <select {...props} id={id} aria-invalid={error ? true : undefined} aria-describedby={error ? `${id}-note` : undefined} className={cn(inputLook, "h-12")}>
        <option value="">Choose…</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {error && (
        <p id={`${id}-note`} className="text-sm text-bad">
          {error}
        </p>
      )}
    </div>
  );
}
