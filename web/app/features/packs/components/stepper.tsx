import { useId } from "react";

interface StepperProps {
  /** What is counted: "General packs to buy". */
  label: string;
  value: number;
  max: number;
  onChange: (value: number) => void;
  disabled?: boolean | undefined;
}

const button =
  "grid w-11 shrink-0 place-items-center text-xl hover:bg-night-3 disabled:text-bone-muted disabled:opacity-45 " +
  "disabled:hover:bg-transparent";

/** A small number from 1 to `max`, with a button for less and one for more. */
export function Stepper({ label, value, max, onChange, disabled }: StepperProps) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be announced as a form's
    <div
      role="group"
      aria-labelledby={id}
      className="flex h-12 w-fit shrink-0 items-stretch overflow-hidden rounded border border-line-strong"
    >
      <span id={id} className="sr-only">
        {label}
      </span>
      <button type="button" aria-label="One less" className={button} disabled={disabled || value <= 1} onClick={() => onChange(value - 1)}>
        −
      </button>
      <output aria-live="polite" className="figures grid min-w-8 place-items-center font-bold">
        {value}
      </output>
      <button
        type="button"
        aria-label="One more"
        className={button}
        disabled={disabled || value >= max}
        onClick={() => onChange(value + 1)}
      >
        +
      </button>
    </div>
  );
}
