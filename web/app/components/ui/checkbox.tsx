import { type ReactNode, useState } from "react";
import { cn } from "~/lib/cn";

interface CheckboxProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  /** The name, if the label's text does not say enough. */
  "aria-label"?: string;
  /** The label. */
  children: ReactNode;
  className?: string;
}

/** A checkbox with its label. It shows a press at once, where `checked` follows a moment later, as the page's address does. */
export function Checkbox({ checked, onChange, children, className, ...props }: CheckboxProps) {
  const [pressed, setPressed] = useState<boolean>();
  if (pressed === checked) setPressed(undefined);
  return (
    <label className={cn("flex min-h-11 cursor-pointer items-center gap-3", className)}>
      <input
        type="checkbox"
        {...props}
        checked={pressed ?? checked}
        onChange={({ target }) => {
          setPressed(target.checked);
          onChange(target.checked);
        }}
        className="size-5 shrink-0 accent-ember"
      />
      {children}
    </label>
  );
}
