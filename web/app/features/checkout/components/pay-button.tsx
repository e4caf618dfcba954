import type { ReactNode } from "react";
import { Button } from "~/components/ui/button";
import type { Shown, usePay } from "../pay";

export type Payment = ReturnType<typeof usePay>;

const waitingText = "Waiting for your other purchase…";

interface PayButtonProps {
  pay: Payment;
  /** What the page displays and the player pays. */
  shown: Shown;
  disabled?: boolean;
  children: ReactNode;
}

/** The button that pays what is displayed. */
export function PayButton({ pay, shown, disabled = false, children }: PayButtonProps) {
  return (
    <>
      <Button
        size="large"
        busy={pay.isPending && !pay.waiting}
        aria-disabled={pay.waiting || undefined}
        aria-busy={pay.waiting || undefined}
        disabled={disabled}
        onClick={pay.waiting ? undefined : () => pay.mutate(shown)}
      >
        {pay.waiting ? <span className="text-xl">{waitingText}</span> : children}
      </Button>
      <span role="status" className="sr-only">
        {pay.waiting && waitingText}
      </span>
      <p role="status" className="text-bone-muted empty:hidden">
        {pay.late && "No answer yet. We keep trying; nothing is paid twice."}
      </p>
    </>
  );
}
