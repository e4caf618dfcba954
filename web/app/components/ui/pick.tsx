import { cn } from "~/lib/cn";
import { inputLook } from "./field";
import { DownIcon } from "./icon";

interface PickProps<T extends string> {
  label: string;
  value: T;
  options: { value: T; label: string }[];
  onChange: (value: T) => void;
  className?: string;
}

/** A small choice of one among few, named for screen readers only: what it chooses can be seen. */
export function Pick<T extends string>({ label, value, options, onChange, className }: PickProps<T>) {
  return (
    <label className={cn("relative", className)}>
      <span className="sr-only">{label}</span>
      <select value={value} onChange={(event) => onChange(event.target.value as T)} className={cn(inputLook, "h-11 cursor-pointer appearance-none pr-9")}>
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
