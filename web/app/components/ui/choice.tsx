import type { ComponentProps } from "react";
import { cn } from "~/lib/cn";
import { inputLook, Labelled, type LabelledProps } from "./field";

interface ChoiceProps extends LabelledProps, Omit<ComponentProps<"select">, keyof LabelledProps> {
  options: { value: string; label: string }[];
}

/** A labelled choice of one among few. Its first entry chooses nothing yet. */
export function Choice({ label, hint, error, className, options, ...props }: ChoiceProps) {
  return (
    <Labelled label={label} hint={hint} error={error} className={className}>
      {(ties) => (
        <select {...props} {...ties} className={cn(inputLook, "h-12")}>
          <option value="">Choose…</option>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}
