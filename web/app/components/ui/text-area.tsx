import type { ComponentProps } from "react";
import { cn } from "~/lib/cn";
import { inputLook, Labelled, type LabelledProps } from "./field";

/** A labelled field for a longer text. */
export function TextArea({
  label,
  hint,
  error,
  className,
  ...props
}: LabelledProps & Omit<ComponentProps<"textarea">, keyof LabelledProps>) {
  return (
    <Labelled label={label} hint={hint} error={error} className={className}>
      {(ties) => <textarea rows={8} {...props} {...ties} className={cn(inputLook, "py-3")} />}
    </Labelled>
  );
}
