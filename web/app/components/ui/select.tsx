import type { ComponentProps } from "react";
import { cn } from "~/lib/cn";
import { inputLook, Labelled, type LabelledProps } from "./field";
import { DownIcon } from "./icon";

interface SelectProps extends LabelledProps, Omit<ComponentProps<"select">, keyof LabelledProps> {
  options: { value: string; label: string }[];
}

/** A labelled select. Its first entry means no selection. */
export function Select({ label, hint, error, className, options, ...props }: SelectProps) {
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

interface CompactSelectProps<T extends string> {
  label: string;
  value: T;
  options: { value: T; label: string }[];
  onChange: (value: T) => void;
  className?: string;
}

/** A small select whose label is for screen readers only: its purpose is visible. */
export function CompactSelect<T extends string>({ label, value, options, onChange, className }: CompactSelectProps<T>) {
  return (
    <label className={cn("relative", className)}>
      <span className="sr-only">{label}</span>
      <select
        value={value}
        onChange={(event) => onChange(event.target.value as T)}
        className={cn(inputLook, "h-11 cursor-pointer appearance-none pr-9")}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <span className="pointer-events-none absolute inset-y-0 right-3 grid place-items-center text-bone-muted">
        <DownIcon size={14} />
      </span>
    </label>
  );
}
