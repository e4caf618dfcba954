import { useId } from "react";
import { FailedLine } from "~/components/ui/failed-line";
import { Field } from "~/components/ui/field";
import { decimals, type Fees } from "~/features/market/fees";
import { cn } from "~/lib/cn";
import { amount, fromBaseUnits } from "~/lib/format";
import { marketCurrency } from "~/lib/registry";
import type { Entry, Priced } from "../entry";

const modes = [
  { value: "pays", label: "Buyer pays" },
  { value: "receive", label: "You receive" },
] as const;

/** An amount in base units, with its decimals. */
export const usdc = (units: bigint) => amount(fromBaseUnits(units.toString(), decimals));

const percent = (bps: number) => `${(bps / 100).toLocaleString("en", { maximumFractionDigits: 2 })} %`;

function Share({ label, value, strong }: { label: string; value: string | undefined; strong?: boolean }) {
  return (
    <div className={cn("min-w-0", strong ? "text-bone" : "text-bone-muted")}>
      <dt className="text-sm leading-tight">{label}</dt>
      <dd className={cn("figures", strong && "font-bold")}>{value ?? "–"}</dd>
    </div>
  );
}

interface PriceEntryProps {
  /** What is priced, for screen readers. */
  name: string;
  entry: Entry;
  onChange: (entry: Entry) => void;
  onLeave?: () => void;
  /** Undefined while unknown. */
  fees: Fees | undefined;
  /** Asks for the fees again; given if they did not load. */
  onRetry?: (() => unknown) | undefined;
  priced: Priced | undefined;
  error?: string | undefined;
  warning?: string | undefined;
}

/** The price of one, as what a buyer pays or what the seller receives, and how it is divided. */
export function PriceEntry({ name, entry, onChange, onLeave, fees, onRetry, priced, error, warning }: PriceEntryProps) {
  const group = useId();
  const split = priced?.split;
  return (
    <fieldset className="grid min-w-0 gap-3">
      <legend className="sr-only">{name}: price</legend>
      <div className="grid grid-cols-2 overflow-hidden rounded border border-line-strong">
        {modes.map(({ value, label }) => (
          <label
            key={value}
            className={
              "display grid h-11 cursor-pointer place-items-center px-2 text-lg leading-none text-bone-muted hover:text-bone " +
              "has-[:checked]:bg-night-3 has-[:checked]:text-bone has-[:focus-visible]:outline-2 " +
              "has-[:focus-visible]:-outline-offset-2 has-[:focus-visible]:outline-ember"
            }
          >
            <input
              type="radio"
              name={group}
              value={value}
              checked={entry.mode === value}
              onChange={() => onChange({ ...entry, mode: value })}
              className="sr-only"
            />
            {label}
          </label>
        ))}
      </div>
      <Field
        label={entry.mode === "pays" ? `Price of one, in ${marketCurrency.symbol}` : `For one, in ${marketCurrency.symbol}`}
        inputMode="decimal"
        autoComplete="off"
        data-price
        value={entry.text}
        error={error}
        hint={warning ? undefined : " "}
        onChange={({ target }) => onChange({ ...entry, text: target.value })}
        onBlur={onLeave}
      />
      {warning && !error && (
        <p role="status" className="-mt-1.5 text-sm text-ember-bright">
          {warning}
        </p>
      )}
      {onRetry ? (
        <FailedLine onRetry={onRetry}>The fees are not known just now.</FailedLine>
      ) : (
        <dl className="grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-4">
          <Share label="Buyer pays" value={priced && usdc(priced.price)} />
          <Share label={`Market fee${fees ? `, ${percent(fees.platformBps)}` : ""}`} value={split && usdc(split.platform)} />
          <Share label={`Royalty${fees ? `, ${percent(fees.royaltyBps)}` : ""}`} value={split && usdc(split.royalty)} />
          <Share label="You receive" value={split && usdc(split.receive)} strong />
        </dl>
      )}
    </fieldset>
  );
}
