import { cn } from "~/lib/cn";
import { amount } from "~/lib/format";
import { marketCurrency } from "~/lib/registry";

/** Longer amounts may wrap; they occur with currencies of 18 decimals. In characters. */
const maxUnwrapped = 14;

/** An amount of money: a decimal string and its currency's symbol, in tabular figures. */
export function Price({ value, currency = marketCurrency.symbol, className }: { value: string; currency?: string; className?: string }) {
  const text = amount(value);
  return (
    <span
      className={cn("figures", text.length > maxUnwrapped ? "min-w-0 whitespace-normal wrap-anywhere" : "whitespace-nowrap", className)}
    >
      {text} <span className="text-[max(0.72em,0.75rem)] text-bone-muted">{currency}</span>
    </span>
  );
}
