import type { ReactNode } from "react";
import { Button } from "~/components/ui/button";
import { TextLink } from "~/components/ui/link";
import { paths } from "~/lib/paths";
import { problemOf, type Shown, type usePay } from "../pay";

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
    </>
  );
}

/** Why something was refused, in the server's words, with a way to fix it if there is one. */
export function Problem({ error }: { error: unknown }) {
  const problem = problemOf(error);
  return (
    <p role="alert" className="wrap-anywhere text-bad empty:hidden">
      {problem?.message}
      {problem?.reason === "email" && (
        <>
          {" "}
          <TextLink to={paths.settings}>Confirm your email in your settings</TextLink>
        </>
      )}
    </p>
  );
}
