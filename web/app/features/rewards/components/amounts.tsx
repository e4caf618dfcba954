import { cn } from "~/lib/cn";
import { kindName } from "~/lib/currencies";
import { type Amounts, inOrder } from "../amounts";

/** Amounts as text: "12 Deckhands, 9 Gate tokens". */
export const amountsText = (amounts: Amounts): string =>
  inOrder(amounts)
    .map(([code, amount]) => `${amount.toLocaleString("en")} ${kindName(code, amount)}`)
    .join(", ");

/** Amounts as large figures, each above its name. */
export function AmountFigures({ amounts, className }: { amounts: Amounts; className?: string }) {
  const entries = inOrder(amounts);
  return (
    <ul className={cn("flex flex-wrap gap-x-10 gap-y-6", className)}>
      {entries.map(([code, amount]) => (
        <li key={code}>
          <span className={cn("display figures block leading-[0.85] text-bronze", entries.length > 2 ? "text-5xl" : "text-[clamp(4.5rem,11vw,9rem)]")}>
            {amount.toLocaleString("en")}
          </span>{" "}
          <span className="mt-2 block text-lg">{kindName(code, amount)}</span>
        </li>
      ))}
    </ul>
  );
}
