import { cn } from "~/lib/cn";
import { currencyName } from "~/lib/currencies";
import { type Amounts, inOrder } from "../amounts";

/** Amounts as text: "12 Deckhands, 9 Gate tokens". */
export const amountsText = (amounts: Amounts): string =>
  inOrder(amounts)
    .map(([code, amount]) => `${amount.toLocaleString("en")} ${currencyName(code, amount)}`)
    .join(", ");

/** The size of figures, by how many there are. */
const sizes = ["text-[clamp(7rem,17vw,15rem)]", "text-[clamp(5rem,12vw,10rem)]", "text-[clamp(3.5rem,6vw,5.5rem)]"];

/** Amounts as large figures, each above its name. */
export function AmountFigures({ amounts, className }: { amounts: Amounts; className?: string }) {
  const entries = inOrder(amounts);
  return (
    <ul className={cn("flex flex-wrap gap-x-10 gap-y-6", className)}>
      {entries.map(([code, amount]) => (
        <li key={code}>
          <span className={cn("display figures block leading-[0.85] text-bronze", sizes[Math.min(entries.length, sizes.length) - 1])}>
            {amount.toLocaleString("en")}
          </span>{" "}
          <span className="mt-3 block text-xl">{currencyName(code, amount)}</span>
        </li>
      ))}
    </ul>
  );
}
