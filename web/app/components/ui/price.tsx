import { cn } from "~/lib/cn";
import { amount } from "~/lib/format";

/** An amount of money: a decimal string and its currency's symbol, in tabular figures. */
export function Price({ value, currency = "USDC", className }: { value: string; currency?: string; className?: string }) {
  return (
    <span className={cn("figures whitespace-nowrap", className)}>
      {amount(value)} <span className="text-[max(0.72em,0.75rem)] text-bone-muted">{currency}</span>
    </span>
  );
}
